// Each function computes something on the GPU and on the CPU and compares.
#ifndef SPARKWHEELS_E2E_CUDA_NUMBERS_NUMBERS_H_
#define SPARKWHEELS_E2E_CUDA_NUMBERS_NUMBERS_H_

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// What one comparison found: the largest relative error and what is allowed.
struct Outcome {
  const char* name;
  double error, limit;
};

Outcome matmul_float();
Outcome matmul_bf16();
Outcome reduce_sum();
Outcome reduce_max();
Outcome constant_and_struct();

// check ends the program when CUDA fails.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "numbers: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

// Device holds an array on the GPU.
template <typename T>
class Device {
 public:
  explicit Device(size_t count) : count_(count) { check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc"); }
  explicit Device(const std::vector<T>& from) : Device(from.size()) {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }

  T* get() { return data_; }

  // take waits for the kernels before it.
  std::vector<T> take() {
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");
    std::vector<T> to(count_);
    check(cudaMemcpy(to.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from the device");
    return to;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// noise gives the same numbers between -1 and 1 on every machine.
inline std::vector<float> noise(size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / (1 << 23) - 1.0f;
  }
  return values;
}

// worst is the largest difference in relation to the largest wanted value.
inline double worst(const std::vector<double>& want, const std::vector<float>& got) {
  double error = 0, scale = 0;
  for (size_t i = 0; i < want.size(); i++) {
    // Not std::max, which drops a NaN.
    const double difference = std::fabs(want[i] - got[i]);
    if (!(difference <= error)) error = difference;
    scale = std::fmax(scale, std::fabs(want[i]));
  }
  return error / scale;
}

#endif
