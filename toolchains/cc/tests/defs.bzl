"""Rules for the tests of the C and C++ toolchains."""

load("@bazel_skylib//lib:paths.bzl", "paths")
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

_DRIVER = "//toolchains/cc:driver_toolchain_type"

def _transition_impl(_settings, attr):
    return {"//command_line_option:platforms": attr.platform}

# To be the `cfg` of a rule with PLATFORM_ATTRS.
to_platform = transition(
    implementation = _transition_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

PLATFORM_ATTRS = {
    "platform": attr.string(
        doc = "Label of the platform to build for.",
        mandatory = True,
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

def _for_platform_impl(ctx):
    files = depset(transitive = [d[DefaultInfo].files for d in ctx.attr.deps])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

for_platform = rule(
    implementation = _for_platform_impl,
    doc = "The outputs of other targets, built for a platform.",
    attrs = dict(
        PLATFORM_ATTRS,
        deps = attr.label_list(
            doc = "What to build.",
            mandatory = True,
            cfg = to_platform,
        ),
    ),
)

def _driver_files_impl(ctx):
    cc = ctx.toolchains[_DRIVER].zig_cc_info
    params = ctx.actions.declare_file(ctx.label.name + ".json")
    runfile = lambda path: paths.normalize(paths.join(ctx.workspace_name, path))  # short paths of repositories start with ../
    ctx.actions.write(params, json.encode({
        "driver": runfile(cc.driver.short_path),
        "zig": runfile(cc.zig.short_path),
        "include": runfile([f for f in cc.files.to_list() if f.basename == "include"][0].short_path),
        "zig_lib": runfile(cc.zig_lib.short_path),
        "target": cc.target,
    }))
    files = [params] + ([cc.zig_lib] if ctx.attr.zig_lib else [])
    return [DefaultInfo(
        files = depset([params]),
        runfiles = ctx.runfiles(files = files, transitive_files = cc.files),
    )]

driver_files = rule(
    implementation = _driver_files_impl,
    doc = "The driver, zig and the sysroot of a platform as runfiles, and NAME.json that says where each lies.",
    attrs = dict(
        PLATFORM_ATTRS,
        zig_lib = attr.bool(
            doc = "Whether zig's library folder is needed as well.",
        ),
    ),
    cfg = to_platform,
    toolchains = [_DRIVER],
)

def _compile_fails_impl(ctx):
    toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    marker = ctx.actions.declare_file(ctx.label.name + ".message")
    object_file = ctx.label.name + ".o"
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = ctx.file.src.path,
        output_file = object_file,
        user_compile_flags = ctx.attr.copts,
    )
    command = [cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = ACTION_NAMES.c_compile,
    )] + cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.c_compile,
        variables = variables,
    )
    args = ctx.actions.args()
    args.add("--message", ctx.attr.message)
    args.add("--out", marker)
    args.add("--")
    args.add_all(command)
    ctx.actions.run(
        executable = ctx.executable._expectfail,
        arguments = [args],
        inputs = depset([ctx.file.src], transitive = [toolchain.all_files]),
        outputs = [marker],
        mnemonic = "ExpectCompileFailure",
    )
    return [DefaultInfo(files = depset([marker]))]

compile_fails = rule(
    implementation = _compile_fails_impl,
    doc = """Compiles a C file the way cc_library does and succeeds only if that fails with the expected message.

The output holds what the compiler said.
""",
    attrs = {
        "copts": attr.string_list(
            doc = "Flags of the compilation.",
        ),
        "message": attr.string(
            doc = "What the output of the compiler must contain.",
            mandatory = True,
        ),
        "src": attr.label(
            doc = "The C file.",
            mandatory = True,
            allow_single_file = [".c"],
        ),
        "_expectfail": attr.label(
            default = "//toolchains/cc/tests/expectfail",
            executable = True,
            cfg = "exec",
        ),
    },
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)
