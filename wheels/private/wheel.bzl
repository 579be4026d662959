"""Rules behind `pep517_wheel`: a wheel on one platform, and a wheel on all of its platforms."""

load("//toolchains/python:defs.bzl", "EXEC_TOOLCHAIN")
load("//wheels:providers.bzl", "WheelInfo", "WheelsInfo")
load(":audit.bzl", "AUDIT_ATTRS", "audit_wheel")
load(":bill.bzl", "BILL_ATTRS", "write_bill")
load(":pack.bzl", "PACK_ATTRS", "pack_wheel")
load(":pep517.bzl", "DRIVER_TOOLCHAIN", "PEP517_ATTRS", "PEP517_TOOLCHAINS", "pep517_build")
load(":provenance.bzl", "wheel_provenance")
load(":source.bzl", "SourceInfo")
load(":transition.bzl", "wheel_transition")

# The platform tag of a wheel, which says what it was audited for.
PLATFORM_TAGS = {
    "linux_aarch64": "manylinux_2_28_aarch64",
    "win_arm64": "win_arm64",
}

def _platform_wheel_impl(ctx):
    platform = ctx.attr.platform
    version = ctx.attr.version
    if ctx.attr.local_version:
        version += "+" + ctx.attr.local_version
    filename = "%s-%s-%s-%s-%s.whl" % (
        ctx.attr.distribution,
        version,
        ctx.attr.python_tag,
        ctx.attr.abi_tag,
        PLATFORM_TAGS[platform],
    )
    source = ctx.attr.source[SourceInfo]
    built = pep517_build(ctx, source = source.tree)
    bill = write_bill(
        ctx,
        source = source,
        compiler = ctx.toolchains[DRIVER_TOOLCHAIN].zig_cc_info,
        runtime = ctx.toolchains[EXEC_TOOLCHAIN].runtime,
    )
    packed = pack_wheel(
        ctx,
        backend_wheel = built,
        filename = filename,
        platform_tag = PLATFORM_TAGS[platform],
        bill = bill,
        source = source.tree,
    )
    audited = audit_wheel(ctx, packed_wheel = packed, platform = platform)
    provenance = wheel_provenance(ctx, wheel = audited.wheel, bill = bill)
    return [
        DefaultInfo(files = depset([audited.wheel])),
        OutputGroupInfo(
            built = depset([built]),
            packed = depset([packed]),
            provenance = depset([provenance]),
            report = depset([audited.report]),
        ),
        WheelInfo(
            wheel = audited.wheel,
            provenance = provenance,
            report = audited.report,
            pin = ctx.attr.pin,
            platform = platform,
            version = version,
            origin = "built",
        ),
    ]

platform_wheel = rule(
    implementation = _platform_wheel_impl,
    doc = """A wheel for one platform: built, packed, audited.

Output groups: `report` (the audit's JSON), `provenance` (the SLSA statement), `packed` (the wheel before the
audit), `built` (as the back end made it).""",
    attrs = PEP517_ATTRS | PACK_ATTRS | AUDIT_ATTRS | BILL_ATTRS | {
        "pin": attr.string(
            doc = "Name in third_party/pins.json.",
            mandatory = True,
        ),
        "source": attr.label(
            doc = "The patched source, the same for every platform.",
            cfg = "exec",
            mandatory = True,
            providers = [SourceInfo],
        ),
        "distribution": attr.string(
            doc = "The project's name as the wheel spells it.",
            mandatory = True,
        ),
        "version": attr.string(
            doc = "The pin's version.",
            mandatory = True,
        ),
        "python_tag": attr.string(
            doc = "Python tag of the wheel.",
            mandatory = True,
        ),
        "abi_tag": attr.string(
            doc = "ABI tag of the wheel.",
            mandatory = True,
        ),
        "platform": attr.string(
            doc = "The platform, by its name in //platforms: linux_aarch64 or win_arm64.",
            mandatory = True,
            values = PLATFORM_TAGS.keys(),
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
        OutputGroupInfo(report = depset([dep[WheelInfo].report for dep in ctx.attr.wheels])),
        WheelsInfo(wheels = [dep[WheelInfo] for dep in ctx.attr.wheels]),
    ]

wheel = rule(
    implementation = _wheel_impl,
    doc = "A wheel on all of its platforms. Output group `report`: the audits' JSON.",
    attrs = {
        "wheels": attr.label_list(
            doc = "The platform_wheel targets.",
            mandatory = True,
            providers = [WheelInfo],
        ),
    },
    provides = [WheelsInfo],
)
