"""The toolchain type for rules that run a whole foreign build, such as a PEP 517 back end."""

load(":attrs.bzl", "DRIVER_ATTR", "ZIG_ATTR", "ZIG_LIB_ATTR")
load(":sysroot.bzl", "SYSROOT_ATTR", "SysrootInfo")

ZigCcInfo = provider(
    doc = """What a rule needs to let a foreign build system compile for the target.

Put copies of, or links to, `driver` into a folder under the names cc, c++, ar, ranlib, strip, windres and dlltool,
and beside them a file ccdriver.json that names `zig`, `zig_lib`, `sysroot` and `target` (see go/ccdriver, type Config).
Every path is an exec path.
""",
    fields = {
        "driver": "File: the gcc-like driver.",
        "zig": "File: zig's executable.",
        "zig_lib": "File: zig's library folder; only resource scripts (windres) need it, so it is not among `files`.",
        "sysroot": "string: exec path of the sysroot's folder.",
        "target": "string: the driver's name of the target, win_arm64 or linux_aarch64.",
        "triple": "string: the GNU triple of the target, for configure scripts and cross files.",
        "files": "depset of File: the driver, zig and the whole sysroot; the inputs of an action that compiles and links.",
    },
)

def _zig_cc_driver_toolchain_impl(ctx):
    sysroot = ctx.attr.sysroot[SysrootInfo]
    return [platform_common.ToolchainInfo(
        zig_cc_info = ZigCcInfo(
            driver = ctx.executable.driver,
            zig = ctx.file.zig,
            zig_lib = ctx.file.zig_lib,
            sysroot = sysroot.path,
            target = sysroot.target,
            triple = ctx.attr.triple,
            files = depset([ctx.executable.driver, ctx.file.zig, sysroot.include, sysroot.lib]),
        ),
    )]

zig_cc_driver_toolchain = rule(
    implementation = _zig_cc_driver_toolchain_impl,
    doc = """A toolchain of type `//toolchains/cc:driver_toolchain_type`; its `zig_cc_info` is a `ZigCcInfo`.

In a rule: `toolchains = ["//toolchains/cc:driver_toolchain_type"]`, then
`ctx.toolchains["//toolchains/cc:driver_toolchain_type"].zig_cc_info`.
""",
    attrs = DRIVER_ATTR | SYSROOT_ATTR | ZIG_ATTR | ZIG_LIB_ATTR | {
        "triple": attr.string(
            doc = "The GNU triple of the target.",
            mandatory = True,
        ),
    },
)
