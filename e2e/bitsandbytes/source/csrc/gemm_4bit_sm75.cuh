#ifndef GEMM_4BIT_SM75_CUH_
#define GEMM_4BIT_SM75_CUH_

#include "gemm_4bit_common.cuh"

template <typename T>
void launch_gemm_4bit_sm75(const T* a, const uint8_t* b, T* out, int n, int k);

#endif
