// What pythonInterface.cpp, which nvcc does not compile, calls.
#ifndef OPS_CUH_
#define OPS_CUH_

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstdint>

struct Context {
  cublasHandle_t handle;
  Context() { cublasCreate_v2(&handle); }
};

template <typename T>
void fill(T* out, T value, int n);

template <typename T>
void quantize(const float* code, const T* in, uint8_t* out, int n);

template <typename T>
void dequantize(const float* code, const uint8_t* in, T* out, int n);

template <typename T>
void step(T* gradient, T* parameter, float* state, float rate, int n);

int multiply(Context* context, int m, int n, int k, const int8_t* a, const int8_t* b, int* out);
int multiply_lt(cublasLtHandle_t handle, int m, int n, int k, const int8_t* a, const int8_t* b, int* out);

#endif
