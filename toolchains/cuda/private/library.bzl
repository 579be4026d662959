"""The rules `cuda_library` and `cuda_object`: objects with device code in them."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":compile.bzl", "COMPILE_ATTRS", "COMPILE_TOOLCHAINS", "archs_of", "check_memory", "compilation_context_of", "cuda_compile")
load(":device_link.bzl", "CudaDeviceInfo", "device_link")

LIBRARY_ATTRS = COMPILE_ATTRS | {
    "rdc": attr.bool(
        doc = """Compile relocatable device code: kernels may call device functions and use device variables of
other sources. Costs a device link, of this target's sources and those of its `deps` with `rdc`.""",
    ),
    "alwayslink": attr.bool(
        doc = """Keep every object in what links the library, even if nothing refers to it. True by default, unlike in
cc_library: an object registers its kernels in a constructor, to which nothing refers.""",
        default = True,
    ),
    "linkopts": attr.string_list(
        doc = "Flags of what links the library.",
    ),
    "_runtime": attr.label(
        doc = "The CUDA runtime library, which every object with kernels calls.",
        default = "//toolchains/cuda:runtime",
        providers = [CcInfo],
    ),
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
}

LIBRARY_TOOLCHAINS = COMPILE_TOOLCHAINS + use_cc_toolchain()

def features_of(ctx):
    """The C++ toolchain and what it is asked for.

    Args:
      ctx: of a rule with LIBRARY_ATTRS.

    Returns:
      (cc_toolchain, feature_configuration).
    """
    cc_toolchain = find_cc_toolchain(ctx)
    return cc_toolchain, cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

def compile_library(ctx):
    """Declares the actions that compile a target's sources.

    Args:
      ctx: of a rule with LIBRARY_ATTRS and LIBRARY_TOOLCHAINS.

    Returns:
      struct(compilation_context, objects, usages, device): the CompilationContext for dependants; lists of Files; the
      CudaDeviceInfo.
    """
    check_memory(ctx)
    archs = archs_of(ctx)
    context = compilation_context_of(ctx, ctx.attr.deps + [ctx.attr._runtime])
    compiled = [
        cuda_compile(
            ctx,
            source = source,
            kind = "relocatable" if ctx.attr.rdc else "object",
            extension = ".o",
            compilation_context = context,
            archs = archs,
        )
        for source in ctx.files.srcs
    ]
    objects = [c.output for c in compiled]
    usages = [c.usage for c in compiled]
    relocatable = depset(
        objects if ctx.attr.rdc else [],
        transitive = [dep[CudaDeviceInfo].objects for dep in ctx.attr.deps if CudaDeviceInfo in dep],
    )
    if ctx.attr.rdc:
        objects = objects + [device_link(ctx, objects = relocatable, archs = archs)]
    return struct(
        compilation_context = context,
        objects = objects,
        usages = usages,
        device = CudaDeviceInfo(objects = relocatable),
    )

def _cuda_library_impl(ctx):
    compiled = compile_library(ctx)
    cc_toolchain, features = features_of(ctx)
    objects = depset(compiled.objects)
    linking_context, outputs = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        name = ctx.label.name,
        feature_configuration = features,
        cc_toolchain = cc_toolchain,
        # The host code is position-independent in any case.
        compilation_outputs = cc_common.create_compilation_outputs(objects = objects, pic_objects = objects),
        user_link_flags = ctx.attr.linkopts,
        linking_contexts = [dep[CcInfo].linking_context for dep in ctx.attr.deps + [ctx.attr._runtime]],
        alwayslink = ctx.attr.alwayslink,
        disallow_dynamic_library = True,
    )
    library = outputs.library_to_link
    return [
        DefaultInfo(files = depset([library.pic_static_library or library.static_library])),
        CcInfo(compilation_context = compiled.compilation_context, linking_context = linking_context),
        compiled.device,
        OutputGroupInfo(
            compilation_outputs = objects,
            cuda_usage = depset(compiled.usages),
        ),
    ]

cuda_library = rule(
    implementation = _cuda_library_impl,
    doc = """A static library of CUDA sources, for `deps` of cc_* and cuda_* rules.

    cuda_library(
        name = "kernels",
        srcs = ["scale.cu"],
        hdrs = ["scale.h"],
        copts = ["-std=c++17"],
    )

C++ sources belong into a cc_library. The output group `cuda_usage` holds what each compilation took.
""",
    attrs = LIBRARY_ATTRS,
    toolchains = LIBRARY_TOOLCHAINS,
    fragments = ["cpp"],
    provides = [CcInfo, CudaDeviceInfo],
)

def _cuda_object_impl(ctx):
    compiled = compile_library(ctx)
    return [
        DefaultInfo(files = depset(compiled.objects)),
        CcInfo(compilation_context = compiled.compilation_context),
        compiled.device,
        OutputGroupInfo(cuda_usage = depset(compiled.usages)),
    ]

cuda_object = rule(
    implementation = _cuda_object_impl,
    doc = """The objects of CUDA sources by themselves, for a build system that links them.

What is linked with them must link the CUDA runtime too: //toolchains/cuda:runtime.
""",
    attrs = LIBRARY_ATTRS,
    toolchains = LIBRARY_TOOLCHAINS,
    fragments = ["cpp"],
    provides = [CcInfo, CudaDeviceInfo],
)
