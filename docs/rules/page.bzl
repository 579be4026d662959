"""`bzl_page` and `build_page`: pages of this folder, made from docstrings, and what compares them with the ones checked in.

    bzl_page(
        name = "python",
        modules = {"//toolchains/python:defs.bzl": []},
        title = "Python toolchains",
        deps = ["//toolchains/python:defs"],
    )

`pages` comes last in the BUILD file: it declares the command that writes all pages into the source tree.
"""

load("@bazel_lib//lib:write_source_files.bzl", "write_source_files")
load("@bazel_skylib//rules:run_binary.bzl", "run_binary")

# What the pages say they are made by.
_COMMAND = "./bazelw run //docs/rules:update"

# The target NAME.page makes NAME.made.md; NAME.md is checked in.
_MADE = ".page"

def bzl_page(name, title, modules, deps):
    """Declares the page of some .bzl files.

    Args:
      name: the page's name: NAME.md.
      title: the page's title.
      modules: labels of the .bzl files, in the page's order, to the names to show; everything that a file exports if empty.
      deps: bzl_library targets of what the files load.
    """
    extracts = []
    for module, symbols in modules.items():
        extract = "%s.%s" % (name, module.removeprefix("//").removesuffix(".bzl").replace("/", "_").replace(":", "_"))
        native.starlark_doc_extract(
            name = extract,
            src = module,
            symbol_names = symbols,
            deps = deps,
        )
        extracts.append(extract)
    _page(name, title, extracts)

def build_page(name, title, file):
    """Declares the page of a BUILD file's targets.

    Args:
      name: the page's name: NAME.md.
      title: the page's title.
      file: label of the BUILD file, which must have a docstring.
    """
    _page(name, title, [file])

def pages(name):
    """Declares the command that writes the pages into the source tree, and `made`, all pages as they should be.

    Args:
      name: name of the command's target.
    """
    made = {
        page.removesuffix(_MADE) + ".md": page
        for page in native.existing_rules()
        if page.endswith(_MADE)
    }
    native.filegroup(
        name = "made",
        srcs = made.values(),
    )
    write_source_files(
        name = name,
        # rules_test.go does that, on every operating system and without a diff program.
        diff_test = False,
        files = made,
    )

def _page(name, title, srcs):
    out = name + ".made.md"
    run_binary(
        name = name + _MADE,
        srcs = srcs,
        outs = [out],
        args = [
            "--out=$(execpath %s)" % out,
            "--title=" + title,
            "--command=" + _COMMAND,
        ] + ["$(execpath %s)" % src for src in srcs],
        tool = "//go/cmd/bzldoc",
    )
