"""The last steps of every wheel, whoever built it: pack, audit, provenance, providers."""

load("//wheels:providers.bzl", "WheelInfo")
load(":audit.bzl", "AUDIT_ATTRS", "audit_wheel")
load(":name.bzl", "NAME_ATTRS")
load(":pack.bzl", "PACK_ATTRS", "pack_wheel")
load(":provenance.bzl", "wheel_provenance")

FINISH_ATTRS = PACK_ATTRS | AUDIT_ATTRS | NAME_ATTRS

def finish_wheel(ctx, *, built, name, bill, source = None, cuda_usage = depset()):
    """Declares the actions that pack and audit a wheel.

    Args:
      ctx: of a rule with FINISH_ATTRS.
      built: File, the wheel as it was built. Its name means nothing.
      name: what wheel_name returned.
      bill: what write_bill returned.
      source: File, the patched source tree, whose licence texts the wheel must hold; None if the wheel has them all.
      cuda_usage: depset of File, what compilations of CUDA sources took (toolchains/cuda).

    Returns:
      The providers of a rule for a wheel on one platform.
    """
    packed = pack_wheel(
        ctx,
        backend_wheel = built,
        filename = name.file,
        platform_tag = name.platform_tag,
        bill = bill,
        source = source,
    )
    audited = audit_wheel(ctx, packed_wheel = packed, platform = ctx.attr.platform)
    provenance = wheel_provenance(ctx, wheel = audited.wheel, bill = bill)
    return [
        DefaultInfo(files = depset([audited.wheel])),
        OutputGroupInfo(
            built = depset([built]),
            cuda_usage = cuda_usage,
            packed = depset([packed]),
            provenance = depset([provenance]),
            report = depset([audited.report]),
        ),
        WheelInfo(
            wheel = audited.wheel,
            provenance = provenance,
            report = audited.report,
            pin = ctx.attr.pin,
            platform = ctx.attr.platform,
            version = name.version,
            origin = "built",
        ),
    ]
