"""The rule `sysroot_half`: one of the two trees of a sysroot."""

load(":sysroot.bzl", "SysrootInfo")

def _impl(ctx):
    return [DefaultInfo(files = depset([getattr(ctx.attr.sysroot[SysrootInfo], ctx.attr.half)]))]

sysroot_half = rule(
    implementation = _impl,
    doc = """Only the headers or only the libraries of a sysroot, so that an action's sandbox holds what it needs.

It stays in the configuration that asks: cc_toolchain asks in the one of its tools.
""",
    attrs = {
        "half": attr.string(
            doc = "Which half.",
            mandatory = True,
            values = ["include", "lib"],
        ),
        "sysroot": attr.label(
            doc = "The sysroot.",
            mandatory = True,
            providers = [SysrootInfo],
        ),
    },
)
