"""`git_tree`: the files of one commit of a git repository."""

_BUILD = """\
# One source directory: big trees cost an action one link instead of one per file.
filegroup(
    name = "file",
    srcs = ["src"],
    visibility = ["//visibility:public"],
)
"""

# What the user's own git configuration must not decide: line endings, hooks, and programs that rewrite files on checkout.
_NEUTRAL = [
    "-c",
    "core.autocrlf=false",
    "-c",
    "core.eol=lf",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "advice.detachedHead=false",
    "-c",
    "init.defaultBranch=main",
]

def _folder(rctx):
    # An overlay names files where upstream has them; without one they are a folder of their own.
    return "." if rctx.attr.overlay else "src"

def _git(rctx, git, args, what):
    result = rctx.execute(
        [git] + _NEUTRAL + args,
        timeout = rctx.attr.timeout,
        environment = {"GIT_LFS_SKIP_SMUDGE": "1", "GIT_TERMINAL_PROMPT": "0"},
        working_directory = _folder(rctx),
    )
    if result.return_code != 0:
        fail("pin \"{}\": {} of {} failed:\n{}".format(rctx.original_name, what, rctx.attr.remote, result.stderr.strip()))
    return result.stdout.strip()

def _git_tree_impl(rctx):
    commit = rctx.attr.commit
    git = rctx.which("git")
    if not git:
        fail("pin \"{}\": there is no git on PATH: install git".format(rctx.original_name))
    if not rctx.attr.overlay:
        rctx.file("src/.keep", "")
        rctx.delete("src/.keep")
    _git(rctx, git, ["init", "--quiet"], "git init for a checkout")
    _git(rctx, git, ["fetch", "--quiet", "--depth=1", "--no-tags", rctx.attr.remote, commit], "fetching commit {}".format(commit))
    _git(rctx, git, ["checkout", "--quiet", "--detach", "FETCH_HEAD"], "checking out commit {}".format(commit))
    got = _git(rctx, git, ["rev-parse", "HEAD"], "reading the commit id")
    if got != commit:
        fail("pin \"{}\": {} gave commit {} for {}".format(rctx.original_name, rctx.attr.remote, got, commit))
    if rctx.attr.submodules:
        _git(rctx, git, ["remote", "add", "origin", rctx.attr.remote], "naming the remote")
        _git(rctx, git, ["submodule", "--quiet", "update", "--init", "--recursive", "--depth=1"], "fetching the submodules")
    _delete_git(rctx)
    rctx.file("BUILD.bazel", rctx.read(rctx.attr.overlay) if rctx.attr.overlay else _BUILD)

def _delete_git(rctx):
    # git's own files hold times and the remote's name: they would be part of the tree's content.
    pending = [rctx.path(_folder(rctx))]
    for _ in range(100000):
        if not pending:
            return
        folder = pending.pop()
        for child in folder.readdir(watch = "no"):
            if child.basename == ".git":
                rctx.delete(child)
            elif rctx.attr.submodules and child.is_dir:
                pending.append(child)

git_tree = repository_rule(
    implementation = _git_tree_impl,
    doc = """The files of a commit, with its submodules if asked for, as the source directory `src`, target `:file`; with an
overlay, as the repository's own files.

Line endings stay as they are in the repository, no hook runs, no large-file filter. Needs git on PATH. The user's own git
configuration decides about proxies, credentials and mirrors (`url.<base>.insteadOf`).""",
    attrs = {
        "commit": attr.string(doc = "The full commit id.", mandatory = True),
        "overlay": attr.label(
            doc = "BUILD file of the commit's root.",
            allow_single_file = True,
        ),
        "remote": attr.string(doc = "The repository's address.", mandatory = True),
        "submodules": attr.bool(doc = "Whether to fetch all submodules, recursively."),
        "timeout": attr.int(doc = "Seconds that one git command may take.", default = 3600),
    },
)
