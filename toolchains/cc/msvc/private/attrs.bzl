"""Attributes that several rules of Visual C++ have."""

load(":paths.bzl", "TARGETS")

# What was found, and for which target it is used.
FOUND_ATTRS = {
    "found": attr.string(
        doc = "What `discover` found, as JSON.",
        mandatory = True,
    ),
    "target": attr.string(
        doc = "The target.",
        mandatory = True,
        values = TARGETS.keys(),
    ),
}
