/* What cublasLt.c has, declared as in NVIDIA's cublasLt.h. */
#ifndef SPARKWHEELS_E2E_CUDA_FAKE_CUBLASLT_H_
#define SPARKWHEELS_E2E_CUDA_FAKE_CUBLASLT_H_

#include <cublas_v2.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescription *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout *cublasLtMatrixLayout_t;
struct CUstream_st;

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *description, cublasComputeType_t compute, cudaDataType_t scale);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description);
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void *alpha, const void *a,
                              cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout, const void *beta,
                              const void *c, cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
                              const void *algorithm, void *workspace, size_t size, struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#endif
