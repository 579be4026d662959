"""The rule behind `native_wheel`: a wheel on one platform, put together from targets."""

load("//wheels:providers.bzl", "WheelInfo")
load(":assemble.bzl", "ASSEMBLE_ATTRS", "assemble_wheel")
load(":bill.bzl", "BILL_ATTRS", "write_bill")
load(":finish.bzl", "FINISH_ATTRS", "finish_wheel")
load(":name.bzl", "wheel_name")
load(":pep517.bzl", "DRIVER_TOOLCHAIN")
load(":transition.bzl", "optimised_wheel_transition")

def _platform_native_wheel_impl(ctx):
    name = wheel_name(ctx)
    bill = write_bill(
        ctx,
        compiler = ctx.toolchains[DRIVER_TOOLCHAIN].zig_cc_info,
        cuda = bool(ctx.attr.sm.get(ctx.attr.platform)),
    )
    usages = [
        getattr(member[OutputGroupInfo], "cuda_usage", depset())
        for member in ctx.attr.members
        if OutputGroupInfo in member
    ]
    return finish_wheel(
        ctx,
        built = assemble_wheel(ctx, tags = name.tags),
        name = name,
        bill = bill,
        cuda_usage = depset(transitive = usages),
    )

platform_native_wheel = rule(
    implementation = _platform_native_wheel_impl,
    doc = """A wheel for one platform: assembled, packed, audited.

What it depends on is compiled for the platform with --compilation_mode=opt. Output groups: `report` (the audit's
JSON), `packed` (the wheel before the audit), `built` (as assembled), `cuda_usage` (what compiling members' CUDA sources
took, where a member is a cuda_* target).""",
    attrs = ASSEMBLE_ATTRS | FINISH_ATTRS | BILL_ATTRS | {
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = optimised_wheel_transition,
    provides = [WheelInfo],
    toolchains = [DRIVER_TOOLCHAIN],
)
