"""CUDA rules and their toolchain: NVIDIA's nvcc on pinned packages, for both Spark platforms.

    load("//toolchains/cuda:defs.bzl", "cuda_library")

    cuda_library(
        name = "scale",
        srcs = ["scale.cu"],
        hdrs = ["scale.h"],
    )

Names and attributes are those of rules_cuda wherever the meaning is the same. Every source is compiled by an action of
its own, in a sandbox that shows it its declared headers, NVIDIA's and the target's sysroot; device code is for the
platform's GPU (constraint setting //platforms:sm) unless `archs` or --//toolchains/cuda:archs say otherwise.

`cuda_toolchains` declares what MODULE.bazel registers with

    register_toolchains("//toolchains/cuda:all")
"""

load("//third_party:repositories.bzl", "PINS")
load("//toolchains/cc:defs.bzl", "EXEC")
load("//toolchains/cc/msvc:defs.bzl", "MSVC_TARGETS")
load("//toolchains/cuda/private:archs.bzl", _parse_archs = "parse_archs")
load("//toolchains/cuda/private:component.bzl", _cuda_component = "cuda_component")
load("//toolchains/cuda/private:fatbin.bzl", _cuda_fatbin = "cuda_fatbin")
load("//toolchains/cuda/private:library.bzl", _cuda_library = "cuda_library", _cuda_object = "cuda_object")
load("//toolchains/cuda/private:shared_library.bzl", _cuda_shared_library = "cuda_shared_library")
load("//toolchains/cuda/private:toolchain.bzl", "cuda_msvc_toolchain", "cuda_toolchain", _CudaToolchainInfo = "CudaToolchainInfo")
load("//toolchains/cuda/private:toolkit.bzl", "cuda_headers", "cuda_msvc_headers", "cuda_tools")

CudaToolchainInfo = _CudaToolchainInfo
cuda_component = _cuda_component
cuda_fatbin = _cuda_fatbin
cuda_library = _cuda_library
cuda_object = _cuda_object
cuda_shared_library = _cuda_shared_library
parse_archs = _parse_archs

# The machines that nvcc runs on with the host compiler of toolchains/cc. On Windows it takes none but cl.exe.
_EXEC = {machine: constraints for machine, constraints in EXEC.items() if machine.startswith("linux")}

# Where a component is: the pin on the Python index, and the one of NVIDIA's archives, by platform.
_PYPI = {
    "cccl": "nvidia_cuda_cccl",
    "crt": "nvidia_cuda_crt",
    "cudart": "nvidia_cuda_runtime",
    "nvcc": "nvidia_cuda_nvcc",
    "nvvm": "nvidia_nvvm",
}
_REDIST = {
    "cccl": "cccl",
    "crt": "cuda_crt",
    "cudart": "cuda_cudart",
    "nvcc": "cuda_nvcc",
    "nvvm": "libnvvm",
}

# NVIDIA's names of platforms: machines that compile, and targets.
_REDIST_PLATFORM = {
    "linux_aarch64": "linux_sbsa",
    "linux_x86_64": "linux_x86_64",
    "win_arm64": "windows_arm64",
    "windows_arm64": "windows_arm64",
    "windows_x86_64": "windows_x86_64",
}

# What nvcc needs each component for, as go/pins and go/toolkit say it too.
_NEEDS = {
    "cccl": "cuda_runtime.h's own headers include <cuda/std/...> from it",
    "crt": "crt/host_runtime.h and crt/host_config.h are included into every compilation",
    "cudart": "cuda_runtime.h is included into every .cu file, and programs link its runtime",
    "nvcc": "it holds nvcc itself, cudafe++, ptxas and fatbinary",
    "nvvm": "it holds cicc, which compiles device code to PTX",
}

def toolkit_pin(component, platform, redist = False):
    """The pin of a component of the toolkit.

    Args:
      component: cccl, crt, cudart, nvcc or nvvm.
      platform: a machine that compiles or a target, such as linux_x86_64 or win_arm64.
      redist: of NVIDIA's own archives instead of the Python index.

    Returns:
      The pin's name. Fails if there is none, with what nvcc needs the component for.
    """
    if redist:
        pin = "%s_%s" % (_REDIST[component], _REDIST_PLATFORM[platform])
    else:
        pin = "%s_%s" % (_PYPI[component], "windows_arm64" if platform == "win_arm64" else platform)
    if pin not in PINS:
        fail("third_party/pins.json has no pin %s: nvcc needs the component %s, since %s" % (pin, component, _NEEDS[component]))
    return pin

def toolkit_package(component, platform):
    """The package of a component of the toolkit; --//toolchains/cuda:packages chooses where it is from.

    Args:
      component: cccl, crt, cudart, nvcc or nvvm.
      platform: a machine that compiles or a target.

    Returns:
      A select() of labels.
    """
    return select({
        "//toolchains/cuda:from_redist": "@pins//:" + toolkit_pin(component, platform, redist = True),
        "//conditions:default": "@pins//:" + toolkit_pin(component, platform),
    })

def cuda_toolchains(name, targets):
    """Declares the toolkit's trees, and a toolchain for each target on each machine that nvcc runs on.

    Args:
      name: prefix of what is declared: NAME_tools_EXEC, NAME_headers_TARGET, NAME_TARGET.on_EXEC.
      targets: dict, name of a target that go/cmd/toolkit knows to its constraints.
    """

    # Manual: `bazel build //...` would make them for its own configuration, which nothing uses.
    tags = ["manual"]
    for machine in _EXEC:
        cuda_tools(
            name = "%s_tools_%s" % (name, machine),
            nvcc = toolkit_package("nvcc", machine),
            nvvm = toolkit_package("nvvm", machine),
            tags = tags,
        )
    for target, constraints in targets.items():
        cuda_headers(
            name = "%s_headers_%s" % (name, target),
            cccl = toolkit_package("cccl", target),
            crt = toolkit_package("crt", target),
            cudart = toolkit_package("cudart", target),
            sysroot = "//toolchains/cc:%s_sysroot" % target,
            tags = tags,
        )
        for machine, exec_constraints in _EXEC.items():
            cuda_toolchain(
                name = "%s_%s_%s" % (name, target, machine),
                headers = "%s_headers_%s" % (name, target),
                sysroot = "//toolchains/cc:%s_sysroot" % target,
                tags = tags,
                tools = "%s_tools_%s" % (name, machine),
                version = PINS[toolkit_pin("nvcc", machine)].version,
                zig = "//toolchains/cc:zig",
            )
            native.toolchain(
                name = "%s_%s.on_%s" % (name, target, machine),
                exec_compatible_with = exec_constraints,
                target_compatible_with = constraints,
                toolchain = "%s_%s_%s" % (name, target, machine),
                toolchain_type = "//toolchains/cuda:toolchain_type",
            )

def cuda_msvc_toolchains(name, found):
    """Declares the toolchain whose host compiler is Visual C++, and the trees that it takes.

    Args:
      name: prefix of what is declared: NAME_tools, NAME_headers, NAME_toolchain and NAME_toolchain.toolchain.
      found: VISUAL_CPP of @visual_cpp//:found.bzl. Where something is missing, nothing is declared.
    """
    if found.missing:
        return
    tags = ["manual"]
    cuda_tools(
        name = name + "_tools",
        nvcc = toolkit_package("nvcc", found.host),
        nvvm = toolkit_package("nvvm", found.host),
        tags = tags,
    )
    cuda_msvc_headers(
        name = name + "_headers",
        cccl = toolkit_package("cccl", "win_arm64"),
        crt = toolkit_package("crt", "win_arm64"),
        cudart = toolkit_package("cudart", "win_arm64"),
        tags = tags,
    )
    cuda_msvc_toolchain(
        name = name + "_toolchain",
        found = json.encode(found),
        headers = name + "_headers",
        tags = tags,
        tools = name + "_tools",
        version = PINS[toolkit_pin("nvcc", found.host)].version,
    )
    native.toolchain(
        name = name + "_toolchain.toolchain",
        exec_compatible_with = EXEC[found.host],
        target_compatible_with = MSVC_TARGETS["win_arm64_msvc"],
        toolchain = name + "_toolchain",
        toolchain_type = "//toolchains/cuda:toolchain_type",
    )
