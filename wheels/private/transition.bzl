"""A wheel is built for its own platform, whatever the command line says.

`wheel_transition` is for wheels whose back end decides how to compile, `optimised_wheel_transition` for those of
cc_library and cuda_library, which the compilation mode decides for.
"""

def _wheel_transition_impl(_settings, attr):
    return {"//command_line_option:platforms": str(Label("//platforms:" + attr.platform))}

wheel_transition = transition(
    implementation = _wheel_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _optimised_wheel_transition_impl(settings, attr):
    return _wheel_transition_impl(settings, attr) | {"//command_line_option:compilation_mode": "opt"}

optimised_wheel_transition = transition(
    implementation = _optimised_wheel_transition_impl,
    inputs = [],
    outputs = [
        "//command_line_option:compilation_mode",
        "//command_line_option:platforms",
    ],
)
