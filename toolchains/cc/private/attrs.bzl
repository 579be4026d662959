"""Attributes that rules about zig's compiler share; the sysroot's is in sysroot.bzl."""

ZIG_ATTR = {
    "zig": attr.label(
        doc = "zig's executable.",
        mandatory = True,
        allow_single_file = True,
        cfg = "exec",
    ),
}

ZIG_LIB_ATTR = {
    "zig_lib": attr.label(
        doc = "zig's library folder, as one source directory.",
        mandatory = True,
        allow_single_file = True,
        cfg = "exec",
    ),
}

DRIVER_ATTR = {
    "driver": attr.label(
        doc = "The gcc-like driver (go/cmd/ccdriver).",
        mandatory = True,
        executable = True,
        cfg = "exec",
    ),
}
