"""The action `CudaCompile`: one .cu file in, one object, fat binary or PTX file out."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":archs.bzl", "gencode_flags", "parse_archs")
load(":memory.bzl", "memory")
load(":settings.bzl", "CudaArchsInfo")
load(":toolchain.bzl", "TOOLCHAIN")

COMPILE_ATTRS = {
    "srcs": attr.label_list(
        doc = "Sources, *.cu. Each one is compiled by an action of its own.",
        allow_files = [".cu"],
        mandatory = True,
        allow_empty = False,
    ),
    "hdrs": attr.label_list(
        doc = "Headers that sources may include, and so may what depends on the target.",
        allow_files = True,
    ),
    "textual_hdrs": attr.label_list(
        doc = "Files that sources include and that are no headers, such as *.inc or *.cuh with definitions.",
        allow_files = True,
    ),
    "deps": attr.label_list(
        doc = "cc_library and cuda_library targets whose headers are included.",
        providers = [CcInfo],
    ),
    "archs": attr.string_list(
        doc = """Architectures of the device code, each one of
`sm_121` (code for this GPU), `compute_121` (PTX), `compute_121:sm_121,compute_121` (both, as in rules_cuda); a number may have
the suffix `a` or `f`. Empty: those of --//toolchains/cuda:archs, which are the platform's by default.""",
    ),
    "copts": attr.string_list(
        doc = """Flags of nvcc, such as -std=c++20, -O3 or --expt-relaxed-constexpr; the host compiler's come after
-Xcompiler. `$(location ...)` and make variables are expanded. A flag that nvcc drops is an error.""",
    ),
    "includes": attr.string_list(
        doc = "Folders of this package to search for headers, also for what depends on the target.",
    ),
    "defines": attr.string_list(
        doc = "Macros, also for what depends on the target.",
    ),
    "local_defines": attr.string_list(
        doc = "Macros of this target alone.",
    ),
    "memory_gb": attr.string(
        doc = "Memory, in GiB, that compiling a source takes at its peak, such as 0.5 or 6.1. Bazel runs no more beside it than fits.",
        default = "1",
    ),
    "source_memory_gb": attr.string_dict(
        doc = "The same for single sources, by file name; `pins learn-memory` knows the figures. A name that is no source is an error.",
    ),
    "_archs": attr.label(
        default = "//toolchains/cuda:target_archs",
        providers = [CudaArchsInfo],
    ),
}

COMPILE_TOOLCHAINS = [TOOLCHAIN]

def archs_of(ctx):
    """The architectures of a target.

    Args:
      ctx: of a rule with COMPILE_ATTRS.

    Returns:
      list of (virtual, codes), see parse_archs. Fails with what is wrong with the attribute.
    """
    pairs, problem = parse_archs(ctx.attr.archs or ctx.attr._archs[CudaArchsInfo].archs)
    if problem:
        fail("%s: archs: %s" % (ctx.label, problem))
    return pairs

def _megabytes(label, text):
    whole, _, fraction = text.partition(".")
    if not whole.isdigit() or (fraction and not fraction.isdigit()):
        fail("%s: %r is no amount of memory: write GiB as 0.5 or 6" % (label, text))
    return int(float(text) * 1024 + 0.5)

def _megabytes_of(ctx, source):
    name = source.basename
    return _megabytes(ctx.label, ctx.attr.source_memory_gb.get(name, ctx.attr.memory_gb))

def check_memory(ctx):
    """Fails if source_memory_gb names what is no source.

    Args:
      ctx: of a rule with COMPILE_ATTRS.
    """
    names = [source.basename for source in ctx.files.srcs]
    for name in ctx.attr.source_memory_gb:
        if name not in names:
            fail("%s: source_memory_gb names %s, which is not among srcs" % (ctx.label, name))

def _folders(ctx):
    """The folders of the attribute `includes`, in the source tree and among the outputs."""
    folders = []
    package = [ctx.label.workspace_root, ctx.label.package]
    for include in ctx.attr.includes:
        path = "/".join([part for part in package + [include] if part and part != "."]) or "."
        folders += [path, ctx.bin_dir.path + "/" + path]
    return folders

def compilation_context_of(ctx, deps):
    """The headers that a target's sources, and what depends on the target, may include.

    Args:
      ctx: of a rule with COMPILE_ATTRS.
      deps: targets with CcInfo.

    Returns:
      CompilationContext.
    """
    roots = [".", ctx.bin_dir.path]
    if ctx.label.workspace_root:
        roots += [ctx.label.workspace_root, ctx.bin_dir.path + "/" + ctx.label.workspace_root]
    own = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs + ctx.files.textual_hdrs),
        system_includes = depset(_folders(ctx)),
        quote_includes = depset(roots),
        defines = depset(ctx.attr.defines),
    )
    return cc_common.merge_compilation_contexts(
        compilation_contexts = [own] + [dep[CcInfo].compilation_context for dep in deps],
    )

def copts_of(ctx):
    """The target's own flags, with locations and make variables expanded.

    Args:
      ctx: of a rule with COMPILE_ATTRS.

    Returns:
      list of strings.
    """
    targets = ctx.attr.srcs + ctx.attr.hdrs + ctx.attr.textual_hdrs
    return [
        ctx.expand_make_variables("copts", ctx.expand_location(opt, targets), {})
        for opt in ctx.attr.copts
    ]

_MODE = {
    "dbg": ["-g", "-lineinfo"],
    "fastbuild": [],
    "opt": ["-O3", "-DNDEBUG"],
}

def cuda_compile(ctx, *, source, kind, extension, compilation_context, archs):
    """Declares the action that compiles one source.

    Args:
      ctx: of a rule with COMPILE_ATTRS and COMPILE_TOOLCHAINS.
      source: File, *.cu.
      kind: what to make: object, relocatable, fatbin or ptx (go/nvcc, Kinds).
      extension: of the output, such as ".o".
      compilation_context: CompilationContext of the headers that the source may include.
      archs: list of (virtual, codes).

    Returns:
      struct(output, usage): Files; `usage` says in JSON what the compilation took (go/nvcc, Usage).
    """
    toolchain = ctx.toolchains[TOOLCHAIN].cuda_info

    # Two sources of a target may have the same name in different folders.
    stem = "_cuda/%s/%s" % (ctx.label.name, source.short_path.removeprefix("../").removesuffix(".cu"))
    output = ctx.actions.declare_file(stem + extension)
    usage = ctx.actions.declare_file(stem + extension + ".usage.json")
    args = ctx.actions.args()
    args.add("--kind", kind)
    args.add_all(toolchain.flags)
    args.add("--output", output)
    args.add("--usage", usage)
    args.add("--")
    args.add_all(gencode_flags(archs))
    args.add_all(_MODE[ctx.var["COMPILATION_MODE"]])
    args.add_all(compilation_context.defines, before_each = "-D")
    args.add_all(compilation_context.local_defines, before_each = "-D")
    args.add_all(ctx.attr.local_defines, before_each = "-D")
    args.add_all(compilation_context.quote_includes, before_each = "-I")
    args.add_all(compilation_context.includes, before_each = "-I")
    args.add_all(compilation_context.system_includes, before_each = "-isystem")
    args.add_all(compilation_context.external_includes, before_each = "-isystem")
    args.add_all(copts_of(ctx))
    args.add(source)
    ctx.actions.run(
        executable = toolchain.driver,
        env = toolchain.env,
        arguments = [args],
        inputs = depset([source], transitive = [compilation_context.headers, toolchain.inputs]),
        outputs = [output, usage],
        mnemonic = "CudaCompile",
        progress_message = "Compiling %s for %s" % (source.short_path, ",".join([code for _, codes in archs for code in codes])),
        resource_set = memory(_megabytes_of(ctx, source)),
        toolchain = TOOLCHAIN,
    )
    return struct(output = output, usage = usage)
