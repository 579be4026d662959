#include "cpu_ops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

float widen(float x) { return x; }
float widen(bf16_t x) {
  uint32_t bits = (uint32_t)x.bits << 16;
  float y;
  std::memcpy(&y, &bits, sizeof y);
  return y;
}
float widen(fp16_t x) {
  _Float16 h;
  std::memcpy(&h, &x.bits, sizeof h);
  return (float)h;
}

void narrow(float x, float* y) { *y = x; }
void narrow(float x, bf16_t* y) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  y->bits = (uint16_t)(bits >> 16);
}
void narrow(float x, fp16_t* y) {
  _Float16 h = (_Float16)x;
  std::memcpy(&y->bits, &h, sizeof h);
}

constexpr int steps(Code c) { return c == Code::kByte ? 127 : c == Code::kFp4 ? 6 : 7; }

}  // namespace

template <typename T>
void quantize_cpu(const T* in, float* absmax, uint8_t* out, long long blocksize, long long n) {
  for (long long first = 0; first < n; first += blocksize) {
    long long end = std::min(n, first + blocksize);
    float most = 0;
    for (long long i = first; i < end; i++) most = std::max(most, std::fabs(widen(in[i])));
    absmax[first / blocksize] = most;
    for (long long i = first; i < end; i++) out[i] = (uint8_t)(127 + std::lround(most ? widen(in[i]) / most * 127 : 0));
  }
}

template <typename T, Code C>
void dequantize_cpu(const uint8_t* in, const float* absmax, T* out, long long blocksize, long long n) {
  for (long long i = 0; i < n; i++) narrow(((float)in[i] - steps(C)) / steps(C) * absmax[i / blocksize], &out[i]);
}

#define CODES(T)                                                                                     \
  template void quantize_cpu<T>(const T*, float*, uint8_t*, long long, long long);                   \
  template void dequantize_cpu<T, Code::kByte>(const uint8_t*, const float*, T*, long long, long long); \
  template void dequantize_cpu<T, Code::kFp4>(const uint8_t*, const float*, T*, long long, long long);  \
  template void dequantize_cpu<T, Code::kNf4>(const uint8_t*, const float*, T*, long long, long long);
CODES(float)
CODES(bf16_t)
CODES(fp16_t)
