/* A cuBLAS that multiplies nothing and tells what it was asked to do, on
 * standard error in lines that begin with "cublas: ". cublas_v2.h here and
 * NVIDIA's declare its functions. */
#include <stdio.h>

#include "export.h"

EXPORT int cublasCreate_v2(void **handle) {
  static int context;
  *handle = &context;
  fprintf(stderr, "cublas: create\n");
  return 0;
}

EXPORT int cublasGemmEx(void *handle, int transa, int transb, int m, int n, int k, const void *alpha, const void *a, int a_type, int lda,
                        const void *b, int b_type, int ldb, const void *beta, void *c, int c_type, int ldc, int compute, int algorithm) {
  (void)a, (void)b, (void)c, (void)algorithm;
  if (!handle) return 1; /* CUBLAS_STATUS_NOT_INITIALIZED */
  fprintf(stderr, "cublas: gemm %d,%d,%d trans=%d,%d types=%d,%d,%d lead=%d,%d,%d compute=%d alpha=%d beta=%d\n", m, n, k, transa, transb,
          a_type, b_type, c_type, lda, ldb, ldc, compute, *(const int *)alpha, *(const int *)beta);
  return 0;
}
