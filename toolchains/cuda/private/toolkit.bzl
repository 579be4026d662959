"""The rules `cuda_tools` and `cuda_headers`: the toolkit's packages, laid out once by an action."""

load("//toolchains/cc:defs.bzl", "SysrootInfo")
load("//toolchains/cc/private:sysroot.bzl", "SYSROOT_ATTR")

# Licence: the packages are NVIDIA's. Each user fetches them; no cache that others read gets what is made of them.
_NVIDIA = {"no-remote-cache": "1"}

_TOOL = {
    "_tool": attr.label(
        default = "//go/cmd/toolkit",
        executable = True,
        cfg = "exec",
    ),
}

def _package(doc):
    return attr.label(doc = doc, mandatory = True, allow_single_file = True, cfg = "exec")

def _lay_out(ctx, command, packages, extra = None, inputs = []):
    tree = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add(command)
    for name in packages:
        args.add("--" + name, getattr(ctx.file, name))
    if extra:
        args.add_all(extra)
    args.add_all("--out", [tree], expand_directories = False)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = depset([getattr(ctx.file, name) for name in packages] + inputs),
        outputs = [tree],
        mnemonic = "CudaToolkit",
        progress_message = "Laying out the CUDA toolkit %{label}",
        execution_requirements = _NVIDIA,
    )
    return [DefaultInfo(files = depset([tree]))]

def _cuda_tools_impl(ctx):
    return _lay_out(ctx, "tools", ["nvcc", "nvvm"])

cuda_tools = rule(
    implementation = _cuda_tools_impl,
    doc = "The tree of the compiler's programs (package go/toolkit, Tools). Depend on it with `cfg = \"exec\"`.",
    attrs = _TOOL | {
        "nvcc": _package("The component with nvcc, cudafe++, ptxas and fatbinary, for the machine that compiles."),
        "nvvm": _package("The component with cicc, for the machine that compiles."),
    },
)

def _cuda_headers_impl(ctx):
    sysroot = ctx.attr.sysroot[SysrootInfo]
    return _lay_out(
        ctx,
        "headers",
        ["crt", "cudart", "cccl"],
        extra = ["--target", sysroot.target, "--sysroot", sysroot.path],
        inputs = [sysroot.include],
    )

cuda_headers = rule(
    implementation = _cuda_headers_impl,
    doc = """The tree of headers for one target (package go/toolkit, Headers): `cuda`, `cuda/cccl` and `overlay`.

Depend on it with `cfg = "exec"`: in another configuration it would be made again.
""",
    attrs = _TOOL | SYSROOT_ATTR | {
        "crt": _package("The component with crt/host_runtime.h, for the target."),
        "cudart": _package("The component with cuda_runtime.h, for the target."),
        "cccl": _package("The component with cuda/std, for the target."),
    },
)

def _cuda_msvc_headers_impl(ctx):
    return _lay_out(ctx, "headers", ["crt", "cudart", "cccl"], extra = ["--target", "win_arm64_msvc"])

cuda_msvc_headers = rule(
    implementation = _cuda_msvc_headers_impl,
    doc = """The same tree for Visual C++, which needs no adapted headers and no sysroot: `cuda` and `cuda/cccl`.

Depend on it with `cfg = "exec"`: in another configuration it would be made again.
""",
    attrs = _TOOL | {
        "crt": _package("The component with crt/host_runtime.h, for the target."),
        "cudart": _package("The component with cuda_runtime.h, for the target."),
        "cccl": _package("The component with cuda/std, for the target."),
    },
)
