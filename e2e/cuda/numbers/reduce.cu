// Reductions: warp shuffles, shared memory, atomics.
#include <cfloat>

#include "numbers.h"

namespace {

struct Sum {
  __device__ static float join(float a, float b) { return a + b; }
  __device__ static void store(float* to, float value) { atomicAdd(to, value); }
  static constexpr float first = 0;
};

struct Max {
  __device__ static float join(float a, float b) { return fmaxf(a, b); }
  // The order of positive floats is that of their bits.
  __device__ static void store(float* to, float value) { atomicMax(reinterpret_cast<int*>(to), __float_as_int(value)); }
  static constexpr float first = 0;
};

template <typename How>
__global__ void reduce(const float* values, float* result, long long count) {
  __shared__ float warps[32];
  float mine = How::first;
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < count; i += static_cast<long long>(gridDim.x) * blockDim.x)
    mine = How::join(mine, values[i]);
  for (int offset = 16; offset > 0; offset /= 2) mine = How::join(mine, __shfl_down_sync(0xffffffffu, mine, offset));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    mine = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : How::first;
    for (int offset = 16; offset > 0; offset /= 2) mine = How::join(mine, __shfl_down_sync(0xffffffffu, mine, offset));
    if (threadIdx.x == 0) How::store(result, mine);
  }
}

constexpr long long kCount = 10'000'019;

template <typename How>
float on_device(const std::vector<float>& values) {
  Device<float> input(values), result(std::vector<float>{How::first});
  reduce<How><<<256, 512>>>(input.get(), result.get(), static_cast<long long>(values.size()));
  return result.take()[0];
}

std::vector<float> positive(unsigned seed) {
  std::vector<float> values = noise(kCount, seed);
  for (float& value : values) value = std::fabs(value);
  return values;
}

}  // namespace

Outcome reduce_sum() {
  const std::vector<float> values = positive(5);
  double want = 0;
  for (float value : values) want += value;
  return {"reduce_sum", worst({want}, {on_device<Sum>(values)}), 1e-5};
}

Outcome reduce_max() {
  std::vector<float> values = positive(6);
  values[kCount - 2] = 1.5f;
  return {"reduce_max", worst({1.5}, {on_device<Max>(values)}), 0};
}
