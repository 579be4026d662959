"""A rule with nothing but the last two actions of a wheel."""

load("//wheels/private:audit.bzl", "AUDIT_ATTRS", "audit_wheel")
load("//wheels/private:pack.bzl", "PACK_ATTRS", "pack_wheel")

def _finished_wheel_impl(ctx):
    packed = pack_wheel(
        ctx,
        backend_wheel = ctx.file.backend_wheel,
        filename = ctx.attr.filename,
        platform_tag = ctx.attr.platform_tag,
    )
    audited = audit_wheel(ctx, packed_wheel = packed, platform = ctx.attr.platform)
    return [DefaultInfo(files = depset([audited.wheel, audited.report]))]

finished_wheel = rule(
    doc = "Packs and audits a wheel that lies there.",
    implementation = _finished_wheel_impl,
    attrs = PACK_ATTRS | AUDIT_ATTRS | {
        "backend_wheel": attr.label(doc = "The wheel.", allow_single_file = True, mandatory = True),
        "filename": attr.string(doc = "What it must be called.", mandatory = True),
        "platform": attr.string(doc = "The policy's platform.", mandatory = True),
        "platform_tag": attr.string(doc = "Platform tag to give it."),
    },
)
