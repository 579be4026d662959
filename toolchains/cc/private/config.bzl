"""The rule `zig_cc_toolchain_config`: how Bazel's C++ rules call the driver."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load(
    "@rules_cc//cc:cc_toolchain_config_lib.bzl",
    "action_config",
    "artifact_name_pattern",
    "feature",
    "flag_group",
    "flag_set",
    "tool",
    "with_feature_set",
)
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/toolchains:cc_toolchain_config_info.bzl", "CcToolchainConfigInfo")
load(":attrs.bzl", "DRIVER_ATTR", "ZIG_ATTR")
load(":sysroot.bzl", "SYSROOT_ATTR", "SysrootInfo")

_C = [
    ACTION_NAMES.assemble,
    ACTION_NAMES.c_compile,
    ACTION_NAMES.preprocess_assemble,
]
_CXX = [
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.cpp_module_codegen,
    ACTION_NAMES.cpp_module_compile,
    ACTION_NAMES.linkstamp_compile,
]
_LINK_SHARED = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]
_LINK = [ACTION_NAMES.cpp_link_executable] + _LINK_SHARED

# name = (GNU triple, libc, is Windows); the driver knows everything else.
_TARGETS = {
    "linux_aarch64": ("aarch64-linux-gnu", "glibc_2.28", False),
    "win_arm64": ("aarch64-w64-mingw32", "ucrt", True),
}

def triple_of(target):
    """The GNU triple of a target.

    Args:
      target: the driver's name of the target.

    Returns:
      The triple, for configure scripts.
    """
    return _TARGETS[target][0]

def _flags(actions, flags, with_features = None, **kwargs):
    """A flag_set with one flag_group."""
    return flag_set(
        actions = actions,
        flag_groups = [flag_group(flags = flags, **kwargs)],
        with_features = [with_feature_set(features = [f]) for f in with_features or []],
    )

def _common_features():
    return [
        feature(name = "dbg"),
        feature(name = "fastbuild"),
        feature(name = "opt"),
        feature(name = "supports_dynamic_linker", enabled = True),
        feature(name = "has_configured_linker_path", enabled = True),
        feature(name = "archive_param_file", enabled = True),
        feature(name = "compiler_param_file"),
        # clang has no random names to seed, and would call the flag unused.
        feature(name = "random_seed"),
        feature(
            name = "default_compile_flags",
            enabled = True,
            flag_sets = [
                _flags(_C + _CXX, ["-g"], ["dbg"]),
                _flags(_C + _CXX, ["-O2", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"], ["opt"]),
            ],
        ),
        feature(
            name = "default_link_flags",
            enabled = True,
            flag_sets = [_flags(_LINK, ["-g"], ["dbg"])],
        ),
        feature(
            name = "shared_flag",
            enabled = True,
            flag_sets = [_flags(_LINK_SHARED, ["-shared"])],
        ),
    ]

def _windows_features():
    # A feature of the same name replaces the one that Bazel adds by itself. windows_export_all_symbols is absent
    # on purpose: Bazel implements it with a batch file.
    return [
        feature(name = "targets_windows", enabled = True, implies = ["copy_dynamic_libraries_to_binary"]),
        feature(name = "copy_dynamic_libraries_to_binary"),
        feature(name = "supports_interface_shared_libraries", enabled = True),
        # Without this, Bazel would ask a script of its own for the import library; the linker writes it by itself.
        feature(name = "dynamic_library_linker_tool", enabled = True),
        feature(
            name = "build_interface_libraries",
            enabled = True,
            flag_sets = [_flags(
                _LINK_SHARED,
                ["-Wl,--out-implib=%{interface_library_output_path}"],
                expand_if_available = "interface_library_output_path",
            )],
        ),
        feature(
            name = "def_file",
            enabled = True,
            flag_sets = [_flags(_LINK, ["-Wl,--def=%{def_file_path}"], expand_if_available = "def_file_path")],
        ),
        # An image cannot say where its DLLs are.
        feature(name = "runtime_library_search_directories", enabled = True),
    ]

def _linux_features():
    return [feature(name = "supports_pic", enabled = True)]

def _windows_names():
    return [
        artifact_name_pattern(category_name = category, prefix = prefix, extension = extension)
        for category, prefix, extension in [
            ("object_file", "", ".o"),
            ("static_library", "lib", ".a"),
            ("alwayslink_static_library", "lib", ".lo"),
            ("executable", "", ".exe"),
            ("dynamic_library", "", ".dll"),
            ("interface_library", "", ".if.lib"),
        ]
    ]

def _impl(ctx):
    sysroot = ctx.attr.sysroot[SysrootInfo]
    triple, libc, windows = _TARGETS[sysroot.target]
    where = [
        "--zig=" + ctx.file.zig.path,
        "--sysroot=" + sysroot.path,
        "--target=" + sysroot.target,
    ]

    def action(name, mode, implies = []):
        return action_config(
            action_name = name,
            enabled = True,
            tools = [tool(tool = ctx.executable.driver)],
            implies = implies,
            flag_sets = [flag_set(flag_groups = [flag_group(flags = ["--mode=" + mode] + where)])],
        )

    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "zig_" + sysroot.target,
        host_system_name = "local",
        target_system_name = triple,
        target_cpu = "aarch64",
        target_libc = libc,
        compiler = "clang",
        abi_version = "mingw" if windows else "gnu",
        abi_libc_version = libc,
        action_configs =
            [action(name, "cc") for name in _C] +
            [action(name, "c++") for name in _CXX + _LINK] + [
                action(ACTION_NAMES.cpp_link_static_library, "ar", ["archiver_flags"]),
                action(ACTION_NAMES.strip, "strip"),
            ],
        features = _common_features() + (_windows_features() if windows else _linux_features()),
        artifact_name_patterns = _windows_names() if windows else [],
        # The headers that a source may include without declaring them.
        cxx_builtin_include_directories = [sysroot.include.path],
    )

zig_cc_toolchain_config = rule(
    implementation = _impl,
    doc = "Describes a target of the driver to Bazel's C++ rules. Debug, fastbuild and opt differ as they do with gcc.",
    attrs = DRIVER_ATTR | SYSROOT_ATTR | ZIG_ATTR,
    provides = [CcToolchainConfigInfo],
)
