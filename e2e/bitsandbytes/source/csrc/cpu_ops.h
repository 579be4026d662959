// Blockwise codes on the CPU: a byte for a value, relative to the largest of its block.
#ifndef CPU_OPS_H_
#define CPU_OPS_H_

#include <cstdint>

// How many bits of a byte a code has: 8, or 4 of the kinds fp4 and nf4.
enum class Code { kByte = 8, kFp4 = 4, kNf4 = 5 };

struct bf16_t {
  uint16_t bits;
};
struct fp16_t {
  uint16_t bits;
};

template <typename T>
void quantize_cpu(const T* in, float* absmax, uint8_t* out, long long blocksize, long long n);

template <typename T, Code C>
void dequantize_cpu(const uint8_t* in, const float* absmax, T* out, long long blocksize, long long n);

#endif
