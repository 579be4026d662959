"""What ggml/cmake/common.cmake defines for GGML_CUDA_FA_QUANTS=f16-f16: which types of cache attention has kernels for."""

_TYPES = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "BF16", "F16"]

FA_QUANTS_DEFINES = ['GGML_CUDA_FA_QUANTS="f16-f16"'] + [
    "GGML_CUDA_FA_%s_%s=%d" % (k, v, 1 if k == "F16" and v == "F16" else 0)
    for k in _TYPES
    for v in _TYPES
]
