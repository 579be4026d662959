"""`windows_actions`: what a target's actions would be on a Windows machine, as a text that a golden file holds.

Analysis runs no action, so it works on Linux. It is what `bazel aquery` prints of the same target, with the machine, the
platform and the toolchains that a test says.
"""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

_ActionsInfo = provider(doc = "Actions of a target.", fields = {"actions": "list of Action."})

def _record_impl(target, _ctx):
    return [_ActionsInfo(actions = target.actions)]

_record = aspect(implementation = _record_impl)

def _on_windows_impl(_settings, attr):
    return {
        "//command_line_option:compilation_mode": "opt",
        "//command_line_option:extra_execution_platforms": [str(Label("//platforms:" + attr.machine))],
        "//command_line_option:extra_toolchains": [str(label) for label in attr.extra_toolchains],
        "//command_line_option:platforms": [str(Label("//platforms:" + attr.platform))],
    }

_on_windows = transition(
    implementation = _on_windows_impl,
    inputs = [],
    outputs = [
        "//command_line_option:compilation_mode",
        "//command_line_option:extra_execution_platforms",
        "//command_line_option:extra_toolchains",
        "//command_line_option:platforms",
    ],
)

def _plain(text):
    """Without the names of configurations, which hold a hash, and with absolute paths of Windows as Windows has them.

    Bazel on Linux takes C:/BuildTools for a path below the toolchain's package.
    """
    text = text.replace(Label("//toolchains/cc/msvc/tests").package + "/C:/", "C:/")
    out = []
    for i, part in enumerate(text.split("bazel-out/")):
        out.append(part if i == 0 else "CONFIGURATION/" + part.partition("/")[2])
    return "bazel-out/".join(out)

def _impl(ctx):
    lines = []
    for action in ctx.attr.target[0][_ActionsInfo].actions:
        if action.mnemonic not in ctx.attr.mnemonics:
            continue
        lines.append("# " + action.mnemonic)
        if action.mnemonic == "FileWrite":
            if not [end for end in ctx.attr.files if action.outputs.to_list()[0].basename.endswith(end)]:
                lines.pop()
                continue
            lines.append(action.content)
            continue
        for key, value in sorted(action.env.items()):
            lines.append("%s=%s" % (key, value))
        lines.extend(action.argv)
    text = ctx.actions.declare_file(ctx.label.name + ".actions.txt")
    ctx.actions.write(text, _plain("\n".join(lines)) + "\n")
    return [DefaultInfo(files = depset([text]))]

windows_actions = rule(
    implementation = _impl,
    doc = "Writes the environment and the command line of a target's actions, a word a line, into NAME.actions.txt.",
    attrs = {
        "extra_toolchains": attr.label_list(doc = "Toolchains that go before the registered ones."),
        "files": attr.string_list(doc = "Ends of names of the written files whose text is of interest."),
        "machine": attr.string(doc = "The machine that builds, of //platforms.", default = "windows_arm64"),
        "mnemonics": attr.string_list(doc = "Which actions.", mandatory = True),
        "platform": attr.string(doc = "The target, of //platforms.", default = "win_arm64_msvc"),
        "target": attr.label(doc = "The target.", mandatory = True, cfg = _on_windows, aspects = [_record]),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)

def _environment_impl(ctx):
    toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain)
    lines = []
    for name in [ACTION_NAMES.cpp_compile, ACTION_NAMES.cpp_link_dynamic_library, ACTION_NAMES.cpp_link_static_library]:
        lines.append("%s: %s" % (name, cc_common.get_tool_for_action(feature_configuration = features, action_name = name)))
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = name,
            variables = cc_common.empty_variables(),
        )
        lines += ["  %s=%s" % item for item in sorted(env.items())]
    file = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(file, "\n".join(lines))
    return [DefaultInfo(files = depset([file]))]

cc_environment = rule(
    implementation = _environment_impl,
    doc = "Writes what the C++ toolchain calls and in which environment; Starlark is not told by the actions of C++ themselves.",
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)
