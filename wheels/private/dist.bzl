"""`wheel_dist`: what `bazel run //wheels:dist -- [DIR]` copies out.

    load("//wheels/private:dist.bzl", "wheel_dist")

    wheel_dist(
        name = "dist",
        wheels = [":soxr", ":pywavelets"],
    )

Running it copies every wheel to DIR (default: dist/ at the root of the
workspace) and writes SHA256SUMS there; //go/cmd/dist has the particulars.
Building it builds the wheels and copies nothing.
"""

def _runfile(file):
    # Rlocation path: "../repo/x" is in another repository, "x" in the main one.
    if file.short_path.startswith("../"):
        return file.short_path.removeprefix("../")
    return "_main/" + file.short_path

def _wheel_dist_impl(ctx):
    wheels = depset([
        file
        for target in ctx.attr.wheels
        for file in target[DefaultInfo].files.to_list()
        if file.extension == "whl"
    ])
    if not wheels:
        fail("%s: none of the targets in `wheels` has a .whl among its outputs" % ctx.label)

    wheel_list = ctx.actions.declare_file(ctx.label.name + ".wheels.txt")
    lines = ctx.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all(wheels, map_each = _runfile)
    ctx.actions.write(wheel_list, lines)

    tool = ctx.executable._dist_tool
    executable = ctx.actions.declare_file(ctx.label.name + (".exe" if tool.extension == "exe" else ""))
    ctx.actions.symlink(output = executable, target_file = tool, is_executable = True)
    runfiles = ctx.runfiles([wheel_list], transitive_files = wheels)
    return [
        DefaultInfo(
            executable = executable,
            files = depset([executable], transitive = [wheels]),
            runfiles = runfiles.merge(ctx.attr._dist_tool[DefaultInfo].default_runfiles),
        ),
        RunEnvironmentInfo(environment = {"SPARKWHEELS_DIST_LIST": _runfile(wheel_list)}),
    ]

wheel_dist = rule(
    doc = """Copies wheels out when run.

Inputs: the .whl files among the outputs of `wheels`. A target that is not
compatible with this machine makes the whole rule incompatible, so list only what
can be built. Two different wheels of one name are an error when run.""",
    implementation = _wheel_dist_impl,
    attrs = {
        "wheels": attr.label_list(
            doc = "Targets whose wheels are copied.",
            mandatory = True,
            allow_files = [".whl"],
        ),
        "_dist_tool": attr.label(
            default = "//go/cmd/dist",
            cfg = "exec",  # it runs on this machine whatever --platforms says
            executable = True,
        ),
    },
    executable = True,
)
