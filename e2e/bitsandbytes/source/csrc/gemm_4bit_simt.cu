#include "gemm_4bit_simt.cuh"

// A row vector times the transpose of a matrix of nibbles, a thread for each row of the matrix.
template <typename T>
__global__ void gemm_4bit_simt(const T* a, const uint8_t* b, T* out, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += (float)a[i] * nibble(b[(row * k + i) / 2], (row * k + i) & 1);
  out[row] = (T)sum;
}

template <typename T>
void launch_gemm_4bit_simt(const T* a, const uint8_t* b, T* out, int n, int k) {
  gemm_4bit_simt<T><<<(n + 63) / 64, 64>>>(a, b, out, n, k);
}

template void launch_gemm_4bit_simt<float>(const float*, const uint8_t*, float*, int, int);
template void launch_gemm_4bit_simt<half>(const half*, const uint8_t*, half*, int, int);
template void launch_gemm_4bit_simt<__nv_bfloat16>(const __nv_bfloat16*, const uint8_t*, __nv_bfloat16*, int, int);
