"""The rule `msvc_cc_toolchain_config`: how Bazel's C++ rules call cl.exe, lib.exe and link.exe."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load(
    "@rules_cc//cc:cc_toolchain_config_lib.bzl",
    "action_config",
    "artifact_name_pattern",
    "env_entry",
    "env_set",
    "feature",
    "flag_group",
    "flag_set",
    "tool",
    "variable_with_value",
    "with_feature_set",
)
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/toolchains:cc_toolchain_config_info.bzl", "CcToolchainConfigInfo")
load(":attrs.bzl", "FOUND_ATTRS")
load(":paths.bzl", "TARGETS", "msvc_paths")

_C = [
    ACTION_NAMES.c_compile,
]
_CXX = [
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.linkstamp_compile,
]
_COMPILE = _C + _CXX
_LINK_SHARED = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]
_LINK = [ACTION_NAMES.cpp_link_executable] + _LINK_SHARED
_ARCHIVE = [ACTION_NAMES.cpp_link_static_library]
_ALL = _COMPILE + _LINK + _ARCHIVE

def _set(actions, flags, features = [], **kwargs):
    """A flag_set with one flag_group."""
    return flag_set(
        actions = actions,
        flag_groups = [flag_group(flags = flags, **kwargs)],
        with_features = [with_feature_set(features = [name]) for name in features],
    )

def _feature(name, *flag_sets, **kwargs):
    return feature(name = name, enabled = True, flag_sets = list(flag_sets), **kwargs)

def _libraries():
    """Inputs of a link, by their kinds; an alwayslink library is named once more with /WHOLEARCHIVE."""

    def group(kind, flag):
        return flag_group(
            flags = [flag],
            expand_if_equal = variable_with_value(name = "libraries_to_link.type", value = kind),
        )

    whole = flag_group(
        flag_groups = [flag_group(
            flags = ["/WHOLEARCHIVE:%{libraries_to_link.name}"],
            expand_if_true = "libraries_to_link.is_whole_archive",
        ), flag_group(
            flags = ["%{libraries_to_link.name}"],
            expand_if_false = "libraries_to_link.is_whole_archive",
        )],
        expand_if_equal = variable_with_value(name = "libraries_to_link.type", value = "static_library"),
    )
    objects = flag_group(
        iterate_over = "libraries_to_link.object_files",
        flags = ["%{libraries_to_link.object_files}"],
        expand_if_equal = variable_with_value(name = "libraries_to_link.type", value = "object_file_group"),
    )
    return flag_set(
        actions = _LINK + _ARCHIVE,
        flag_groups = [flag_group(
            iterate_over = "libraries_to_link",
            flag_groups = [
                objects,
                group("object_file", "%{libraries_to_link.name}"),
                group("interface_library", "%{libraries_to_link.name}"),
                whole,
            ],
            expand_if_available = "libraries_to_link",
        )],
    )

def _features(env, about):
    return [
        # Bazel's own flags are GCC's.
        feature(name = "no_legacy_features"),
        feature(name = "dbg"),
        feature(name = "fastbuild"),
        feature(name = "opt"),
        feature(name = "targets_windows", enabled = True, implies = ["copy_dynamic_libraries_to_binary"]),
        feature(name = "copy_dynamic_libraries_to_binary"),
        feature(name = "supports_interface_shared_libraries", enabled = True),
        feature(name = "supports_dynamic_linker", enabled = True),
        feature(name = "has_configured_linker_path", enabled = True),
        feature(name = "dynamic_library_linker_tool", enabled = True),
        # Debug information is in another file.
        feature(name = "no_stripping", enabled = True),
        # Headers are found by what cl.exe prints.
        feature(name = "parse_showincludes", enabled = True, flag_sets = [_set(_COMPILE, ["/showIncludes"])]),
        feature(
            name = "environment",
            enabled = True,
            env_sets = [env_set(actions = _ALL, env_entries = [env_entry(key = key, value = value) for key, value in env.items()])],
        ),
        # /Brepro: no time in objects and images. /Zc:preprocessor: what CUDA's C++ core libraries ask for. /MD: one C runtime
        # with CPython and torch, in every mode.
        _feature(
            "default_compile_flags",
            _set(_COMPILE, ["/nologo", "/Brepro", "/MD", "/bigobj", "/utf-8", "/Zc:preprocessor", "/DNOMINMAX", "/DWIN32_LEAN_AND_MEAN"] + about.compile),
            _set(_CXX, ["/EHsc", "/Zc:__cplusplus", "/permissive-"]),
            _set(_COMPILE, ["/Od", "/Z7"], ["dbg"]),
            _set(_COMPILE, ["/O2", "/DNDEBUG", "/Gy", "/Gw"], ["opt"]),
        ),
        _feature("preprocessor_defines", _set(_COMPILE, ["/D%{preprocessor_defines}"], iterate_over = "preprocessor_defines", expand_if_available = "preprocessor_defines")),
        _feature(
            "include_paths",
            *[
                _set(_COMPILE, [flag + "%%{%s}" % name], iterate_over = name, expand_if_available = name)
                for name, flag in [
                    ("quote_include_paths", "/I"),
                    ("include_paths", "/I"),
                    ("system_include_paths", "/external:I"),
                    ("external_include_paths", "/external:I"),
                ]
            ]
        ),
        _feature("external_warnings", _set(_COMPILE, ["/external:W0"])),
        _feature("user_compile_flags", _set(_COMPILE, ["%{user_compile_flags}"], iterate_over = "user_compile_flags", expand_if_available = "user_compile_flags")),
        _feature("compiler_input_flags", _set(_COMPILE, ["/c", "%{source_file}"], expand_if_available = "source_file")),
        _feature("compiler_output_flags", _set(_COMPILE, ["/Fo%{output_file}"], expand_if_available = "output_file")),
        _feature("default_link_flags", _set(_LINK, ["/NOLOGO", "/Brepro", "/INCREMENTAL:NO", "/MACHINE:" + about.machine]), _set(_LINK, ["/DEBUG"], ["dbg"])),
        _feature("archiver_flags", _set(_ARCHIVE, ["/NOLOGO", "/Brepro", "/MACHINE:" + about.machine]), _set(_ARCHIVE, ["/OUT:%{output_execpath}"], expand_if_available = "output_execpath")),
        _feature("shared_flag", _set(_LINK_SHARED, ["/DLL"])),
        _feature("output_execpath_flags", _set(_LINK, ["/OUT:%{output_execpath}"], expand_if_available = "output_execpath")),
        _feature("build_interface_libraries", _set(_LINK_SHARED, ["/IMPLIB:%{interface_library_output_path}"], expand_if_available = "interface_library_output_path")),
        _feature("def_file", _set(_LINK, ["/DEF:%{def_file_path}"], expand_if_available = "def_file_path")),
        feature(name = "libraries_to_link", enabled = True, flag_sets = [_libraries()]),
        _feature("user_link_flags", _set(_LINK, ["%{user_link_flags}"], iterate_over = "user_link_flags", expand_if_available = "user_link_flags")),
        _feature("linker_param_file", _set(_LINK + _ARCHIVE, ["@%{linker_param_file}"], expand_if_available = "linker_param_file")),
        feature(name = "archive_param_file", enabled = True),
        feature(name = "compiler_param_file"),
        # An image cannot say where its DLLs are.
        feature(name = "runtime_library_search_directories", enabled = True),
    ]

def _impl(ctx):
    found = json.decode(ctx.attr.found)
    paths = msvc_paths(struct(**found), ctx.attr.target)
    about = TARGETS[ctx.attr.target]

    def actions(names, program):
        return [
            action_config(action_name = name, enabled = True, tools = [tool(path = paths.programs[program])])
            for name in names
        ]

    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "msvc_" + ctx.attr.target,
        host_system_name = "local",
        target_system_name = ctx.attr.target,
        target_cpu = "aarch64",
        target_libc = "ucrt",
        compiler = "msvc-cl",
        abi_version = paths.versions["VCToolsVersion"],
        abi_libc_version = paths.versions["WindowsSDKVersion"],
        action_configs = actions(_COMPILE, "cl") + actions(_LINK, "link") + actions(_ARCHIVE, "lib"),
        features = _features(paths.env, about),
        artifact_name_patterns = [
            artifact_name_pattern(category_name = category, prefix = "", extension = extension)
            for category, extension in [
                ("object_file", ".obj"),
                ("static_library", ".lib"),
                ("alwayslink_static_library", ".lo.lib"),
                ("executable", ".exe"),
                ("dynamic_library", ".dll"),
                ("interface_library", ".if.lib"),
            ]
        ],
        # The headers that a source may include without declaring them.
        cxx_builtin_include_directories = paths.include,
    )

msvc_cc_toolchain_config = rule(
    implementation = _impl,
    doc = """Describes Visual C++ to Bazel's C++ rules. cl.exe, link.exe and lib.exe are called by their whole paths, in an
environment that holds what `msvc_paths` says and nothing of the machine's.""",
    attrs = FOUND_ATTRS,
    provides = [CcToolchainConfigInfo],
)
