#ifndef KERNELS_CUH_
#define KERNELS_CUH_

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

template <typename T>
__global__ void kFill(T* out, T value, int n);

template <typename T>
__global__ void kQuantize(const float* code, const T* in, uint8_t* out, int n);

template <typename T>
__global__ void kDequantize(const float* code, const uint8_t* in, T* out, int n);

template <typename T>
__global__ void kStep(T* gradient, T* parameter, float* state, float rate, int n);

#endif
