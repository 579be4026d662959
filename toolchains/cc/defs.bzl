"""C and C++ toolchains on zig's clang and lld.

`zig_cc_toolchain` declares everything for one target: its sysroot, the toolchain that cc_library, cc_binary and
cc_shared_library resolve, and the one that rules with a foreign build system inside resolve
(`//toolchains/cc:driver_toolchain_type`, see `ZigCcInfo`). MODULE.bazel registers them with

    register_toolchains("//toolchains/cc:all")

What a flag means, and which are refused, is in go/ccdriver/flags.go and gnuld.go.
"""

load("@rules_cc//cc/toolchains:cc_toolchain.bzl", "cc_toolchain")
load("//toolchains/cc/private:config.bzl", "triple_of", "zig_cc_toolchain_config")
load("//toolchains/cc/private:driver.bzl", "zig_cc_driver_toolchain", _ZigCcInfo = "ZigCcInfo")
load("//toolchains/cc/private:files.bzl", "sysroot_half")
load("//toolchains/cc/private:sysroot.bzl", "sysroot", _SysrootInfo = "SysrootInfo")

SysrootInfo = _SysrootInfo
ZigCcInfo = _ZigCcInfo

# The machines that actions may run on: name = constraints.
EXEC = {
    "linux_aarch64": ["@platforms//os:linux", "@platforms//cpu:aarch64"],
    "linux_x86_64": ["@platforms//os:linux", "@platforms//cpu:x86_64"],
    "windows_arm64": ["@platforms//os:windows", "@platforms//cpu:aarch64"],
    "windows_x86_64": ["@platforms//os:windows", "@platforms//cpu:x86_64"],
}

def zig_cc_toolchain(name, target_compatible_with):
    """Declares the sysroot and the toolchains of one target.

    Args:
      name: the target, by the name that the driver knows; also the prefix of what is declared:
        NAME_sysroot, NAME_cc (a cc_toolchain), NAME_driver, and for each machine that actions may run on
        the toolchains NAME_cc.on_EXEC and NAME_driver.on_EXEC.
      target_compatible_with: the constraints of the target.
    """
    driver = "//go/cmd/ccdriver"
    tools = [driver, ":zig"]

    # Manual: `bazel build //...` would make them for its own configuration, which nothing uses.
    tags = ["manual"]
    sysroot(
        name = name + "_sysroot",
        tags = tags,
        target = name,
        zig = ":zig",
        zig_lib = ":zig_lib",
    )
    for half in ["include", "lib"]:
        sysroot_half(
            name = "{}_{}".format(name, half),
            half = half,
            sysroot = name + "_sysroot",
            tags = tags,
        )
    zig_cc_toolchain_config(
        name = name + "_config",
        tags = tags,
        driver = driver,
        sysroot = name + "_sysroot",
        zig = ":zig",
    )
    for files, srcs in {
        "all": tools + [name + "_include", name + "_lib"],
        "compiler": tools + [name + "_include"],
        "linker": tools + [name + "_lib"],
        "tool": tools,
    }.items():
        native.filegroup(
            name = "{}_{}_files".format(name, files),
            srcs = srcs,
            tags = tags,
        )
    cc_toolchain(
        name = name + "_cc",
        all_files = name + "_all_files",
        ar_files = name + "_tool_files",
        as_files = name + "_compiler_files",
        compiler_files = name + "_compiler_files",
        dwp_files = name + "_tool_files",
        linker_files = name + "_linker_files",
        objcopy_files = name + "_tool_files",
        strip_files = name + "_tool_files",
        supports_param_files = True,
        tags = tags,
        toolchain_config = name + "_config",
        toolchain_identifier = "zig_" + name,
    )
    zig_cc_driver_toolchain(
        name = name + "_driver",
        driver = driver,
        sysroot = name + "_sysroot",
        tags = tags,
        triple = triple_of(name),
        zig = ":zig",
        zig_lib = ":zig_lib",
    )
    for kind, toolchain_type in {
        "cc": "@bazel_tools//tools/cpp:toolchain_type",
        "driver": ":driver_toolchain_type",
    }.items():
        for machine, constraints in EXEC.items():
            native.toolchain(
                name = "{}_{}.on_{}".format(name, kind, machine),
                exec_compatible_with = constraints,
                target_compatible_with = target_compatible_with,
                toolchain = "{}_{}".format(name, kind),
                toolchain_type = toolchain_type,
            )
