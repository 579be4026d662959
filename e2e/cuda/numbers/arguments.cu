// Constant memory, and arguments of many sizes, which host and device must lay out alike.
#include "numbers.h"

namespace {

struct Mixed {
  char letter;
  long long wide;
  float real;
  double* out;
  short pair[3];
  size_t size;
};

__constant__ double table[4];

__global__ void combine(unsigned char flag, Mixed mixed, double factor, short last) {
  mixed.out[threadIdx.x] = flag + mixed.letter + mixed.wide * factor + mixed.real + mixed.pair[0] + mixed.pair[1] * mixed.pair[2] +
                           static_cast<double>(mixed.size) + last + table[threadIdx.x];
}

}  // namespace

Outcome constant_and_struct() {
  const double values[4] = {0.25, -4, 1e6, 3};
  check(cudaMemcpyToSymbol(table, values, sizeof values), "copy to constant memory");
  Device<double> result(4);
  const Mixed mixed = {'m', -(1LL << 33), 0.5f, result.get(), {-1, 200, 300}, size_t{1} << 40};
  combine<<<1, 4>>>(250, mixed, 0.125, -7);
  double error = 0;
  const std::vector<double> got = result.take();
  for (int i = 0; i < 4; i++) {
    const double want = 250 + 'm' - std::ldexp(1.0, 30) + 0.5 - 1 + 60000 + std::ldexp(1.0, 40) - 7 + values[i];
    if (!(std::fabs(got[i] - want) <= error)) error = std::fabs(got[i] - want);
  }
  return {"constant_and_struct", error, 0};
}
