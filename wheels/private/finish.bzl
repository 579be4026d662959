"""The last steps of every wheel, whoever built it: pack, audit, providers."""

load("//wheels:providers.bzl", "WheelInfo")
load(":audit.bzl", "AUDIT_ATTRS", "audit_wheel")
load(":name.bzl", "NAME_ATTRS")
load(":pack.bzl", "PACK_ATTRS", "pack_wheel")

FINISH_ATTRS = PACK_ATTRS | AUDIT_ATTRS | NAME_ATTRS

def finish_wheel(ctx, *, built, name):
    """Declares the actions that pack and audit a wheel.

    Args:
      ctx: of a rule with FINISH_ATTRS.
      built: File, the wheel as it was built. Its name means nothing.
      name: what wheel_name returned.

    Returns:
      The providers of a rule for a wheel on one platform.
    """
    packed = pack_wheel(
        ctx,
        backend_wheel = built,
        filename = name.file,
        platform_tag = name.platform_tag,
    )
    audited = audit_wheel(ctx, packed_wheel = packed, platform = ctx.attr.platform)
    return [
        DefaultInfo(files = depset([audited.wheel])),
        OutputGroupInfo(
            built = depset([built]),
            packed = depset([packed]),
            report = depset([audited.report]),
        ),
        WheelInfo(
            wheel = audited.wheel,
            report = audited.report,
            pin = ctx.attr.pin,
            platform = ctx.attr.platform,
            version = name.version,
            origin = "built",
        ),
    ]
