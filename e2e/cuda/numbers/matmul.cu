// A matrix product in float, tiled through shared memory.
#include "numbers.h"

namespace {

template <int TILE>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float left[TILE][TILE + 1], right[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    left[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
    right[threadIdx.y][threadIdx.x] = column < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

}  // namespace

Outcome matmul_float() {
  const int n = 517;  // no multiple of the tile
  const std::vector<float> a = noise(n * n, 1), b = noise(n * n, 2);
  std::vector<double> want(n * n, 0);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) want[i * n + j] += static_cast<double>(a[i * n + k]) * b[k * n + j];
  Device<float> left(a), right(b), result(n * n);
  const dim3 block(32, 32), grid((n + 31) / 32, (n + 31) / 32);
  multiply<32><<<grid, block>>>(left.get(), right.get(), result.get(), n);
  return {"matmul_float", worst(want, result.take()), 1e-5};
}
