#include "gemm_4bit_sm75.cuh"

// Two products at a time, in half precision.
__global__ void gemm_4bit_sm75(const half* a, const uint8_t* b, half* out, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  half2 sum = __float2half2_rn(0);
  for (int i = 0; i + 1 < k; i += 2) {
    uint8_t pair = b[(row * k + i) / 2];
    sum = __hfma2(__halves2half2(a[i], a[i + 1]), __floats2half2_rn(nibble(pair, 0), nibble(pair, 1)), sum);
  }
  out[row] = __hadd(__low2half(sum), __high2half(sum));
}

template <>
void launch_gemm_4bit_sm75<half>(const half* a, const uint8_t* b, half* out, int n, int k) {
  gemm_4bit_sm75<<<(n + 63) / 64, 64>>>(a, b, out, n, k);
}
