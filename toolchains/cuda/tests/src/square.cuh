#pragma once
#ifdef ALONE
static __device__ float square(float x) { return x * x; }
#else
__device__ float square(float x);
#endif
