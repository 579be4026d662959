// A matrix product in bfloat16 on the tensor cores, summed in float.
#include <cuda_bf16.h>
#include <mma.h>

#include "numbers.h"

namespace {

// Each warp makes one tile of 16 x 16; a is n x n by rows, b by columns.
__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + blockIdx.y * 16 * n + k, n);
    wmma::load_matrix_sync(right, b + blockIdx.x * 16 * n + k, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}

// Values that bfloat16 holds exactly, so that only the sum is rounded.
std::vector<__nv_bfloat16> narrowed(std::vector<float>& values) {
  std::vector<__nv_bfloat16> narrow(values.size());
  for (size_t i = 0; i < values.size(); i++) {
    narrow[i] = __float2bfloat16(values[i]);
    values[i] = __bfloat162float(narrow[i]);
  }
  return narrow;
}

}  // namespace

Outcome matmul_bf16() {
  const int n = 512;
  std::vector<float> a = noise(n * n, 3), b = noise(n * n, 4);
  Device<__nv_bfloat16> left(narrowed(a)), right(narrowed(b));
  Device<float> result(n * n);
  std::vector<double> want(n * n, 0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) want[i * n + j] += static_cast<double>(a[i * n + k]) * b[j * n + k];
  multiply<<<dim3(n / 16, n / 16), 32>>>(left.get(), right.get(), result.get(), n);
  return {"matmul_bf16", worst(want, result.take()), 1e-5};
}
