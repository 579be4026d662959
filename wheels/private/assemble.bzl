"""The action `WheelAssemble`: files that actions made and files of a source in, a wheel as a back end would make it out.

    load("//wheels/private:assemble.bzl", "ASSEMBLE_ATTRS", "assemble_wheel")

    def _impl(ctx):
        built = assemble_wheel(ctx, tags = "py3-none-win_arm64")

The action runs `wheel assemble` (//go/cmd/wheel). What it makes goes through
pack_wheel and audit_wheel like any back end's wheel.
"""

load(":pack.bzl", "WHEEL_TOOL_ATTRS")

ASSEMBLE_ATTRS = WHEEL_TOOL_ATTRS | {
    "metadata": attr.label(
        doc = """METADATA of the wheel, or the PKG-INFO of its sdist: project and version as declared. Its
License-File fields, if it has any, name `licences`; its Dynamic fields are left out.""",
        allow_single_file = True,
        mandatory = True,
    ),
    "members": attr.label_keyed_string_dict(
        doc = """Targets of one file each, to the name that the file has in the wheel: what was compiled.""",
        allow_files = True,
    ),
    "pure": attr.label_keyed_string_dict(
        doc = """Targets of any number of files, to the folder of their repository that the root of the wheel
stands for: {"@soxr//:package": "src"} makes soxr/__init__.py of src/soxr/__init__.py.""",
        allow_files = True,
    ),
    "licences": attr.label_keyed_string_dict(
        doc = "Targets of one file each, to the name that the licence has below .dist-info/licenses.",
        allow_files = True,
    ),
    "entry_points": attr.label(
        doc = "entry_points.txt of the wheel.",
        allow_single_file = True,
    ),
}

def assemble_wheel(ctx, *, tags):
    """Declares the action that puts a wheel together.

    Args:
      ctx: of a rule with ASSEMBLE_ATTRS.
      tags: the wheel's tag set, python-abi-platform.

    Returns:
      File: the wheel. Its name means nothing.
    """
    members = _named(ctx, "members") + _pure(ctx)
    licences = _named(ctx, "licences")
    others = [ctx.file.metadata] + ([ctx.file.entry_points] if ctx.file.entry_points else [])
    request = ctx.actions.declare_file(ctx.label.name + ".request.json")
    wheel = ctx.actions.declare_file(ctx.label.name + ".built.whl")

    # go/cmd/wheel/assemble.go says what each key is for.
    ctx.actions.write(request, json.encode_indent({
        "metadata": ctx.file.metadata.path,
        "tags": tags,
        "entry_points": ctx.file.entry_points.path if ctx.file.entry_points else "",
        "licences": [{"name": name, "path": file.path} for name, file in licences],
        "files": [{"name": name, "path": file.path} for name, file in members],
    }))
    args = ctx.actions.args()
    args.add("assemble")
    args.add("--request", request)
    args.add("--out", wheel)
    ctx.actions.run(
        mnemonic = "WheelAssemble",
        executable = ctx.executable._wheel_tool,
        arguments = [args],
        inputs = [request] + others + [file for _, file in members + licences],
        outputs = [wheel],
        progress_message = "Assembling wheel %{label}",
    )
    return wheel

def _named(ctx, attribute):
    """(name, File) of an attribute whose targets are files."""
    named = []
    for target, name in getattr(ctx.attr, attribute).items():
        files = target[DefaultInfo].files.to_list()
        if len(files) != 1:
            fail("%s: %s: %s has %d files and not 1 to be called %r" % (ctx.label, attribute, target.label, len(files), name))
        named.append((name, files[0]))
    return named

def _pure(ctx):
    """(name, File) of attribute `pure`."""
    named = []
    for target, folder in ctx.attr.pure.items():
        prefix = folder + "/" if folder else ""
        for file in target[DefaultInfo].files.to_list():
            path = _in_repository(file)
            if not path.startswith(prefix):
                fail("%s: pure: %s of %s is not below %r" % (ctx.label, path, target.label, folder))
            named.append((path.removeprefix(prefix), file))
    return named

def _in_repository(file):
    # "../repo/x" is in another repository, "x" in the main one.
    if file.short_path.startswith("../"):
        return file.short_path.split("/", 2)[2]
    return file.short_path
