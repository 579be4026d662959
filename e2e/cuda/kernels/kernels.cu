// Kernels whose arguments have another layout on Windows than on Linux, and functions that launch them.
#include "kernels.h"

#include <cuda_runtime.h>

__constant__ float table[TABLE_SIZE];
__device__ int counter;

// 64-bit integers, and long, which has 32 bits on Windows.
__global__ void narrow(float* out, int64_t n, size_t stride, long scale, int offset) {
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = table[i % TABLE_SIZE] * (float)scale + (float)offset;
}

// A struct by value, between two small arguments.
__global__ void nested(unsigned char flag, Mixed mixed, double factor) {
  if (flag) *mixed.out = (double)mixed.wide * factor + (double)mixed.size + (double)mixed.native + mixed.real + mixed.pair[1];
  if (flag) atomicAdd(&counter, 1);
}

template <typename T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value;
}

EXPORT int launch_narrow(float* out, int64_t n, size_t stride, long scale, int offset, void* stream) {
  narrow<<<dim3(3, 2, 1), dim3(64, 2, 2), 128, (cudaStream_t)stream>>>(out, n, stride, scale, offset);
  return cudaGetLastError();
}

EXPORT int launch_nested(unsigned char flag, const Mixed* mixed, double factor) {
  nested<<<7, 32>>>(flag, *mixed, factor);
  return cudaGetLastError();
}

EXPORT int launch_fill(double* out, double value) {
  fill<double><<<1, 1>>>(out, value);
  return cudaGetLastError();
}

EXPORT int set_table(const float* values, size_t from, size_t count) {
  return cudaMemcpyToSymbol(table, values, count * sizeof *values, from * sizeof *values);
}

EXPORT int device_count(int* count) { return cudaGetDeviceCount(count); }
