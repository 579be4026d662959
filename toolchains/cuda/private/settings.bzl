"""The architectures of targets that name none."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load(":archs.bzl", "parse_archs")

CudaArchsInfo = provider(
    doc = "The architectures that a target without `archs` compiles for.",
    fields = {"archs": "list of strings, as in the attribute `archs`."},
)

def _cuda_archs_impl(ctx):
    # Several are separated by semicolons, as in rules_cuda's flag of the same name.
    given = [word for word in ctx.attr.flag[BuildSettingInfo].value.split(";") if word]
    if given:
        _, problem = parse_archs(given)
        if problem:
            fail("--%s: %s" % (ctx.attr.flag.label, problem))
    return [CudaArchsInfo(archs = given or ctx.attr.default)]

cuda_archs = rule(
    implementation = _cuda_archs_impl,
    doc = "The value of a string_flag with architectures, separated by semicolons, or else the platform's own.",
    attrs = {
        "default": attr.string_list(
            doc = "The platform's architectures: a select() on its constraint_value of //platforms:sm.",
        ),
        "flag": attr.label(
            doc = "The string_flag.",
            mandatory = True,
            providers = [BuildSettingInfo],
        ),
    },
    provides = [CudaArchsInfo],
)
