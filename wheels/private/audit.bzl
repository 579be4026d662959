"""The action `WheelAudit`: a packed wheel in, the same wheel out if it may be published.

    load("//wheels/private:audit.bzl", "AUDIT_ATTRS", "audit_wheel")

    def _impl(ctx):
        audited = audit_wheel(ctx, packed_wheel = packed, platform = "win_arm64")
        return [DefaultInfo(files = depset([audited.wheel]))]

A wheel that fails has no output, so that nothing that depends on it can be
built. The action runs `wheel audit` (//go/cmd/wheel) with the policy of the
platform, //wheels/policy:PLATFORM.json; docs/audit.md lists its messages and
what to do about each.
"""

load(":pack.bzl", "WHEEL_TOOL_ATTRS")

AUDIT_ATTRS = WHEEL_TOOL_ATTRS | {
    "allowed_imports": attr.string_list_dict(
        doc = """Per platform: libraries that native members load and another package brings,
such as {"win_arm64": ["cudart64_*.dll"]}. An entry that matches nothing is an error.""",
    ),
    "allowed_paths": attr.string_list_dict(
        doc = """Per platform: members in which a build path is plain text, such as the expected
output of a test. `*` does not match a slash. An entry that matches nothing is an error.""",
    ),
    "host_members": attr.string_list_dict(
        doc = """Per platform: native members that hold no device code, in a wheel with `sm`.
An entry that matches nothing is an error.""",
    ),
    "library_members": attr.string_list_dict(
        doc = """Per platform: members that look like extension modules and are none, so that they
export no PyInit_ function. An entry that matches nothing is an error.""",
    ),
    "sm": attr.string_list_dict(
        doc = """Per platform: the device code that every native member must hold, each of its
fat binaries for itself, as the pin says it: "sm_121" is machine code for that GPU,
"sm_121a" with its own instructions, "compute_121" PTX. A wheel without `sm` must hold
no device code.""",
    ),
    "_policies": attr.label_list(
        doc = "One policy for each platform, PLATFORM.json.",
        default = [
            "//wheels/policy:linux_aarch64.json",
            "//wheels/policy:win_arm64.json",
        ],
        allow_files = [".json"],
    ),
}

def audit_wheel(ctx, *, packed_wheel, platform, folder = "", upstream = False):
    """Declares the action that audits a wheel.

    Args:
      ctx: of a rule with AUDIT_ATTRS.
      packed_wheel: File, made by pack_wheel.
      platform: name of a target in //platforms that has a policy.
      folder: prefix of the outputs' names, with a slash at its end.
      upstream: whether upstream published the wheel (`wheel audit --upstream`).

    Returns:
      struct(wheel, report): Files. `wheel` has the same name and bytes as
      `packed_wheel`; `report` is JSON with what the audit saw.
    """
    policy = _policy(ctx, platform)
    wheel = ctx.actions.declare_file(folder + packed_wheel.basename)
    report = ctx.actions.declare_file(folder + packed_wheel.basename.removesuffix(".whl") + ".audit.json")
    args = ctx.actions.args()
    args.add("audit")
    if upstream:
        args.add("--upstream")
    args.add("--platform", platform)
    args.add("--policy", policy)
    args.add("--in", packed_wheel)
    args.add("--report", report)
    args.add("--out", wheel)
    args.add_all(ctx.attr.allowed_imports.get(platform, []), before_each = "--allow-import")
    args.add_all(ctx.attr.allowed_paths.get(platform, []), before_each = "--allow-path")
    args.add_all(ctx.attr.host_members.get(platform, []), before_each = "--host-member")
    args.add_all(ctx.attr.sm.get(platform, []), before_each = "--sm")
    args.add_all(ctx.attr.library_members.get(platform, []), before_each = "--library-member")
    ctx.actions.run(
        mnemonic = "WheelAudit",
        executable = ctx.executable._wheel_tool,
        arguments = [args],
        inputs = [packed_wheel, policy],
        outputs = [wheel, report],
        progress_message = "Auditing %{input}",
        execution_requirements = {"supports-path-mapping": "1"},
    )
    return struct(wheel = wheel, report = report)

def _policy(ctx, platform):
    for file in ctx.files._policies:
        if file.basename == platform + ".json":
            return file
    fail("%s: there is no policy for the platform %s; add wheels/policy/%s.json and list it in wheels/private/audit.bzl" %
         (ctx.label, platform, platform))
