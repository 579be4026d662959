"""The action that runs a PEP 517 back end: source tree in, the back end's wheel out."""

load("@bazel_lib//lib:resource_sets.bzl", "resource_set_for")
load("//toolchains/python:defs.bzl", "EXEC_TOOLCHAIN", "PythonPackageInfo", "TARGET_TOOLCHAIN", "run_python")

DRIVER_TOOLCHAIN = "//toolchains/cc:driver_toolchain_type"

PEP517_TOOLCHAINS = [
    DRIVER_TOOLCHAIN,
    EXEC_TOOLCHAIN,
    TARGET_TOOLCHAIN,
]

PEP517_ATTRS = {
    "backend": attr.string(
        doc = "Which preparation of toolchains/python/pep517/backends to use: meson-python, scikit-build-core or setuptools.",
        mandatory = True,
        values = ["meson-python", "scikit-build-core", "setuptools"],
    ),
    "build_requires": attr.label_list(
        doc = "Packages that the back end may import, of //toolchains/python/packages.",
        cfg = "exec",
        providers = [PythonPackageInfo],
    ),
    "target_requires": attr.label_list(
        doc = "Packages whose headers the target's compiler reads, of //toolchains/python/target_packages.",
        providers = [PythonPackageInfo],
    ),
    "config_settings": attr.string_list_dict(
        doc = "PEP 517 config settings; lists are appended to those of the back end's preparation.",
    ),
    "env": attr.string_dict(
        doc = "Environment variables of the build, beside those of toolchains/python/pep517/workspace.py.",
    ),
    "spoof_platform": attr.bool(
        doc = "Let sys.platform and module platform answer as the target's (toolchains/python/pep517/spoof.py).",
    ),
    "unchecked_requires": attr.string_list(
        doc = "Projects whose version need not be the one that the source asks for.",
    ),
    "memory_gb": attr.int(
        doc = "Memory that the build needs at its peak; Bazel runs fewer actions beside it.",
        default = 1,
    ),
    "jobs": attr.int(
        doc = "Compilers that the build runs at once.",
        default = 2,
    ),
    "_driver_requires": attr.label_list(
        default = ["//toolchains/python/packages:packaging"],
        cfg = "exec",
        providers = [PythonPackageInfo],
    ),
    "_main": attr.label(
        default = "//toolchains/python:pep517/main.py",
        allow_single_file = True,
    ),
    "_modules": attr.label(default = "//toolchains/python:pep517"),
}

def pep517_build(ctx, *, source):
    """Declares the action that builds a wheel from a source tree.

    Args:
      ctx: of a rule with PEP517_ATTRS and PEP517_TOOLCHAINS.
      source: File, the patched source tree.

    Returns:
      File: the wheel as the back end made it. Its name means nothing.
    """
    compiler = ctx.toolchains[DRIVER_TOOLCHAIN].zig_cc_info
    runtime = ctx.toolchains[EXEC_TOOLCHAIN].runtime
    target = ctx.toolchains[TARGET_TOOLCHAIN].target
    site = _trees(ctx.attr.build_requires + ctx.attr._driver_requires)
    target_site = _trees(ctx.attr.target_requires)
    wheel = ctx.actions.declare_file(ctx.label.name + ".built.whl")
    request = ctx.actions.declare_file(ctx.label.name + ".request.json")

    # toolchains/python/pep517/request.py says what each key is for.
    ctx.actions.write(request, json.encode_indent({
        "name": ctx.label.name,
        "backend": ctx.attr.backend,
        "source": source.path,
        "output": wheel.path,
        "platform": target.platform,
        "runtime": runtime.tree.path,
        "interpreter": "%s/%s" % (runtime.tree.path, runtime.interpreter),
        "target": target.tree.path,
        "compiler": compiler.driver.path,
        "compiler_paths": {
            "sysroot": compiler.sysroot,
            "zig": compiler.zig.path,
            "zig_lib": compiler.zig_lib.path,
        },
        "site": [tree.path for tree in site.to_list()],
        "target_site": [tree.path for tree in target_site.to_list()],
        "config_settings": ctx.attr.config_settings,
        "env": ctx.attr.env,
        "spoof_platform": ctx.attr.spoof_platform,
        "unchecked_requires": ctx.attr.unchecked_requires,
        "jobs": ctx.attr.jobs,
    }))
    args = ctx.actions.args()
    args.add(request)
    run_python(
        ctx,
        script = ctx.file._main,
        arguments = [args],
        inputs = depset(
            [request, source, target.tree],
            transitive = [site, target_site, compiler.files, ctx.attr._modules.files],
        ),
        outputs = [wheel],
        env = {},
        execution_requirements = {"block-network": ""},
        mnemonic = "Pep517Build",
        progress_message = "Building wheel %{label}",
        resource_set = resource_set_for(
            cpu_cores = ctx.attr.jobs,
            mem_mb = 1024 * ctx.attr.memory_gb,
        ),
    )
    return wheel

def _trees(packages):
    return depset(transitive = [package[PythonPackageInfo].trees for package in packages])
