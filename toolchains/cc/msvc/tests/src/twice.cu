__global__ void twice(int *value) { *value *= 2; }
