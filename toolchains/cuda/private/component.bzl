"""The rule `cuda_component`: a library of the toolkit to link against, such as cuBLAS."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":toolchain.bzl", "TOOLCHAIN")

def _linker_input(ctx, links):
    """What dependants link: import libraries as libraries, stubs as flags.

    cc_shared_library drops what has flags alone. For ELF it must be flags all the same: Bazel gives what links an
    interface library a RUNPATH to where that lay, which would be in the wheel.
    """
    if links[0].extension != "lib":
        return cc_common.create_linker_input(
            owner = ctx.label,
            user_link_flags = [link.path for link in links],
            additional_inputs = depset(links),
        )
    cc_toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    return cc_common.create_linker_input(
        owner = ctx.label,
        libraries = depset([
            cc_common.create_library_to_link(
                actions = ctx.actions,
                cc_toolchain = cc_toolchain,
                feature_configuration = features,
                interface_library = link,
            )
            for link in links
        ]),
    )

def _cuda_component_impl(ctx):
    headers = None
    outputs = []
    args = ctx.actions.args()
    args.add("component")
    args.add("--package", ctx.file.package)
    args.add("--zig", ctx.file._zig)
    links = []
    for library in ctx.attr.libraries:
        extension = ".lib" if library.endswith(".dll") else ""
        link = ctx.actions.declare_file("%s/%s%s" % (ctx.label.name, library, extension))
        links.append(link)
        args.add("--library", link, format = library + "=%s")
    outputs += links
    if ctx.attr.headers:
        headers = ctx.actions.declare_directory(ctx.label.name + "/include")
        outputs.append(headers)
        args.add_all("--headers", [headers], expand_directories = False)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = [ctx.file.package, ctx.file._zig],
        outputs = outputs,
        mnemonic = "CudaComponent",
        progress_message = "Reading the exports of %{input}",
        # The package is NVIDIA's, and so are the headers.
        execution_requirements = {"no-remote-cache": "1"},
    )

    # What nvcc's toolchain has beside the component: cuda_runtime.h, which nearly every header of NVIDIA includes.
    own = ctx.toolchains[TOOLCHAIN].cuda_info.headers
    folders = [headers.path] if headers else []
    files = [headers] if headers else []
    linker_input = _linker_input(ctx, links)
    return [
        DefaultInfo(files = depset(links)),
        CcInfo(
            compilation_context = cc_common.create_compilation_context(
                headers = depset(files + [own]),
                system_includes = depset(folders + [own.path + "/cuda", own.path + "/cuda/cccl"]),
            ),
            linking_context = cc_common.create_linking_context(linker_inputs = depset([linker_input])),
        ),
    ]

cuda_component = rule(
    implementation = _cuda_component_impl,
    doc = """A shared library of NVIDIA's that code links against and another package brings at run time.

An action makes an import library of a DLL, and for ELF a stub, from the library's own export table; so neither a
library of half a gigabyte nor a file of NVIDIA's is an input of a link. Dependants may include the component's
headers and the CUDA runtime's. For ELF a cc_shared_library passes components over, as it does all that is a flag to the
linker: name them in its user_link_flags, or use cuda_shared_library.

    cuda_component(
        name = "cublas",
        libraries = ["cublas64_13.dll"],
        package = "@pins//:nvidia_cublas_windows_arm64",
    )
""",
    attrs = {
        "package": attr.label(
            doc = "The component: a wheel of the Python index or one of NVIDIA's archives, for the target.",
            mandatory = True,
            allow_single_file = True,
        ),
        "libraries": attr.string_list(
            doc = "File names of the shared libraries in it, such as cublas64_13.dll or libcublas.so.13.",
            mandatory = True,
            allow_empty = False,
        ),
        "headers": attr.bool(
            doc = "Whether the component has headers of its own.",
            default = True,
        ),
        "_tool": attr.label(
            default = "//go/cmd/toolkit",
            executable = True,
            cfg = "exec",
        ),
        "_zig": attr.label(
            default = "//toolchains/cc:zig",
            allow_single_file = True,
            cfg = "exec",
        ),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = [TOOLCHAIN] + use_cc_toolchain(),
    fragments = ["cpp"],
    provides = [CcInfo],
)
