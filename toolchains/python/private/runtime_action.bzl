"""`run_python`: an action that runs a script in the exec interpreter."""

EXEC_TOOLCHAIN = "//toolchains/python:exec_toolchain_type"

def run_python(ctx, script, arguments, inputs, outputs, **kwargs):
    """Declares an action that runs a Python script, isolated from the machine.

    Args:
      ctx: of a rule with EXEC_TOOLCHAIN among its toolchains.
      script: File to run. Modules that it imports belong to `inputs`.
      arguments: list of Args.
      inputs: depset of File.
      outputs: list of File.
      **kwargs: more for ctx.actions.run: mnemonic, resource_set and so on.
    """
    runtime = ctx.toolchains[EXEC_TOOLCHAIN].runtime
    head = ctx.actions.args()

    # No environment, no user site, no site at all, no bytecode.
    head.add_all(["-I", "-S", "-B", script])
    ctx.actions.run(
        executable = "%s/%s" % (runtime.tree.path, runtime.interpreter),
        arguments = [head] + arguments,
        inputs = depset([script, runtime.tree], transitive = [inputs]),
        outputs = outputs,
        toolchain = EXEC_TOOLCHAIN,
        **kwargs
    )
