"""`pins_hub`: the repository `pins`, with one alias per pin, so that BUILD files say `@pins//:soxr`."""

_ALIAS = """
alias(
    name = "{pin}",
    actual = "@{pin}//:file",
    visibility = ["//visibility:public"],
)
"""

def _pins_hub_impl(rctx):
    rctx.file("BUILD.bazel", "\"\"\"One alias per pin of third_party/pins.json.\"\"\"\n" +
                             "".join([_ALIAS.format(pin = pin) for pin in rctx.attr.pins]))

pins_hub = repository_rule(
    implementation = _pins_hub_impl,
    doc = "A repository of aliases. An alias fetches nothing until it is built.",
    attrs = {
        "pins": attr.string_list(doc = "Names of the pins that are single files or source trees.", mandatory = True),
    },
)
