"""`python_package`: a pinned wheel, unpacked, with what it needs."""

load(":providers.bzl", "PythonPackageInfo")

def _python_package_impl(ctx):
    tree = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add_all("--out", [tree], expand_directories = False)
    args.add_all(ctx.attr.include, before_each = "--include")
    args.add_all(ctx.attr.exclude, before_each = "--exclude")
    args.add(ctx.file.wheel)
    ctx.actions.run(
        executable = ctx.executable._unpack,
        arguments = [args],
        inputs = [ctx.file.wheel],
        outputs = [tree],
        mnemonic = "PythonPackage",
        progress_message = "Unpacking %{input}",
    )
    return [
        DefaultInfo(files = depset([tree])),
        PythonPackageInfo(
            trees = depset(
                [tree],
                transitive = [dep[PythonPackageInfo].trees for dep in ctx.attr.deps],
                order = "preorder",
            ),
            wheel = ctx.file.wheel,
            wheels = depset(
                [ctx.file.wheel],
                transitive = [dep[PythonPackageInfo].wheels for dep in ctx.attr.deps],
            ),
        ),
    ]

python_package = rule(
    implementation = _python_package_impl,
    doc = """Unpacks a wheel, as it is, into a folder named after the target.

Scripts, entry points and .data folders are put in place by whoever uses the
folder (toolchains/python/pep517). A wheel that is no safe archive is refused
by go/cmd/unpack.""",
    attrs = {
        "wheel": attr.label(
            doc = "The wheel, a pin of kind `backend`.",
            allow_single_file = [".whl"],
            mandatory = True,
        ),
        "deps": attr.label_list(
            doc = "Packages that the wheel requires at run time.",
            providers = [PythonPackageInfo],
        ),
        "include": attr.string_list(doc = "Globs of what to unpack; all if empty."),
        "exclude": attr.string_list(doc = "Globs of what to leave out."),
        "_unpack": attr.label(
            default = "//go/cmd/unpack",
            cfg = "exec",
            executable = True,
        ),
    },
    provides = [PythonPackageInfo],
)
