"""`exec_python_test`: unit tests that run in the exec interpreter."""

load(":providers.bzl", "PythonPackageInfo")
load(":runtime_action.bzl", "EXEC_TOOLCHAIN")

_LAUNCHER = """#!/bin/sh
# Runs {label} in the exec interpreter, with no environment but the test's own.
cd "$TEST_SRCDIR/{workspace}" || exit 1
exec env -i HOME="$TEST_TMPDIR" TMPDIR="$TEST_TMPDIR" PATH=/nonexistent PYTHONHOME="$PWD/{home}" \\
    PYTHONPATH="{path}" PYTHONDONTWRITEBYTECODE=1 {env} \\
    "$PWD/{home}/{interpreter}" -s -m unittest -v {modules}
"""

def _exec_python_test_impl(ctx):
    runtime = ctx.toolchains[EXEC_TOOLCHAIN].runtime
    packages = depset(transitive = [dep[PythonPackageInfo].trees for dep in ctx.attr.packages])
    launcher = ctx.actions.declare_file(ctx.label.name)
    path = ["$PWD/toolchains/python", "$PWD/" + ctx.label.package] + ["$PWD/" + tree.short_path for tree in packages.to_list()]
    ctx.actions.write(launcher, is_executable = True, content = _LAUNCHER.format(
        label = ctx.label,
        workspace = ctx.workspace_name,
        home = runtime.tree.short_path,
        interpreter = runtime.interpreter,
        path = ":".join(path),
        env = " ".join(['%s="$PWD/%s"' % (name, file) for name, file in _env(ctx)]),
        modules = " ".join([src.basename.removesuffix(".py") for src in ctx.files.srcs]),
    ))
    return [DefaultInfo(
        executable = launcher,
        runfiles = ctx.runfiles(
            files = ctx.files.srcs + ctx.files.data + ctx.files.trees + [runtime.tree],
            transitive_files = packages,
        ),
    )]

def _env(ctx):
    env = [(name, dep.files.to_list()[0].short_path) for dep, name in ctx.attr.trees.items()]
    if ctx.attr.runtime_variable:
        env.append((ctx.attr.runtime_variable, ctx.toolchains[EXEC_TOOLCHAIN].runtime.tree.short_path))
    return env

exec_python_test = rule(
    implementation = _exec_python_test_impl,
    doc = """Runs unittest modules in the exec interpreter.

PATH holds nothing, so a test that needs a program of the machine fails.""",
    attrs = {
        "srcs": attr.label_list(doc = "Test modules.", allow_files = [".py"], mandatory = True),
        "data": attr.label_list(doc = "Files that tests read or import.", allow_files = True),
        "packages": attr.label_list(doc = "python_package targets to import.", providers = [PythonPackageInfo], cfg = "exec"),
        "runtime_variable": attr.string(doc = "Environment variable for the path of the interpreter's folder."),
        "trees": attr.label_keyed_string_dict(doc = "Targets of one file or folder, to the environment variable that holds its path.", cfg = "exec"),
    },
    test = True,
    toolchains = [EXEC_TOOLCHAIN],
)
