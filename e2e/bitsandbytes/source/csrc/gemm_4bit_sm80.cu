#include "gemm_4bit_sm80.cuh"

// A tensor core's product of the first 16 values with 8 rows: what only code for the architecture has.
__global__ void gemm_4bit_sm80(const __nv_bfloat16* a, const uint8_t* b, float* out, int k) {
  int lane = threadIdx.x % 32;
  uint32_t left[4], right[2];
  float sum[4] = {};
  for (uint32_t& two : left) two = *reinterpret_cast<const uint32_t*>(a + lane % 4 * 2);
  for (uint32_t& two : right) {
    uint8_t pair = b[lane / 4 * k + lane % 4];
    __nv_bfloat162 values = __floats2bfloat162_rn(nibble(pair, 0), nibble(pair, 1));
    two = *reinterpret_cast<uint32_t*>(&values);
  }
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
  out[threadIdx.x] = sum[0];
}

template <>
void launch_gemm_4bit_sm80<__nv_bfloat16>(const __nv_bfloat16* a, const uint8_t* b, __nv_bfloat16* out, int n, int k) {
  gemm_4bit_sm80<<<(n + 7) / 8, 32>>>(a, b, reinterpret_cast<float*>(out), k);
}
