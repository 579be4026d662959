/* What cublas.c has, declared as in NVIDIA's cublas_v2.h: half a gigabyte that tests need not fetch. */
#ifndef SPARKWHEELS_E2E_CUDA_FAKE_CUBLAS_V2_H_
#define SPARKWHEELS_E2E_CUDA_FAKE_CUBLAS_V2_H_

#include <library_types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasContext *cublasHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS = 0 } cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0 } cublasOperation_t;
typedef enum { CUBLAS_COMPUTE_32I = 72 } cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1 } cublasGemmAlgo_t;

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType a_type, int lda, const void *b, cudaDataType b_type, int ldb, const void *beta,
                            void *c, cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif

#endif
