"""bitsandbytes' two libraries, in the package that holds its sources, and the wheel around them.

The overlay of the pinned commit calls `bitsandbytes`, and so does the fixture in //e2e/bitsandbytes/source, which has files
of the same names: what is tested on the fixture is this file, not a copy of it.

Which sources belong to which library, the flags and the exports are those of upstream's CMakeLists.txt, csrc/ and wheels
of 0.50.1, as far as they can be read where this was made: the commit itself was never fetched.
"""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@rules_cc//cc:defs.bzl", "cc_library", "cc_shared_library")
load("//toolchains/cuda:defs.bzl", "cuda_shared_library")

_TYPES = [
    "bf16",
    "fp16",
    "fp32",
]

_CPU_EXPORTS = [
    function % type
    for function in [
        "cdequantize_blockwise_cpu_%s",
        "cdequantize_blockwise_cpu_fp4_%s",
        "cdequantize_blockwise_cpu_nf4_%s",
        "cquantize_blockwise_cpu_%s",
    ]
    for type in _TYPES
]

# What functional.py and cextension.py look up, and what else pythonInterface.cpp declares extern "C".
_CUDA_EXPORTS = _CPU_EXPORTS + [
    "c%s_blockwise_%s%s" % (verb, type, code)
    for verb in [
        "dequantize",
        "quantize",
    ]
    for type in _TYPES
    for code in [
        "",
        "_fp4",
        "_nf4",
    ]
] + [
    "cgemm_4bit_%s%s" % (kind, type)
    for kind in [
        "",
        "inference_naive_",
    ]
    for type in _TYPES
] + [
    "c%s_8bit_blockwise_grad_%s" % (optimizer, type)
    for optimizer in [
        "adagrad",
        "adam",
        "ademamix",
        "lion",
        "momentum",
        "rmsprop",
    ]
    for type in _TYPES
] + [
    "c%s32bit_grad_%s" % (optimizer, type)
    for optimizer in [
        "adam",
        "ademamix",
        "lion",
    ]
    for type in _TYPES
] + [
    "c%s32bit_grad_%s" % (optimizer, bits)
    for optimizer in [
        "adagrad",
        "momentum",
        "rmsprop",
    ]
    for bits in [
        "16",
        "32",
    ]
] + [
    "c_mul_fp32",
    "carange_fp32",
    "cbatched_igemm",
    "cdequant_mm_int32_fp16",
    "cfill_fp32",
    "cfill_uint8",
    "cget_managed_ptr",
    "cigemm",
    "cigemmlt_32",
    "cigemmlt_8",
    "cigemmlt_8_rowscale",
    "cint8_vector_quant",
    "cprefetch",
    "get_context",
]

# By the name that Python looks for: cextension.py takes the CUDA version from it.
_CPU, _CUDA = "libbitsandbytes_cpu", "libbitsandbytes_cuda134"

_WINDOWS = Label("@platforms//os:windows")

# Only the platforms of wheels say which GPU they have: wildcards on other machines pass the libraries over.
_SPARK = [Label("//platforms:sm_121")]

_COPTS = ["-std=c++17"]

def _file_name(library):
    return select({
        _WINDOWS: library + ".dll",
        "//conditions:default": library + ".so",
    })

def _exports(name, functions):
    """Declares NAME.def and NAME.lds, which export the functions and nothing else."""
    write_file(
        name = name + "_def",
        out = name + ".def",
        content = ["EXPORTS"] + ["  " + function for function in functions] + [""],
    )
    write_file(
        name = name + "_lds",
        out = name + ".lds",
        content = ["{", "  global:"] + ["    %s;" % function for function in functions] + ["  local:", "    *;", "};", ""],
    )

def bitsandbytes(blas):
    """Declares the targets of the package that has bitsandbytes' csrc and bitsandbytes folders.

    `libbitsandbytes_cpu` and `libbitsandbytes_cuda134` are shared libraries with the functions that Python calls; `package`
    is the Python package.

    The CPU's functions are compiled without OpenMP, which the target's compiler does not have: they run on one core.

    Args:
      blas: label of a library to link that has cuBLAS's and cuBLASLt's headers and functions, and CUDA's headers.
    """
    native.filegroup(
        name = "package",
        srcs = native.glob(
            ["bitsandbytes/**"],
            exclude = ["bitsandbytes/libbitsandbytes_*"],
        ),
    )
    cc_library(
        name = "csrc",
        hdrs = native.glob([
            "csrc/*.cuh",
            "csrc/*.h",
        ]),
        includes = ["csrc"],
    )

    _exports(_CPU, _CPU_EXPORTS)
    _host(name = "cpu_host")
    cc_shared_library(
        name = _CPU,
        additional_linker_inputs = [_CPU + ".lds"],
        shared_lib_name = _file_name(_CPU),
        target_compatible_with = _SPARK,
        user_link_flags = select({
            _WINDOWS: [],
            "//conditions:default": ["-Wl,--version-script=$(location %s.lds)" % _CPU],
        }) + ["-s"],
        win_def_file = select({
            _WINDOWS: _CPU + ".def",
            "//conditions:default": None,
        }),
        deps = [":cpu_host"],
    )

    _exports(_CUDA, _CUDA_EXPORTS)
    _host(
        name = "cuda_host",
        local_defines = ["BUILD_CUDA"],
        deps = [blas],
    )

    # CUDA_SEPARABLE_COMPILATION is on upstream.
    cuda_shared_library(
        name = _CUDA,
        srcs = ["csrc/%s.cu" % source for source in [
            "gemm_4bit",
            "gemm_4bit_simt",
            "gemm_4bit_sm75",
            "gemm_4bit_sm80",
            "kernels",
            "ops",
        ]],
        copts = _COPTS + [
            "-O3",
            "--use_fast_math",
        ],
        exports = select({
            _WINDOWS: _CUDA + ".def",
            "//conditions:default": _CUDA + ".lds",
        }),
        linkopts = ["-s"],
        local_defines = ["BUILD_CUDA"],
        # A guess: see docs/cuda.md for how to measure.
        memory_gb = "2",
        rdc = True,
        shared_lib_name = _file_name(_CUDA),
        target_compatible_with = _SPARK,
        deps = [
            blas,
            ":csrc",
            ":cuda_host",
        ],
    )

def _host(name, deps = [], **kwargs):
    """Declares the C++ half of a library."""
    cc_library(
        name = name,
        srcs = [
            "csrc/cpu_ops.cpp",
            "csrc/pythonInterface.cpp",
        ],
        copts = _COPTS + ["-O3"],
        target_compatible_with = _SPARK,
        deps = deps + [":csrc"],
        # Nothing but the list of exports refers to the functions.
        alwayslink = True,
        **kwargs
    )

def bitsandbytes_wheel(sources, folder = ""):
    """Attributes of the wheel.

    Args:
      sources: label of the package in which `bitsandbytes` declared the libraries, with a colon at its end.
      folder: the path of that package in its repository.

    Returns:
      struct of attributes of native_wheel (wheels/defs.bzl), each for both platforms.
    """

    def members(extension):
        return {sources + library: "bitsandbytes/%s.%s" % (library, extension) for library in [_CPU, _CUDA]}

    return struct(
        allowed_imports = {
            "linux_aarch64": [
                "libcublas.so.13",
                "libcublasLt.so.13",
                "libcudart.so.13",
            ],
            "win_arm64": [
                "cublas64_13.dll",
                "cublasLt64_13.dll",
                "cudart64_13.dll",
            ],
        },
        host_members = {
            "linux_aarch64": ["bitsandbytes/%s.so" % _CPU],
            "win_arm64": ["bitsandbytes/%s.dll" % _CPU],
        },
        licences = {sources + "LICENSE": "LICENSE"},
        members = select({
            _WINDOWS: members("dll"),
            "//conditions:default": members("so"),
        }),
        pure = {sources + "package": folder},
        sm = {
            "linux_aarch64": ["sm_121"],
            "win_arm64": ["sm_121"],
        },
    )
