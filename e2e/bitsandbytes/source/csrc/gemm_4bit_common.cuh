// What the 4-bit products share.
#ifndef GEMM_4BIT_COMMON_CUH_
#define GEMM_4BIT_COMMON_CUH_

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

// Half of a byte as a value of -1 to 1; kernels.cu has it, so that the device linker has something to do.
__device__ float nibble(uint8_t pair, int odd);

#endif
