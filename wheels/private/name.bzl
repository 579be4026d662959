"""What a wheel is called: the attributes that rules for wheels on one platform share."""

# The platform tag of a wheel, which says what it was audited for.
PLATFORM_TAGS = {
    "linux_aarch64": "manylinux_2_28_aarch64",
    "win_arm64": "win_arm64",
}

NAME_ATTRS = {
    "pin": attr.string(
        doc = "Name in third_party/pins.json.",
        mandatory = True,
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
}

def wheel_name(ctx):
    """Names a wheel.

    Args:
      ctx: of a rule with NAME_ATTRS and PACK_ATTRS.

    Returns:
      struct(version, platform_tag, tags, file): the version with its local part, the platform tag, the tag set
      python-abi-platform, and the file name.
    """
    version = ctx.attr.version
    if ctx.attr.local_version:
        version += "+" + ctx.attr.local_version
    platform_tag = PLATFORM_TAGS[ctx.attr.platform]
    tags = "%s-%s-%s" % (ctx.attr.python_tag, ctx.attr.abi_tag, platform_tag)
    return struct(
        version = version,
        platform_tag = platform_tag,
        tags = tags,
        file = "%s-%s-%s.whl" % (ctx.attr.distribution, version, tags),
    )
