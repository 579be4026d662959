"""The toolchain of type `//toolchains/cuda:toolchain_type`."""

load("//toolchains/cc:defs.bzl", "SysrootInfo")
load("//toolchains/cc/msvc/private:driver.bzl", "msvc_info")
load("//toolchains/cc/private:attrs.bzl", "ZIG_ATTR")
load("//toolchains/cc/private:sysroot.bzl", "SYSROOT_ATTR")

TOOLCHAIN = "//toolchains/cuda:toolchain_type"

CudaToolchainInfo = provider(
    doc = "nvcc for one target. Every path is an exec path.",
    fields = {
        "env": "dict: the environment of the driver: empty but for cl.exe.",
        "driver": "FilesToRunProvider: go/cmd/nvcc, which runs NVIDIA's nvcc.",
        "flags": "list of strings: the driver's flags that say where everything is.",
        "headers": "File: the tree of NVIDIA's headers, adapted to the target.",
        "inputs": "depset of File: what every compilation reads beside its own sources.",
        "target": "string: win_arm64 or linux_aarch64.",
        "tools": "File: the tree of NVIDIA's programs.",
        "version": "string: nvcc's version, as its pin says.",
    },
)

def _cuda_toolchain_impl(ctx):
    sysroot = ctx.attr.sysroot[SysrootInfo]
    tools = ctx.file.tools
    headers = ctx.file.headers
    return [platform_common.ToolchainInfo(
        cuda_info = CudaToolchainInfo(
            driver = ctx.attr.driver[DefaultInfo].files_to_run,
            env = {},
            flags = [
                "--tools=" + tools.path,
                "--headers=" + headers.path,
                "--target=" + sysroot.target,
                "--zig=" + ctx.file.zig.path,
                "--sysroot=" + sysroot.path,
            ],
            headers = headers,
            inputs = depset([tools, headers, ctx.file.zig, sysroot.include]),
            target = sysroot.target,
            tools = tools,
            version = ctx.attr.version,
        ),
    )]

# What every toolchain has beside its host compiler.
_ATTRS = {
    "driver": attr.label(
        doc = "The program that runs nvcc.",
        default = "//go/cmd/nvcc",
        executable = True,
        cfg = "exec",
    ),
    "headers": attr.label(
        doc = "A cuda_headers, for Visual C++ a cuda_msvc_headers.",
        mandatory = True,
        allow_single_file = True,
        cfg = "exec",
    ),
    "tools": attr.label(
        doc = "A cuda_tools.",
        mandatory = True,
        allow_single_file = True,
        cfg = "exec",
    ),
    "version": attr.string(
        doc = "nvcc's version.",
        mandatory = True,
    ),
}

cuda_toolchain = rule(
    implementation = _cuda_toolchain_impl,
    doc = """A toolchain of type `//toolchains/cuda:toolchain_type`; its `cuda_info` is a `CudaToolchainInfo`.

The host compiler is that of toolchains/cc for the same target.
""",
    attrs = SYSROOT_ATTR | ZIG_ATTR | _ATTRS,
)

def _cuda_msvc_toolchain_impl(ctx):
    compiler = msvc_info(ctx.attr.found, "win_arm64_msvc")
    tools = ctx.file.tools
    headers = ctx.file.headers
    return [platform_common.ToolchainInfo(
        cuda_info = CudaToolchainInfo(
            driver = ctx.attr.driver[DefaultInfo].files_to_run,
            # go/nvcc hands INCLUDE, LIB and PATH on to cl.exe; the versions are for the key.
            env = compiler.env,
            flags = [
                "--tools=" + tools.path,
                "--headers=" + headers.path,
                "--target=win_arm64",
                "--msvc=" + compiler.programs["cl"],
            ],
            headers = headers,
            inputs = depset([tools, headers]),
            target = "win_arm64",
            tools = tools,
            version = ctx.attr.version,
        ),
    )]

cuda_msvc_toolchain = rule(
    implementation = _cuda_msvc_toolchain_impl,
    doc = """A toolchain of type `//toolchains/cuda:toolchain_type` whose host compiler is Visual C++'s cl.exe.

It is the one of targets with //platforms:msvc; package go/nvcc has the flags.
""",
    attrs = _ATTRS | {
        "found": attr.string(
            doc = "What //toolchains/cc/msvc found, as JSON.",
            mandatory = True,
        ),
    },
)
