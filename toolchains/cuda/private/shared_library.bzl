"""The rule `cuda_shared_library`: a DLL or shared object with device code in it."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":library.bzl", "LIBRARY_ATTRS", "LIBRARY_TOOLCHAINS", "compile_library", "features_of")
load(":toolchain.bzl", "TOOLCHAIN")

def _check_exports(ctx, *, definition, library):
    """Declares the action that holds a DLL's exports against the .def file; the build of whatever needs the DLL runs it."""
    stamp = ctx.actions.declare_file(ctx.label.name + ".exports.ok")
    args = ctx.actions.args()
    args.add("--def", definition)
    args.add("--image", library)
    args.add("--stamp", stamp)
    ctx.actions.run(
        executable = ctx.executable._exports,
        arguments = [args],
        inputs = [definition, library],
        outputs = [stamp],
        mnemonic = "CudaExports",
        progress_message = "Comparing exports of %{label}",
    )
    return stamp

def _cuda_shared_library_impl(ctx):
    windows = ctx.toolchains[TOOLCHAIN].cuda_info.target.startswith("win")
    compiled = compile_library(ctx) if ctx.files.srcs else None
    cc_toolchain, features = features_of(ctx)
    flags = list(ctx.attr.linkopts)
    inputs = list(ctx.files.additional_linker_inputs)
    exports = ctx.file.exports
    if exports:
        if windows != (exports.extension == "def"):
            fail("%s: exports: %s is for %s; this platform takes %s" % (
                ctx.label,
                exports.short_path,
                "Windows" if exports.extension == "def" else "ELF platforms",
                "a module definition file, *.def" if windows else "a version script, *.lds or *.map",
            ))
        flags.append("-Wl,--def=" + exports.path if windows else "-Wl,--version-script=" + exports.path)
        inputs.append(exports)
    objects = depset(compiled.objects if compiled else [])
    prefix, suffix = ("", ".dll") if windows else ("lib", ".so")
    file_name = ctx.attr.shared_lib_name or prefix + ctx.label.name + suffix
    linked = cc_common.link(
        name = file_name.removeprefix(prefix).removesuffix(suffix),
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = cc_toolchain,
        output_type = "dynamic_library",
        link_deps_statically = True,
        compilation_outputs = cc_common.create_compilation_outputs(objects = objects, pic_objects = objects),
        linking_contexts = [dep[CcInfo].linking_context for dep in ctx.attr.deps + [ctx.attr._runtime]],
        user_link_flags = [ctx.expand_location(flag, ctx.attr.additional_linker_inputs) for flag in flags],
        additional_inputs = inputs,
    )
    library = linked.library_to_link.resolved_symlink_dynamic_library or linked.library_to_link.dynamic_library
    if library.basename != file_name:
        # Bazel's linker names its outputs by the toolchain's pattern only.
        linked_file = library
        library = ctx.actions.declare_file(file_name)
        ctx.actions.symlink(output = library, target_file = linked_file)
    interface = linked.library_to_link.interface_library
    validation = [_check_exports(ctx, definition = exports, library = library)] if exports and windows else []
    return [
        DefaultInfo(files = depset([library])),
        OutputGroupInfo(
            _validation = depset(validation),
            cuda_usage = depset(compiled.usages if compiled else []),
            interface_library = depset([interface] if interface else []),
        ),
    ]

cuda_shared_library = rule(
    implementation = _cuda_shared_library_impl,
    doc = """A shared library of CUDA sources and of all that `deps` hold, with the CUDA runtime as a shared library.

    cuda_shared_library(
        name = "bolt",
        srcs = ["gemm.cu"],
        exports = "bolt.def",
    )
""",
    attrs = LIBRARY_ATTRS | {
        "srcs": attr.label_list(
            doc = "Sources, *.cu. Each one is compiled by an action of its own. May be empty if `deps` have some.",
            allow_files = [".cu"],
        ),
        "exports": attr.label(
            doc = """What the library exports: a module definition file (*.def) for Windows, a version script (*.lds, *.map)
for ELF. Without it, an ELF library exports all that has default visibility, and a DLL what is declared so, or all if nothing is.
A DLL that exports other names than its file says, as sources with dllexport make it, is an error of the build.""",
            allow_single_file = [".def", ".lds", ".map"],
        ),
        "shared_lib_name": attr.string(
            doc = "File name; NAME.dll or libNAME.so if empty.",
        ),
        "_exports": attr.label(
            default = "//go/cmd/exports",
            executable = True,
            cfg = "exec",
        ),
        "additional_linker_inputs": attr.label_list(
            doc = "Files that `linkopts` name by `$(location ...)`.",
            allow_files = True,
        ),
    },
    toolchains = LIBRARY_TOOLCHAINS,
    fragments = ["cpp"],
)
