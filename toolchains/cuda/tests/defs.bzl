"""Rules for the tests of the CUDA toolchain."""

load("@bazel_skylib//lib:paths.bzl", "paths")
load("//toolchains/cc/tests:defs.bzl", "PLATFORM_ATTRS", "to_platform")

_TOOLCHAIN = "//toolchains/cuda:toolchain_type"
_DRIVER = "//toolchains/cc:driver_toolchain_type"

def _nvcc_files_impl(ctx):
    cuda = ctx.toolchains[_TOOLCHAIN].cuda_info
    cc = ctx.toolchains[_DRIVER].zig_cc_info
    runfile = lambda file: paths.normalize(paths.join(ctx.workspace_name, file.short_path))  # short paths of repositories start with ../
    params = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(params, json.encode({
        "driver": runfile(cuda.driver.executable),
        "cc": runfile(cc.driver),
        "tools": runfile(cuda.tools),
        "headers": runfile(cuda.headers),
        "zig": runfile(cc.zig),
        "include": runfile([f for f in cc.files.to_list() if f.basename == "include"][0]),
        "target": cuda.target,
        "version": cuda.version,
    }))
    return [DefaultInfo(
        files = depset([params]),
        runfiles = ctx.runfiles(files = [params, cuda.driver.executable], transitive_files = depset(transitive = [cuda.inputs, cc.files])),
    )]

nvcc_files = rule(
    implementation = _nvcc_files_impl,
    doc = "All that the CUDA toolchain of a platform consists of, as runfiles, and NAME.json that says where each lies.",
    attrs = PLATFORM_ATTRS,
    cfg = to_platform,
    toolchains = [_TOOLCHAIN, _DRIVER],
)
