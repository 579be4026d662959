// Which of the products runs, by type.
#include "gemm_4bit_simt.cuh"
#include "gemm_4bit_sm75.cuh"
#include "gemm_4bit_sm80.cuh"

extern "C" void cgemm_4bit_fp32(const float* a, const uint8_t* b, float* out, int n, int k) { launch_gemm_4bit_simt(a, b, out, n, k); }

extern "C" void cgemm_4bit_fp16(const half* a, const uint8_t* b, half* out, int n, int k) { launch_gemm_4bit_sm75(a, b, out, n, k); }

extern "C" void cgemm_4bit_bf16(const __nv_bfloat16* a, const uint8_t* b, __nv_bfloat16* out, int n, int k) {
  launch_gemm_4bit_sm80(a, b, out, n, k);
}
