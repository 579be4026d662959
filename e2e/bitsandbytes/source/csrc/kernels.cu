#include "kernels.cuh"

#include <math_constants.h>

#include "gemm_4bit_common.cuh"

// Copied to the device by its registration; the smallest and the largest nibble.
__constant__ float kRange[2] = {-1.0f, 1.0f};

__device__ float nibble(uint8_t pair, int odd) {
  float part = (float)(odd ? pair >> 4 : pair & 15) / 15.0f;
  return kRange[0] + part * (kRange[1] - kRange[0]);
}

template <typename T>
__global__ void kFill(T* out, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

template <typename T>
__global__ void kQuantize(const float* code, const T* in, uint8_t* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float nearest = CUDART_INF_F;
  for (int c = 0; c < 256; c++) {
    float away = fabsf((float)in[i] - code[c]);
    if (away < nearest) nearest = away, out[i] = (uint8_t)c;
  }
}

template <typename T>
__global__ void kDequantize(const float* code, const uint8_t* in, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (T)code[in[i]];
}

template <typename T>
__global__ void kStep(T* gradient, T* parameter, float* state, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  state[i] = 0.9f * state[i] + 0.1f * (float)gradient[i];
  parameter[i] = (T)((float)parameter[i] - rate * state[i] * rsqrtf(1.0f + state[i] * state[i]));
}

template __global__ void kFill<float>(float*, float, int);
template __global__ void kFill<uint8_t>(uint8_t*, uint8_t, int);
#define KERNELS(T)                                                              \
  template __global__ void kQuantize<T>(const float*, const T*, uint8_t*, int);   \
  template __global__ void kDequantize<T>(const float*, const uint8_t*, T*, int); \
  template __global__ void kStep<T>(T*, T*, float*, float, int);
KERNELS(float)
KERNELS(half)
KERNELS(__nv_bfloat16)
