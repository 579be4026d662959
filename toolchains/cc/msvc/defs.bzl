"""Visual C++ as a C++ toolchain, where the machine that builds has it.

    load("//toolchains/cc/msvc:defs.bzl", "needs_visual_cpp")

    cc_binary(name = "module", target_compatible_with = needs_visual_cpp(VISUAL_CPP))

skips a target on a machine without, and Bazel prints what is missing. docs/msvc.md says what was never run.
"""

load("@rules_cc//cc/toolchains:cc_toolchain.bzl", "cc_toolchain")
load("//toolchains/cc:defs.bzl", "EXEC")
load("//toolchains/cc/msvc/private:config.bzl", "msvc_cc_toolchain_config")
load("//toolchains/cc/msvc/private:driver.bzl", "msvc_driver_toolchain", _MsvcInfo = "MsvcInfo")

MsvcInfo = _MsvcInfo

# The constraints of the targets.
MSVC_TARGETS = {
    "win_arm64_msvc": [
        "//platforms:msvc",
        "@platforms//cpu:aarch64",
        "@platforms//os:windows",
    ],
    "win_arm64ec": [
        "//platforms:msvc_arm64ec",
        "@platforms//cpu:aarch64",
        "@platforms//os:windows",
    ],
}

def needs_visual_cpp(found):
    """What a target that Visual C++ compiles is compatible with.

    Args:
      found: VISUAL_CPP of @visual_cpp//:found.bzl.

    Returns:
      list for target_compatible_with: empty where all is there, else constraints that no platform has, which are reasons.
    """
    return [Label("//toolchains/cc/msvc:" + reason) for reason in found.missing]

def msvc_toolchains(name, found, register = True):
    """Declares the toolchains of Visual C++: for each target a cc_toolchain and one for foreign builds.

    Args:
      name: prefix of what is declared: NAME_TARGET_cc, NAME_TARGET_driver, and the toolchains NAME_TARGET_cc.toolchain and
        NAME_TARGET_driver.toolchain, for the machine that `found` is of.
      found: VISUAL_CPP of @visual_cpp//:found.bzl. Where something is missing, nothing is declared.
      register: False for toolchains that `register_toolchains(":all")` must not see; they are tagged manual.
    """
    if found.missing:
        return
    text = json.encode(found)
    native.filegroup(name = name + "_no_files")
    for target, constraints in MSVC_TARGETS.items():
        msvc_cc_toolchain_config(
            name = "%s_%s_config" % (name, target),
            found = text,
            tags = ["manual"],
            target = target,
        )
        none = name + "_no_files"
        cc_toolchain(
            name = "%s_%s_cc" % (name, target),
            all_files = none,
            ar_files = none,
            as_files = none,
            compiler_files = none,
            dwp_files = none,
            linker_files = none,
            objcopy_files = none,
            strip_files = none,
            supports_param_files = True,
            tags = ["manual"],
            toolchain_config = "%s_%s_config" % (name, target),
            toolchain_identifier = "msvc_" + target,
        )
        msvc_driver_toolchain(
            name = "%s_%s_driver" % (name, target),
            found = text,
            tags = ["manual"],
            target = target,
        )
        for kind, toolchain_type in {
            "cc": "@bazel_tools//tools/cpp:toolchain_type",
            "driver": "//toolchains/cc:driver_toolchain_type",
        }.items():
            native.toolchain(
                name = "%s_%s_%s.toolchain" % (name, target, kind),
                exec_compatible_with = EXEC[found.host],
                tags = [] if register else ["manual"],
                target_compatible_with = constraints,
                toolchain = "%s_%s_%s" % (name, target, kind),
                toolchain_type = toolchain_type,
            )
