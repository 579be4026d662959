"""The action `WheelProvenance`: the SLSA statement that lies beside an audited wheel (docs/sbom.md)."""

def wheel_provenance(ctx, *, wheel, bill, built_with = []):
    """Declares the action that writes a wheel's statement.

    Args:
      ctx: of a rule with WHEEL_TOOL_ATTRS (pack.bzl).
      wheel: File, the audited wheel.
      bill: what write_bill returned (bill.bzl).
      built_with: Files, the statements of wheels made here that this one was built with.

    Returns:
      File: WHEEL.whl.provenance.json.
    """
    statement = ctx.actions.declare_file(wheel.basename + ".provenance.json")
    args = ctx.actions.args()
    args.add("provenance")
    args.add("--in", wheel)
    args.add("--bill", bill.file)
    args.add("--out", statement)
    args.add_all(built_with, before_each = "--built-with")
    ctx.actions.run(
        mnemonic = "WheelProvenance",
        executable = ctx.executable._wheel_tool,
        arguments = [args],
        inputs = [wheel, bill.file] + bill.inputs + built_with,
        outputs = [statement],
        progress_message = "Stating the provenance of %{input}",
    )
    return statement
