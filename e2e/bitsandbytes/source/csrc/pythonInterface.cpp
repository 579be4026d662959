// The functions that Python looks up, by upstream's names; what they do is the fixture's own.
#include "cpu_ops.h"
#ifdef BUILD_CUDA
#include "ops.cuh"
#endif

extern "C" {

#define CPU(type, T)                                                                                                      \
  void cquantize_blockwise_cpu_##type(const T* in, float* absmax, uint8_t* out, long long block, long long n) {           \
    quantize_cpu<T>(in, absmax, out, block, n);                                                                           \
  }                                                                                                                       \
  void cdequantize_blockwise_cpu_##type(const uint8_t* in, const float* absmax, T* out, long long block, long long n) {   \
    dequantize_cpu<T, Code::kByte>(in, absmax, out, block, n);                                                            \
  }                                                                                                                       \
  void cdequantize_blockwise_cpu_fp4_##type(const uint8_t* in, const float* absmax, T* out, long long block, long long n) { \
    dequantize_cpu<T, Code::kFp4>(in, absmax, out, block, n);                                                             \
  }                                                                                                                       \
  void cdequantize_blockwise_cpu_nf4_##type(const uint8_t* in, const float* absmax, T* out, long long block, long long n) { \
    dequantize_cpu<T, Code::kNf4>(in, absmax, out, block, n);                                                             \
  }
CPU(fp32, float)
CPU(bf16, bf16_t)
CPU(fp16, fp16_t)

#ifdef BUILD_CUDA

#define CODE(suffix, T)                                                                                              \
  void cquantize_blockwise_##suffix(const float* code, const T* in, uint8_t* out, int n) { quantize(code, in, out, n); } \
  void cdequantize_blockwise_##suffix(const float* code, const uint8_t* in, T* out, int n) { dequantize(code, in, out, n); }
#define CODES(type, T) CODE(type, T) CODE(type##_fp4, T) CODE(type##_nf4, T)
CODES(fp32, float)
CODES(fp16, half)
CODES(bf16, __nv_bfloat16)

#define STEP(name, T) \
  void c##name(T* gradient, T* parameter, float* state, float rate, int n) { step(gradient, parameter, state, rate, n); }
#define STEPS_BY_TYPE(name) STEP(name##_fp32, float) STEP(name##_fp16, half) STEP(name##_bf16, __nv_bfloat16)
#define STEPS_BY_BITS(name) STEP(name##_32, float) STEP(name##_16, half)
STEPS_BY_TYPE(adam32bit_grad)
STEPS_BY_TYPE(ademamix32bit_grad)
STEPS_BY_TYPE(lion32bit_grad)
STEPS_BY_BITS(adagrad32bit_grad)
STEPS_BY_BITS(momentum32bit_grad)
STEPS_BY_BITS(rmsprop32bit_grad)
STEPS_BY_TYPE(adagrad_8bit_blockwise_grad)
STEPS_BY_TYPE(adam_8bit_blockwise_grad)
STEPS_BY_TYPE(ademamix_8bit_blockwise_grad)
STEPS_BY_TYPE(lion_8bit_blockwise_grad)
STEPS_BY_TYPE(momentum_8bit_blockwise_grad)
STEPS_BY_TYPE(rmsprop_8bit_blockwise_grad)

#define NAIVE(type, T) \
  void cgemm_4bit_inference_naive_##type(const float* code, const uint8_t* in, T* out, int n) { dequantize(code, in, out, n); }
NAIVE(fp32, float)
NAIVE(fp16, half)
NAIVE(bf16, __nv_bfloat16)

Context* get_context() { return new Context(); }

int cigemm(Context* context, int m, int n, int k, const int8_t* a, const int8_t* b, int* out) { return multiply(context, m, n, k, a, b, out); }
int cbatched_igemm(Context* context, int m, int n, int k, const int8_t* a, const int8_t* b, int* out) {
  return multiply(context, m, n, k, a, b, out);
}

#define LT(name)                                                                                                     \
  int cigemmlt_##name(Context* context, int m, int n, int k, const int8_t* a, const int8_t* b, int* out) {           \
    return multiply_lt((cublasLtHandle_t)context->handle, m, n, k, a, b, out);                                       \
  }
LT(32)
LT(8)
LT(8_rowscale)

void cfill_fp32(float* out, float value, int n) { fill(out, value, n); }
void cfill_uint8(uint8_t* out, uint8_t value, int n) { fill(out, value, n); }
void carange_fp32(float* out, float value, int n) { fill(out, value, n); }
void c_mul_fp32(float* out, float value, int n) { fill(out, value, n); }
void cdequant_mm_int32_fp16(const float* code, const uint8_t* in, half* out, int n) { dequantize(code, in, out, n); }
void cint8_vector_quant(const float* code, const half* in, uint8_t* out, int n) { quantize(code, in, out, n); }
int cprefetch(int* device) { return cudaGetDeviceCount(device); }
void* cget_managed_ptr(void* pointer) { return pointer; }

#endif
}
