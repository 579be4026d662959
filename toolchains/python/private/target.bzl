"""`python_target`: headers, import libraries and build facts of a target's Python."""

load(":providers.bzl", "PythonTargetInfo")
load(":runtime_action.bzl", "EXEC_TOOLCHAIN", "run_python")

def _unpack(ctx, what, globs):
    tree = ctx.actions.declare_directory("%s.%s" % (ctx.label.name, what))
    args = ctx.actions.args()
    args.add_all("--out", [tree], expand_directories = False)
    args.add_all(globs, before_each = "--include")
    args.add(ctx.file.archive)
    ctx.actions.run(
        executable = ctx.executable._unpack,
        arguments = [args],
        inputs = [ctx.file.archive],
        outputs = [tree],
        mnemonic = "PythonUnpack",
        progress_message = "Unpacking %{input}",
    )
    return tree

def _python_target_impl(ctx):
    source = _unpack(ctx, "source", ["%s/%s" % (ctx.attr.prefix, glob) for glob in ctx.attr.include])
    tree = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add("--platform", ctx.attr.platform)
    args.add("--source", "%s/%s" % (source.path, ctx.attr.prefix))
    args.add("--headers", ctx.attr.headers)
    args.add_all("--out", [tree], expand_directories = False)
    inputs = [source]
    if ctx.attr.sysconfig:
        args.add("--sysconfig", ctx.attr.sysconfig)
    if ctx.attr.libs:
        args.add("--libs", ctx.attr.libs)
        args.add("--zig", ctx.file.zig)
        inputs.append(ctx.file.zig)
    run_python(
        ctx,
        script = ctx.file._script,
        arguments = [args],
        inputs = depset(inputs, transitive = [ctx.attr._modules.files]),
        outputs = [tree],
        mnemonic = "PythonTarget",
        progress_message = "Making Python for " + ctx.attr.platform,
    )
    return [
        DefaultInfo(files = depset([tree])),
        PythonTargetInfo(tree = tree, platform = ctx.attr.platform),
    ]

python_target = rule(
    implementation = _python_target_impl,
    doc = "Makes the folder that toolchains/python/trees/target.py describes, out of a pinned archive.",
    attrs = {
        "archive": attr.label(
            doc = "Archive with the headers.",
            allow_single_file = True,
            mandatory = True,
        ),
        "prefix": attr.string(doc = "Folder of the archive that holds the rest.", mandatory = True),
        "include": attr.string_list(doc = "Globs of what the folder is made of, below the prefix."),
        "platform": attr.string(doc = "Name in toolchains/python/pep517/target.py.", mandatory = True),
        "headers": attr.string(doc = "Folder with Python.h, below the prefix.", mandatory = True),
        "libs": attr.string(doc = "Folder with the x64 import libraries that name the symbols, below the prefix."),
        "sysconfig": attr.string(doc = "sysconfig data module to start from, below the prefix."),
        "zig": attr.label(doc = "`zig dlltool` makes the import libraries.", allow_single_file = True, cfg = "exec"),
        "_script": attr.label(default = "//toolchains/python:trees/target.py", allow_single_file = True),
        "_modules": attr.label(default = "//toolchains/python:target_modules"),
        "_unpack": attr.label(default = "//go/cmd/unpack", cfg = "exec", executable = True),
    },
    provides = [PythonTargetInfo],
    toolchains = [EXEC_TOOLCHAIN],
)

def _python_target_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(target = ctx.attr.target[PythonTargetInfo])]

python_target_toolchain = rule(
    implementation = _python_target_toolchain_impl,
    doc = "Toolchain whose `target` field is the PythonTargetInfo of the platform that is built for.",
    attrs = {
        "target": attr.label(
            doc = "The folder; the same on every platform, so it is made once.",
            cfg = "exec",
            mandatory = True,
            providers = [PythonTargetInfo],
        ),
    },
)
