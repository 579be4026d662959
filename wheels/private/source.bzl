"""Source trees: an upstream archive, unpacked and patched by two actions.

    load("//wheels/private:source.bzl", "source_tree")

    source_tree(
        name = "soxr.source",
        src = "@pins//:soxr",
        patches = ["//patches:soxr/0001-static-version.patch"],
    )

Both actions are strict. `SourceUnpack` (//go/cmd/unpack) refuses an archive
that could write outside its folder or that another operating system could not
hold; `SourcePatch` (//go/cmd/patch/action) applies every patch exactly or fails the
build with the hunk and the place. docs/patches.md shows what they print.

Neither depends on a platform. Take the tree through an attribute with
`cfg = "exec"`, and all platforms of a wheel share one.
"""

SourceInfo = provider(
    doc = "An unpacked and patched upstream source.",
    fields = {
        "tree": "File: the tree artifact to build from: files and folders, no links.",
        "unpacked": "File: the tree artifact before the patches; `tree` itself where there are none.",
        "archive": "File: the archive that it comes from.",
        "patches": "list of File: what was applied, in order.",
    },
)

def _unpack(ctx):
    tree = ctx.actions.declare_directory(ctx.label.name + ".unpacked" if ctx.files.patches else ctx.label.name)
    args = ctx.actions.args()
    args.add_all("--out", [tree], expand_directories = False)
    args.add("--strip", ctx.attr.strip)
    args.add_all(ctx.attr.exclude, before_each = "--exclude")
    args.add(ctx.file.src)
    ctx.actions.run(
        mnemonic = "SourceUnpack",
        executable = ctx.executable._unpack,
        arguments = [args],
        inputs = [ctx.file.src],
        outputs = [tree],
        progress_message = "Unpacking %{input} for %{label}",
        execution_requirements = {"supports-path-mapping": "1"},
    )
    return tree

def _patch(ctx, unpacked):
    tree = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add("apply")
    args.add_all("--src", [unpacked], expand_directories = False)
    args.add_all("--out", [tree], expand_directories = False)
    args.add("--strip", ctx.attr.patch_strip)
    if ctx.attr.allow_offset:
        args.add("--allow-offset")
    args.add_all(ctx.files.patches)
    ctx.actions.run(
        mnemonic = "SourcePatch",
        executable = ctx.executable._patch,
        arguments = [args],
        inputs = [unpacked] + ctx.files.patches,
        outputs = [tree],
        progress_message = "Patching %{label}",
        execution_requirements = {"supports-path-mapping": "1"},
    )
    return tree

def _source_tree_impl(ctx):
    unpacked = _unpack(ctx)
    tree = _patch(ctx, unpacked) if ctx.files.patches else unpacked
    return [
        DefaultInfo(files = depset([tree])),
        OutputGroupInfo(unpacked = depset([unpacked])),
        SourceInfo(
            tree = tree,
            unpacked = unpacked,
            archive = ctx.file.src,
            patches = ctx.files.patches,
        ),
    ]

source_tree = rule(
    doc = """Unpacks an archive and patches what it holds.

Outputs: one tree artifact, NAME. `--output_groups=unpacked` gives the tree
before the patches, which is what `patch check` and `patch refresh` want.

Errors: each action fails with one message that names the archive and the
member, or the patch, the hunk and the line.""",
    implementation = _source_tree_impl,
    provides = [SourceInfo],
    attrs = {
        "src": attr.label(
            doc = "The archive: .tar.gz, .tgz, .crate, .tar.xz, .tar.bz2, .tar, .zip, .whl or .jar.",
            allow_single_file = True,
            mandatory = True,
        ),
        "patches": attr.label_list(
            doc = "Patch files, applied in the order given.",
            allow_files = [".patch"],
        ),
        "strip": attr.int(
            doc = "Leading components to remove from the names in the archive. An sdist has one, name-version.",
            default = 1,
        ),
        "patch_strip": attr.int(
            doc = "Leading components to remove from the names in the patches. Git's have one, a/ or b/.",
            default = 1,
        ),
        "allow_offset": attr.bool(
            doc = "Apply hunks whose text has moved, unchanged, to one other place; each is reported in the build's output.",
        ),
        "exclude": attr.string_list(
            doc = "Members not to unpack, as patterns of stripped names (`tests/**`): the way round names that Windows cannot hold.",
        ),
        "_unpack": attr.label(
            default = "//go/cmd/unpack",
            cfg = "exec",
            executable = True,
        ),
        "_patch": attr.label(
            default = "//go/cmd/patch/action",
            cfg = "exec",
            executable = True,
        ),
    },
)
