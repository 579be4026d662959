// numbers: computes on the GPU what the CPU can compute too, and prints how far
// they are apart. Exit codes: 0 all right, 1 an error is too large, 3 CUDA failed.
#include "numbers.h"

int main() {
  cudaDeviceProp device;
  int runtime = 0, driver = 0;
  check(cudaGetDeviceProperties(&device, 0), "no GPU");
  check(cudaRuntimeGetVersion(&runtime), "version");
  check(cudaDriverGetVersion(&driver), "version");
  std::printf("%s, sm_%d%d, runtime %d, driver %d\n", device.name, device.major, device.minor, runtime, driver);
  int failed = 0;
  for (Outcome (*compute)() : {matmul_float, matmul_bf16, reduce_sum, reduce_max, constant_and_struct}) {
    const Outcome outcome = compute();
    const bool good = outcome.error <= outcome.limit;  // false for a NaN
    std::printf("%-20s error %.3g, limit %.3g: %s\n", outcome.name, outcome.error, outcome.limit, good ? "right" : "WRONG");
    failed |= !good;
  }
  return failed;
}
