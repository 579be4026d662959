#include "hidden.cuh"
__global__ void k() {}
