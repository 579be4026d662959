"""The rule `cuda_fatbin`: device code by itself."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":compile.bzl", "COMPILE_ATTRS", "COMPILE_TOOLCHAINS", "archs_of", "check_memory", "cuda_compile")

def _cuda_fatbin_impl(ctx):
    check_memory(ctx)
    archs = archs_of(ctx)
    context = cc_common.merge_compilation_contexts(compilation_contexts = [
        cc_common.create_compilation_context(
            headers = depset(ctx.files.hdrs + ctx.files.textual_hdrs),
            quote_includes = depset([".", ctx.bin_dir.path]),
            defines = depset(ctx.attr.defines),
        ),
    ] + [dep[CcInfo].compilation_context for dep in ctx.attr.deps])
    compiled = [
        cuda_compile(
            ctx,
            source = source,
            kind = "fatbin",
            extension = ".fatbin",
            compilation_context = context,
            archs = archs,
        )
        for source in ctx.files.srcs
    ]
    return [
        DefaultInfo(files = depset([c.output for c in compiled])),
        OutputGroupInfo(cuda_usage = depset([c.usage for c in compiled])),
    ]

cuda_fatbin = rule(
    implementation = _cuda_fatbin_impl,
    doc = "One fat binary per source, as cuModuleLoadData takes it: device code without host code.",
    attrs = COMPILE_ATTRS,
    toolchains = COMPILE_TOOLCHAINS,
)
