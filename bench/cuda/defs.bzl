"""`pretended_compiles`: actions that take the time and ask for the memory of compilations, and do nothing."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//toolchains/cuda/private:memory.bzl", "memory")

def _pretended_compiles_impl(ctx):
    outputs = []
    for kind, (count, milliseconds, megabytes) in json.decode(ctx.attr.kinds).items():
        for i in range(int(count)):
            output = ctx.actions.declare_file("%s/%s.%d.json" % (ctx.label.name, kind, i))
            outputs.append(output)
            ctx.actions.run(
                executable = ctx.executable._pretend,
                # The run's name makes each run a new one.
                arguments = [output.path, str(milliseconds), str(megabytes), ctx.attr._run[BuildSettingInfo].value],
                outputs = [output],
                mnemonic = "PretendedCompile",
                execution_requirements = {"no-cache": "1", "no-sandbox": "1"},
                resource_set = memory(int(megabytes)) if ctx.attr.honest else None,
            )
    return [DefaultInfo(files = depset(outputs))]

pretended_compiles = rule(
    implementation = _pretended_compiles_impl,
    doc = "One action per compilation; each writes when it began and ended.",
    attrs = {
        "kinds": attr.string(
            doc = "JSON: name of a kind to its number of compilations, and the milliseconds and megabytes of one.",
            mandatory = True,
        ),
        "honest": attr.bool(
            doc = "Whether the actions say what memory they take, as CudaCompile does.",
        ),
        "_pretend": attr.label(
            default = "//bench/cuda/pretend",
            executable = True,
            cfg = "exec",
        ),
        "_run": attr.label(default = "//bench/cuda:run"),
    },
)
