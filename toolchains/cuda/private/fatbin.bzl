"""The rule `cuda_fatbin`: device code by itself."""

load(":compile.bzl", "COMPILE_ATTRS", "COMPILE_TOOLCHAINS", "archs_of", "check_memory", "compilation_context_of", "cuda_compile")

def _cuda_fatbin_impl(ctx):
    check_memory(ctx)
    archs = archs_of(ctx)
    context = compilation_context_of(ctx, ctx.attr.deps)
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
