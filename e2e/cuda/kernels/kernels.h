/* What the library of kernels.cu exports: each function returns a cudaError_t. */
#ifndef SPARKWHEELS_E2E_CUDA_KERNELS_H_
#define SPARKWHEELS_E2E_CUDA_KERNELS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define EXTERN extern "C"
#else
#define EXTERN extern
#endif
#ifdef _WIN32
#define EXPORT EXTERN __declspec(dllexport)
#else
#define EXPORT EXTERN __attribute__((visibility("default")))
#endif

enum { TABLE_SIZE = 8 };

/* Members in an order that needs padding; native is 32 bits long on Windows. */
typedef struct {
  char letter;
  int64_t wide;
  size_t size;
  long native;
  float real;
  double* out;
  short pair[3];
} Mixed;

EXPORT int launch_narrow(float* out, int64_t n, size_t stride, long scale, int offset, void* stream);
EXPORT int launch_nested(unsigned char flag, const Mixed* mixed, double factor);
EXPORT int launch_fill(double* out, double value);
EXPORT int set_table(const float* values, size_t from, size_t count);
EXPORT int device_count(int* count);

#endif
