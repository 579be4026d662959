/* The same as cublas.c for cuBLASLt. */
#include <stdio.h>

#include "export.h"

/* The descriptions that are there. */
static int descriptions;

EXPORT int cublasLtMatmulDescCreate(void **description, int compute, int scale) {
  descriptions++;
  *description = &descriptions;
  fprintf(stderr, "cublas: describe compute=%d scale=%d\n", compute, scale);
  return 0;
}

EXPORT int cublasLtMatmulDescDestroy(void *description) {
  (void)description;
  fprintf(stderr, "cublas: %d descriptions left\n", --descriptions);
  return 0;
}

EXPORT int cublasLtMatmul(void *handle, void *description, const void *alpha, const void *a, void *a_layout, const void *b, void *b_layout,
                          const void *beta, const void *c, void *c_layout, void *d, void *d_layout, const void *algorithm, void *workspace,
                          size_t size, void *stream) {
  (void)handle, (void)a, (void)a_layout, (void)b, (void)b_layout, (void)c_layout, (void)d_layout, (void)algorithm, (void)workspace, (void)stream;
  fprintf(stderr, "cublas: matmul described=%d alpha=%d beta=%d workspace=%zu in place=%d\n", description != NULL, *(const int *)alpha,
          *(const int *)beta, size, c == d);
  return 0;
}
