"""The kernels that freetoken builds ahead of time, as targets: what freetoken/kernel/aot.py lists.

    load("//third_party/freetoken:kernels.bzl", "kernel_members", "kernels")

    kernels(name = "kernels")
    native_wheel(name = "freetoken_kernel_cache", members = kernel_members(), ...)

A kernel is a shared library with one instance of a template. freetoken looks for it under its name, in which the
template's arguments are, so the names must be upstream's to the letter: kernels_test compares them, and the source text
of each, with what upstream's modules would compile.
"""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("//toolchains/cuda:defs.bzl", "cuda_shared_library")

_STORE = [1024, 2048, 4096, 8192]

# element size: splits.
_INDEX = {
    4096: 4,
    5632: 1,
    5760: 1,
    6144: 4,
    7168: 2,
    7680: 1,
    8192: 4,
    10240: 4,
    10752: 1,
    12288: 4,
}

# Feature sizes.
_FAST_INDEX_COPY = [
    128,
    256,
    512,
    2048,
    2816,
    4096,
    5632,
    5760,
    6144,
    8192,
    10240,
    11520,
    12288,
    65536,
    123904,
    131072,
    247808,
    259200,
    262144,
    294912,
    491520,
    518400,
    524288,
    589824,
    786432,
    983040,
    991232,
    1048576,
    1115136,
    1179648,
    1572864,
    1982464,
    2097152,
    2230272,
    2359296,
    3145728,
    3932160,
    3964928,
    4147200,
    4194304,
    4718592,
    6291456,
    7864320,
    7929856,
    8294400,
    8388608,
    9437184,
    12582912,
    15728640,
    18874368,
    31457280,
]

# Blocks for each bank.
_FAST_INDEX_COPY_MULTI = [8, 64]

# What tvm_ffi.cpp.load_inline puts before a source.
_PRELUDE = [
    "#include <tvm/ffi/container/tensor.h>",
    "#include <tvm/ffi/dtype.h>",
    "#include <tvm/ffi/error.h>",
    "#include <tvm/ffi/extra/c_env_api.h>",
    "#include <tvm/ffi/function.h>",
    "",
]

# Only the platforms of wheels say which GPU they have: wildcards on other machines pass the kernels over.
_SPARK = [
    "//platforms:sm_121",
    "@platforms//os:linux",
]

# The one that is not CUDA, and a file of its own.
_RADIX = "freetoken__radix"

def _kernel(name, file, args, exports):
    """A kernel: `exports` maps exported names to functions, in which {} stands for the template's arguments."""
    return struct(
        name = "freetoken__" + "_".join([name] + [str(arg) for arg in args]),
        source = _PRELUDE + ['#include "jit/%s"' % file] + [
            "TVM_FFI_DLL_EXPORT_TYPED_FUNC(%s, (%s));" % (export, function.format(", ".join([str(arg) for arg in args])))
            for export, function in exports.items()
        ],
    )

def _fast_index_copy(size):
    threads = 8 if size <= 1024 else 16 if size <= 2048 else 32
    worker = min(size, 2048)
    for _ in range(4):
        if size % worker and worker > 128:
            worker //= 2
    return _kernel(
        "fast_index_copy",
        "fast_index_copy.cuh",
        [size, threads, worker, 1024, 4, 1],
        {
            "launch": "&FastIndexCopyKernel<{}>::run",
            "launch_high": "&FastIndexCopyKernel<{}>::run_high",
            "launch_normal": "&FastIndexCopyKernel<{}>::run_normal",
        },
    )

_KERNELS = [
    _kernel("store", "store.cu", [size, 128, 1, "false"], {"launch": "StoreKernel<{}>::run"})
    for size in _STORE
] + [
    _kernel("index", "index.cu", [size, splits, 128, 1, "false"], {"launch": "IndexKernel<{}>::run"})
    for size, splits in _INDEX.items()
] + [
    _kernel("fast_index_copy_update_flag", "fast_index_copy.cuh", [], {"update_copy_flag": "update_copy_flag"}),
] + [
    _fast_index_copy(size)
    for size in _FAST_INDEX_COPY
] + [
    _kernel("fast_index_copy_multi", "fast_index_copy.cuh", [1024, blocks], {"launch": "&MultiIndexCopyKernel<{}>::run"})
    for blocks in _FAST_INDEX_COPY_MULTI
] + [
    _kernel("batch_memcpy", "batch_memcpy.cuh", [], {"batch_memcpy": "&BatchMemcpy::run"}),
]

def kernels(name):
    """Declares a shared library for each kernel, named after it, and NAME.json: the list of them with their sources.

    Args:
      name: of the list.
    """
    deps = [
        "@freetoken_kernel_cache//:csrc",
        "@tvm_ffi_linux_aarch64//:tvm_ffi",
    ]
    for kernel in _KERNELS:
        write_file(
            name = kernel.name + ".source",
            out = kernel.name + ".cu",
            content = kernel.source + [""],
        )

        # Flags as in freetoken/kernel/utils.py.
        cuda_shared_library(
            name = kernel.name,
            srcs = [kernel.name + ".cu"],
            copts = [
                "-std=c++20",
                "-O3",
                "--expt-relaxed-constexpr",
            ],
            exports = "kernels.lds",
            linkopts = ["-s"],
            memory_gb = "0.5",
            target_compatible_with = _SPARK,
            deps = deps,
        )
    cc_binary(
        name = _RADIX,
        srcs = ["@freetoken_kernel_cache//:python/freetoken/kernel/csrc/src/radix.cpp"],
        copts = [
            "-std=c++20",
            "-O3",
        ],
        additional_linker_inputs = ["kernels.lds"],
        linkopts = [
            "-s",
            "-Wl,--version-script=$(location kernels.lds)",
        ],
        linkshared = True,
        target_compatible_with = _SPARK,
        deps = deps,
    )
    write_file(
        name = name,
        out = name + ".json",
        content = [json.encode_indent(
            {kernel.name: "\n".join(kernel.source) for kernel in _KERNELS} | {_RADIX: None},
            indent = "  ",
        ), ""],
    )

def kernel_members():
    """The kernels of `kernels` as a wheel's members: label to name in the wheel, where freetoken looks for them."""
    return {
        "//third_party/freetoken:" + name: "freetoken_kernel_cache/kernels/{0}/{0}.so".format(name)
        for name in [kernel.name for kernel in _KERNELS] + [_RADIX]
    }
