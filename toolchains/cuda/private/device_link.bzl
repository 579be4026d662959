"""The action `CudaDeviceLink`: relocatable device code of several objects becomes one program."""

load(":archs.bzl", "gencode_flags")
load(":toolchain.bzl", "TOOLCHAIN")

CudaDeviceInfo = provider(
    doc = "Device code that is not linked yet.",
    fields = {"objects": "depset of File: objects with relocatable device code, of the target and what it depends on."},
)

def device_link(ctx, *, objects, archs):
    """Declares the action that links device code.

    Args:
      ctx: of a rule with COMPILE_TOOLCHAINS.
      objects: depset of File, objects with relocatable device code.
      archs: list of (virtual, codes).

    Returns:
      File: an object, to be linked beside the others. It registers the device code of all of them.
    """
    toolchain = ctx.toolchains[TOOLCHAIN].cuda_info
    output = ctx.actions.declare_file("_cuda/%s/device_link.o" % ctx.label.name)
    args = ctx.actions.args()
    args.add("--kind", "device-link")
    args.add_all(toolchain.flags)
    args.add("--output", output)
    args.add("--")
    args.add_all(gencode_flags(archs))
    args.add_all(objects)
    ctx.actions.run(
        executable = toolchain.driver,
        env = toolchain.env,
        arguments = [args],
        inputs = depset(transitive = [objects, toolchain.inputs]),
        outputs = [output],
        mnemonic = "CudaDeviceLink",
        progress_message = "Linking device code of %{label}",
        toolchain = TOOLCHAIN,
    )
    return output
