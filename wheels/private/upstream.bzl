"""Wheels of the set that upstream publishes by now, and the choice between them and ours.

A pin with `retired` names, per platform, the wheel that the set takes from the Python package index. It is audited as ours
are, but for what only matters of wheels that are made here (`wheel audit --upstream`).
"""

load("//wheels:providers.bzl", "WheelInfo")
load(":audit.bzl", "AUDIT_ATTRS", "audit_wheel")
load(":name.bzl", "PLATFORM_TAGS")
load(":wheel.bzl", "wheel")

def _published_wheel_impl(ctx):
    audited = audit_wheel(
        ctx,
        packed_wheel = ctx.file.src,
        platform = ctx.attr.platform,
        # Ours may be made in the same configuration, under the same name.
        folder = "upstream/",
        upstream = True,
    )
    return [
        DefaultInfo(files = depset([audited.wheel])),
        OutputGroupInfo(report = depset([audited.report])),
        WheelInfo(
            wheel = audited.wheel,
            provenance = None,
            report = audited.report,
            pin = ctx.attr.pin,
            platform = ctx.attr.platform,
            version = ctx.attr.version,
            origin = "upstream",
        ),
    ]

published_wheel = rule(
    implementation = _published_wheel_impl,
    doc = """A wheel as upstream published it, audited.

Output group `report`: the audit's JSON.""",
    attrs = AUDIT_ATTRS | {
        "src": attr.label(
            doc = "The wheel, fetched by its hash.",
            allow_single_file = [".whl"],
            mandatory = True,
        ),
        "pin": attr.string(
            doc = "Name in third_party/pins.json.",
            mandatory = True,
        ),
        "platform": attr.string(
            doc = "The platform, by its name in //platforms.",
            mandatory = True,
            values = PLATFORM_TAGS.keys(),
        ),
        "version": attr.string(
            doc = "The version in the file's name.",
            mandatory = True,
        ),
    },
    provides = [WheelInfo],
)

def own_suffix(info, platform):
    """What a macro appends to the name of a target that builds a wheel here.

    Args:
      info: the pin's entry of PINS.
      platform: name of a target in //platforms.

    Returns:
      ".own" if the set takes upstream's wheel there, so that NAME.PLATFORM is the choice between the two; else "".
    """
    return ".own" if platform in info.retired else ""

def set_wheel(name, pin, info, own, upstream_imports = {}, tags = [], target_compatible_with = []):
    """Declares NAME, the wheel in the set for all of its platforms, and NAME.PLATFORM where upstream's stands for ours.

    Targets where the pin is retired: NAME.PLATFORM.upstream, the audited wheel; NAME.PLATFORM, an alias of it or, with
    --config=own and where there is one, of NAME.PLATFORM.own.

    Args:
      name: target name.
      pin: name in third_party/pins.json.
      info: the pin's entry of PINS.
      own: platforms for which the set may hold what NAME.PLATFORM, with own_suffix, builds here. Without any, and where
        nothing is retired, there is no NAME.
      upstream_imports: per platform: libraries that upstream's wheel loads and expects on the user's machine.
      tags: of all targets.
      target_compatible_with: of NAME.
    """
    for platform, use in info.retired.items():
        upstream = "%s.%s.upstream" % (name, platform)
        published_wheel(
            name = upstream,
            src = use.src,
            allowed_imports = {platform: upstream_imports[platform]} if platform in upstream_imports else {},
            pin = pin,
            platform = platform,
            # NAME.PLATFORM stands for it in wildcards.
            tags = tags + ["manual"],
            version = use.version,
        )
        native.alias(
            name = "%s.%s" % (name, platform),
            actual = select({
                "//wheels/private:own": "%s.%s.own" % (name, platform),
                "//conditions:default": upstream,
            }) if platform in own else upstream,
            tags = tags,
        )
    platforms = sorted({platform: None for platform in own + info.retired.keys()})
    if not platforms:
        return
    wheel(
        name = name,
        tags = tags,
        target_compatible_with = target_compatible_with,
        wheels = ["%s.%s" % (name, platform) for platform in platforms],
    )
