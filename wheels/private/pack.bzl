"""The action `WheelPack`: a back end's wheel in, the one wheel of its contents out.

    load("//wheels/private:pack.bzl", "PACK_ATTRS", "pack_wheel")

    def _impl(ctx):
        packed = pack_wheel(
            ctx,
            backend_wheel = built,
            filename = "soxr-1.1.0-cp312-cp312-win_arm64.whl",
            platform_tag = "win_arm64",
        )

The action runs `wheel pack` (//go/cmd/wheel), whose --help tells what it
rewrites. It fails with one message when the wheel that the back end made is not
the one that `filename` declares.
"""

WHEEL_TOOL_ATTRS = {
    "_wheel_tool": attr.label(
        doc = "The tool that packs and audits.",
        default = "//go/cmd/wheel",
        cfg = "exec",
        executable = True,
    ),
}

PACK_ATTRS = WHEEL_TOOL_ATTRS | {
    "local_version": attr.string(
        doc = """Local version to append, such as cu134torch2.14, for a wheel that is coupled to
CUDA, torch or a glibc floor. A plain wheel has none.""",
    ),
}

def pack_wheel(ctx, *, backend_wheel, filename, platform_tag = None, bill = None, source = None):
    """Declares the action that packs a wheel.

    Args:
      ctx: of a rule with PACK_ATTRS.
      backend_wheel: File, the wheel as the back end made it, or a tree artifact
        that holds this wheel alone. Its name means nothing.
      filename: what the wheel must be called; project, version (with
        `local_version`) and tags are checked against the wheel's own metadata.
      platform_tag: platform tag to give the wheel, such as
        manylinux_2_28_aarch64. System and architecture of the back end's tag
        must be the same. None keeps that tag.
      bill: what write_bill returned (bill.bzl), for an SBOM in the wheel; None for none.
      source: File, the patched source tree, whose licence texts the wheel must hold; None if it has them all.

    Returns:
      File: the packed wheel, in a folder of its own. It is not audited yet.
    """
    packed = ctx.actions.declare_file("%s.packed/%s" % (ctx.label.name, filename))
    args = ctx.actions.args()
    args.add("pack")
    args.add_all("--in", [backend_wheel], expand_directories = False)
    args.add("--out", packed)
    if platform_tag:
        args.add("--platform-tag", platform_tag)
    if ctx.attr.local_version:
        args.add("--local-version", ctx.attr.local_version)
    inputs = [backend_wheel]
    if bill:
        args.add("--bill", bill.file)
        inputs = inputs + [bill.file] + bill.inputs
    if source:
        args.add_all("--source", [source], expand_directories = False)
        inputs = inputs + [source]
    ctx.actions.run(
        mnemonic = "WheelPack",
        executable = ctx.executable._wheel_tool,
        arguments = [args],
        inputs = inputs,
        outputs = [packed],
        progress_message = "Packing %{output}",
        # The bill names files by their paths, which path mapping would change.
        execution_requirements = {} if bill else {"supports-path-mapping": "1"},
    )
    return packed
