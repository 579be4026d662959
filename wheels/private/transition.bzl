"""`wheel_transition`: a wheel is built for its own platform, whatever the command line says."""

def _wheel_transition_impl(_settings, attr):
    return {"//command_line_option:platforms": str(Label("//platforms:" + attr.platform))}

wheel_transition = transition(
    implementation = _wheel_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)
