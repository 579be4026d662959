"""`python_runtime`: the exec interpreter, out of a pinned archive."""

load(":providers.bzl", "PythonRuntimeInfo")

def _unpack(ctx, name, archive, include, exclude = []):
    tree = ctx.actions.declare_directory(name)
    args = ctx.actions.args()
    args.add_all("--out", [tree], expand_directories = False)
    args.add_all(include, before_each = "--include")
    args.add_all(exclude, before_each = "--exclude")
    args.add(archive)
    ctx.actions.run(
        executable = ctx.executable._unpack,
        arguments = [args],
        inputs = [archive],
        outputs = [tree],
        mnemonic = "PythonUnpack",
        progress_message = "Unpacking %{input}",
    )
    return tree

def _python_runtime_impl(ctx):
    base = _unpack(
        ctx,
        ctx.label.name + ".base",
        ctx.file.archive,
        ["%s/%s" % (ctx.attr.prefix, glob) for glob in ctx.attr.include],
        ["%s/%s" % (ctx.attr.prefix, glob) for glob in ctx.attr.exclude],
    )
    tree = ctx.actions.declare_directory(ctx.label.name)
    inputs = [base, ctx.file._script]
    args = ctx.actions.args()
    args.add_all(["-I", "-S", "-B", ctx.file._script])
    args.add("--base", "%s/%s" % (base.path, ctx.attr.prefix))
    args.add_all("--out", [tree], expand_directories = False)
    args.add_all(["=".join(pair) for pair in ctx.attr.copies.items()], before_each = "--copy")
    if ctx.file.zlib:
        source = _unpack(ctx, ctx.label.name + ".zlib", ctx.file.zlib, ["*/third_party/zlib/*.[ch]"])
        args.add_all("--zlib", [source], expand_directories = False)
        args.add("--triple", ctx.attr.triple)
        args.add("--zig", ctx.file.zig)
        args.add_all("--zig-lib", [ctx.file.zig_lib], expand_directories = False)
        args.add("--version-script", ctx.file._version_script)
        inputs += [source, ctx.file.zig, ctx.file.zig_lib, ctx.file._version_script]
    ctx.actions.run(
        executable = "/".join([base.path, ctx.attr.prefix, ctx.attr.interpreter]),
        arguments = [args],
        inputs = inputs,
        outputs = [tree],
        mnemonic = "PythonRuntime",
        progress_message = "Making the exec interpreter %{label}",
    )
    return [
        DefaultInfo(files = depset([tree])),
        PythonRuntimeInfo(tree = tree, interpreter = ctx.attr.interpreter),
    ]

python_runtime = rule(
    implementation = _python_runtime_impl,
    doc = """Makes one folder with a relocatable interpreter, named after the target.

The archive is unpacked, then completed by its own interpreter with files from
elsewhere in the archive and with a zlib compiled from source. bzip2, lzma and
sqlite stay out: no build back end needs their modules.""",
    attrs = {
        "archive": attr.label(
            doc = "Archive with the interpreter.",
            allow_single_file = True,
            mandatory = True,
        ),
        "prefix": attr.string(doc = "Folder of the archive that holds the interpreter.", mandatory = True),
        "include": attr.string_list(doc = "Globs of what to unpack, below the prefix.", mandatory = True),
        "exclude": attr.string_list(doc = "Globs of what to leave out, below the prefix."),
        "interpreter": attr.string(doc = "The program, below the prefix.", mandatory = True),
        "copies": attr.string_dict(doc = "Files that are wanted at a second place: from, to, below the prefix."),
        "zlib": attr.label(doc = "Archive with zlib's sources in third_party/zlib (grpcio's sdist), where the archive lacks libz.", allow_single_file = True),
        "triple": attr.string(doc = "clang's name of the machine, for zlib."),
        "zig": attr.label(doc = "Compiler for zlib.", allow_single_file = True, cfg = "exec"),
        "zig_lib": attr.label(doc = "zig's library folder, for clang's own headers.", allow_single_file = True, cfg = "exec"),
        "_script": attr.label(default = "//toolchains/python:trees/runtime.py", allow_single_file = True),
        "_version_script": attr.label(default = "//toolchains/python:trees/zlib.map", allow_single_file = True),
        "_unpack": attr.label(default = "//go/cmd/unpack", cfg = "exec", executable = True),
    },
    provides = [PythonRuntimeInfo],
)

def _python_exec_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(runtime = ctx.attr.runtime[PythonRuntimeInfo])]

python_exec_toolchain = rule(
    implementation = _python_exec_toolchain_impl,
    doc = "Toolchain whose `runtime` field is the PythonRuntimeInfo of an interpreter that actions run.",
    attrs = {
        "runtime": attr.label(
            doc = "The interpreter; made once, whatever is built with it.",
            cfg = "exec",
            mandatory = True,
            providers = [PythonRuntimeInfo],
        ),
    },
)
