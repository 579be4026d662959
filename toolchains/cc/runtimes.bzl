"""The libraries that the linker of a target may add to a binary, for SBOMs.

A runtime is inside a wheel when one of its `markers` is in a binary; one without markers is inside of every wheel with
a binary. `text` is where its licence lies in ziglang's wheel (//toolchains/cc:licenses).
"""

_LLVM = "22.1.8"
_ZIG = "0.17.0"

_LLVM_LICENSE = "Apache-2.0 WITH LLVM-exception"

_COMMON = [
    struct(name = "compiler-rt", version = _ZIG, license = "MIT", text = "ziglang/LICENSE", markers = []),
    struct(name = "libcxx", version = _LLVM, license = _LLVM_LICENSE, text = "libcxx/LICENSE.TXT", markers = ["NSt3__1", "libc++abi"]),
    struct(name = "libcxxabi", version = _LLVM, license = _LLVM_LICENSE, text = "libcxxabi/LICENSE.TXT", markers = ["libc++abi"]),
    struct(name = "libunwind", version = _LLVM, license = _LLVM_LICENSE, text = "libunwind/LICENSE.TXT", markers = ["libunwind"]),
]

# By target, as the driver names it.
RUNTIMES = {
    "linux_aarch64": _COMMON,
    "win_arm64": _COMMON + [
        struct(name = "mingw-w64", version = "15.0.0", license = "ZPL-2.1", text = "mingw/COPYING", markers = ["Mingw-w64"]),
    ],
}
