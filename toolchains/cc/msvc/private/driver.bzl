"""Visual C++ for rules that run a whole foreign build, such as a PEP 517 back end."""

load(":attrs.bzl", "FOUND_ATTRS")
load(":paths.bzl", "msvc_paths")

MsvcInfo = provider(
    doc = "Visual C++ of the machine that builds. Every path is absolute; nothing of it is an input of an action.",
    fields = {
        "bin": "string: the folder of cl.exe.",
        "env": "dict: the whole environment of its programs, versions included.",
        "path": "list of strings: what PATH has.",
        "programs": "dict: armasm64, cl, lib, link, mt and rc, each a path.",
        "target": "string: win_arm64_msvc or win_arm64ec.",
        "versions": "dict: VCToolsVersion, VSCMD_VER and WindowsSDKVersion.",
    },
)

def msvc_info(found, target):
    """The MsvcInfo of what was found.

    Args:
      found: JSON of what `discover` found.
      target: key of TARGETS.

    Returns:
      MsvcInfo.
    """
    paths = msvc_paths(struct(**json.decode(found)), target)
    return MsvcInfo(
        bin = paths.bin,
        env = paths.env,
        path = paths.path,
        programs = paths.programs,
        target = paths.target,
        versions = paths.versions,
    )

def _impl(ctx):
    return [platform_common.ToolchainInfo(
        msvc_info = msvc_info(ctx.attr.found, ctx.attr.target),
        zig_cc_info = None,
    )]

msvc_driver_toolchain = rule(
    implementation = _impl,
    doc = """A toolchain of type `//toolchains/cc:driver_toolchain_type` whose `msvc_info` is a `MsvcInfo`; its `zig_cc_info` is
None.""",
    attrs = FOUND_ATTRS,
)
