"""Rules behind `pep517_wheel`: a wheel on one platform, and a wheel on all of its platforms."""

load("//toolchains/python:defs.bzl", "EXEC_TOOLCHAIN")
load("//wheels:providers.bzl", "WheelInfo", "WheelsInfo")
load(":bill.bzl", "BILL_ATTRS", "write_bill")
load(":finish.bzl", "FINISH_ATTRS", "finish_wheel")
load(":name.bzl", "wheel_name")
load(":pep517.bzl", "DRIVER_TOOLCHAIN", "PEP517_ATTRS", "PEP517_TOOLCHAINS", "pep517_build")
load(":source.bzl", "SourceInfo")
load(":transition.bzl", "wheel_transition")

def _platform_wheel_impl(ctx):
    source = ctx.attr.source[SourceInfo]
    bill = write_bill(
        ctx,
        patches = source.patches,
        requires = ctx.attr.build_requires,
        target_requires = ctx.attr.target_requires,
        compiler = ctx.toolchains[DRIVER_TOOLCHAIN].zig_cc_info,
        runtime = ctx.toolchains[EXEC_TOOLCHAIN].runtime,
        parameters = {
            "backend": ctx.attr.backend,
            "config_settings": ctx.attr.config_settings,
            "env": ctx.attr.env,
        },
    )
    return finish_wheel(
        ctx,
        built = pep517_build(ctx, source = source.tree),
        name = wheel_name(ctx),
        bill = bill,
        source = source.tree,
    )

platform_wheel = rule(
    implementation = _platform_wheel_impl,
    doc = """A wheel for one platform: built, packed, audited.

Output groups: `report` (the audit's JSON), `provenance` (the SLSA statement), `packed` (the wheel before the
audit), `built` (as the back end made it).""",
    attrs = PEP517_ATTRS | FINISH_ATTRS | BILL_ATTRS | {
        "source": attr.label(
            doc = "The patched source, the same for every platform.",
            cfg = "exec",
            mandatory = True,
            providers = [SourceInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = wheel_transition,
    provides = [WheelInfo],
    toolchains = PEP517_TOOLCHAINS,
)

def _wheel_impl(ctx):
    return [
        DefaultInfo(files = depset(transitive = [dep[DefaultInfo].files for dep in ctx.attr.wheels])),
        OutputGroupInfo(
            cuda_usage = depset(transitive = [
                getattr(dep[OutputGroupInfo], "cuda_usage", depset())
                for dep in ctx.attr.wheels
            ]),
            report = depset([dep[WheelInfo].report for dep in ctx.attr.wheels]),
        ),
        WheelsInfo(wheels = [dep[WheelInfo] for dep in ctx.attr.wheels]),
    ]

wheel = rule(
    implementation = _wheel_impl,
    doc = "A wheel on all of its platforms. Output group `report`: the audits' JSON.",
    attrs = {
        "wheels": attr.label_list(
            doc = "The platform_wheel and platform_native_wheel targets.",
            mandatory = True,
            providers = [WheelInfo],
        ),
    },
    provides = [WheelsInfo],
)
