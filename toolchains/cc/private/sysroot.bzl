"""The rule `sysroot`: a target's headers and runtimes, made once by an action."""

load(":attrs.bzl", "ZIG_ATTR", "ZIG_LIB_ATTR")

SysrootInfo = provider(
    doc = "A target's C and C++ sysroot, in the two halves that actions need separately.",
    fields = {
        "include": "File: the tree of headers, which compile actions need.",
        "lib": "File: the tree of runtimes and import libraries, which link actions need.",
        "path": "string: the folder that holds both, for the driver's flag --sysroot.",
        "target": "string: the driver's name of the target.",
    },
)

def _resources(_os, _inputs):
    # zig compiles the runtimes on all cores that it finds; Bazel must not run much beside it.
    return {"cpu": 2, "memory": 2000}

def _sysroot_impl(ctx):
    include = ctx.actions.declare_directory(ctx.label.name + "/include")
    lib = ctx.actions.declare_directory(ctx.label.name + "/lib")
    path = include.dirname
    args = ctx.actions.args()
    args.add("make")
    args.add("--zig", ctx.file.zig)
    args.add("--zig-lib", ctx.file.zig_lib.path)
    args.add("--target", ctx.attr.target)
    args.add("--out", path)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [args],
        inputs = [ctx.file.zig, ctx.file.zig_lib],
        outputs = [include, lib],
        mnemonic = "Sysroot",
        progress_message = "Making the sysroot of %s (minutes, once)" % ctx.attr.target,
        resource_set = _resources,
    )
    return [
        DefaultInfo(files = depset([include, lib])),
        SysrootInfo(include = include, lib = lib, path = path, target = ctx.attr.target),
    ]

sysroot = rule(
    implementation = _sysroot_impl,
    doc = """Makes a target's sysroot from zig's distribution (`go/cmd/sysroot`).

It takes minutes, so depend on it with `cfg = "exec"` only: in another configuration it would be made again.
""",
    attrs = ZIG_ATTR | ZIG_LIB_ATTR | {
        "target": attr.string(
            doc = "The target, by the name that `sysroot make --target` knows.",
            mandatory = True,
        ),
        "_tool": attr.label(
            default = "//go/cmd/sysroot",
            executable = True,
            cfg = "exec",
        ),
    },
    provides = [SysrootInfo],
)

# For rules that use one.
SYSROOT_ATTR = {
    "sysroot": attr.label(
        doc = "The target's sysroot.",
        mandatory = True,
        providers = [SysrootInfo],
        cfg = "exec",
    ),
}
