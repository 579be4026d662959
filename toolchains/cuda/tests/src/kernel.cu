#ifdef INCLUDES
#include <square.cuh>
#else
#include "toolchains/cuda/tests/src/square.cuh"
#endif

__global__ void squares(float *x) { x[threadIdx.x] = square(x[threadIdx.x]); }

extern "C" int run_squares(float *x, int n) {
  squares<<<1, n>>>(x);
  return int(cudaGetLastError());
}
