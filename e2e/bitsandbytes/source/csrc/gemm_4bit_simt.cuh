#ifndef GEMM_4BIT_SIMT_CUH_
#define GEMM_4BIT_SIMT_CUH_

#include "gemm_4bit_common.cuh"

template <typename T>
void launch_gemm_4bit_simt(const T* a, const uint8_t* b, T* out, int n, int k);

#endif
