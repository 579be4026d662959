"""Providers of the Python toolchains."""

PythonRuntimeInfo = provider(
    doc = "An interpreter that actions run. Never the machine's own.",
    fields = {
        "tree": "File: folder (tree artifact) with the whole interpreter, relocatable.",
        "interpreter": "string: path of the program inside `tree`.",
    },
)

PythonTargetInfo = provider(
    doc = "What stands for a target's Python while something is built for it.",
    fields = {
        "tree": "File: folder with include/, libs/, pkgconfig/, sysconfig/ and build-details.json (PEP 739).",
        "platform": "string: name in toolchains/python/pep517/target.py, such as win_arm64.",
    },
)

PythonPackageInfo = provider(
    doc = "Unpacked wheels that a build may import, or whose headers it includes.",
    fields = {
        "wheel": "File: the pinned wheel of the package itself.",
        "wheels": "depset of File: the pinned wheels behind `trees`.",
        "trees": "depset of File: one folder per wheel, its own and those of its dependencies.",
    },
)
