"""`per_machine`: a label that depends on the machine that actions run on."""

load("//toolchains/cc:defs.bzl", "EXEC")

def per_machine(template, machines = None):
    """Selects a label by the machine. For targets that are built for execution.

    Args:
      template: the label, with `{}` where the machine's name belongs.
      machines: names of EXEC; all of them if None.

    Returns:
      a select() of labels.
    """
    return select({
        "//toolchains/cc:on_" + machine: template.format(machine)
        for machine in (machines or EXEC)
    })
