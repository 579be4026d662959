#include "ops.cuh"

#include "kernels.cuh"

static int blocks(int n) { return (n + 255) / 256; }

template <typename T>
void fill(T* out, T value, int n) {
  kFill<T><<<blocks(n), 256>>>(out, value, n);
}

template <typename T>
void quantize(const float* code, const T* in, uint8_t* out, int n) {
  kQuantize<T><<<blocks(n), 256>>>(code, in, out, n);
}

template <typename T>
void dequantize(const float* code, const uint8_t* in, T* out, int n) {
  kDequantize<T><<<blocks(n), 256>>>(code, in, out, n);
}

template <typename T>
void step(T* gradient, T* parameter, float* state, float rate, int n) {
  kStep<T><<<blocks(n), 256>>>(gradient, parameter, state, rate, n);
}

int multiply(Context* context, int m, int n, int k, const int8_t* a, const int8_t* b, int* out) {
  const int one = 1, zero = 0;
  return cublasGemmEx(context->handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, CUDA_R_8I, m, b, CUDA_R_8I, k, &zero, out, CUDA_R_32I, m,
                      CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
}

int multiply_lt(cublasLtHandle_t handle, int m, int n, int k, const int8_t* a, const int8_t* b, int* out) {
  cublasLtMatmulDesc_t what;
  int error = cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32I, CUDA_R_32I);
  if (error) return error;
  const int one = 1, zero = 0;
  (void)m, (void)n, (void)k;
  error = cublasLtMatmul(handle, what, &one, a, nullptr, b, nullptr, &zero, out, nullptr, out, nullptr, nullptr, nullptr, 0, nullptr);
  int freed = cublasLtMatmulDescDestroy(what);
  return error ? error : freed;
}

template void fill<float>(float*, float, int);
template void fill<uint8_t>(uint8_t*, uint8_t, int);
#define OPS(T)                                                \
  template void quantize<T>(const float*, const T*, uint8_t*, int); \
  template void dequantize<T>(const float*, const uint8_t*, T*, int); \
  template void step<T>(T*, T*, float*, float, int);
OPS(float)
OPS(half)
OPS(__nv_bfloat16)
