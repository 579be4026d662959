"""The module extension `fake_visual_cpp`: the repository rule on a machine that a test makes up.

The trees are files, and vswhere is a program that runs: all but Microsoft's own vswhere is what happens on Windows.
"""

load("//toolchains/cc/msvc/private:discover.bzl", "vswhere_args")
load("//toolchains/cc/msvc/private:repository.bzl", "write_found")
load(":machine.bzl", "FILES", "vswhere_answer")

# It prints what vswhere would, and refuses what vswhere is not asked.
_VSWHERE = """#!/bin/sh
case "$*" in
"{arm64}") echo '{arm64_answer}' ;;
"{any}") echo '{answer}' ;;
*) echo "not expected: $*" >&2; exit 87 ;;
esac
"""

def _impl(rctx):
    root = str(rctx.path("root"))
    for name, text in FILES.items():
        if not rctx.attr.without or rctx.attr.without not in name:
            rctx.file("root" + name, text)
    answer = vswhere_answer(root)
    rctx.file("vswhere", _VSWHERE.format(
        arm64 = " ".join(vswhere_args(True)),
        arm64_answer = answer if rctx.attr.arm64 else "[]",
        any = " ".join(vswhere_args(False)),
        answer = answer,
    ))
    write_found(rctx, {
        "SPARKWHEELS_VSWHERE": str(rctx.path("vswhere")),
        "SPARKWHEELS_WINDOWS_KITS": root + "/Kits",
        "SPARKWHEELS_WINDOWS_MACHINE": rctx.attr.machine,
        "SystemRoot": "C:\\Windows",
    } if not rctx.os.name.startswith("windows") else {})

_fake = repository_rule(
    implementation = _impl,
    attrs = {
        "arm64": attr.bool(default = True),
        "machine": attr.string(mandatory = True),
        "without": attr.string(),
    },
)

def _fake_visual_cpp_impl(_mctx):
    _fake(name = "fake_visual_cpp_arm64", machine = "arm64")
    _fake(name = "fake_visual_cpp_x64", machine = "amd64")

fake_visual_cpp = module_extension(
    implementation = _fake_visual_cpp_impl,
    doc = "Repositories that //toolchains/cc/msvc/tests reads.",
)
