"""`wheel_report`: one HTML page about a set, from its index and the plan.

    load("//wheels/private:report.bzl", "wheel_report")

    wheel_report(
        name = "report",
        index = ":index",
    )

`./bazelw run //go/cmd/report` adds build times and a comparison with another set.
"""

def _wheel_report_impl(ctx):
    page = ctx.actions.declare_file(ctx.label.name + ".html")
    args = ctx.actions.args()
    args.add_all("--site", [ctx.file.index], expand_directories = False)
    args.add("--out", page)

    # The two lie side by side.
    args.add("--base", ctx.file.index.basename + "/")
    ctx.actions.run(
        mnemonic = "WheelReport",
        executable = ctx.executable._report_tool,
        arguments = [args],
        inputs = depset([ctx.file.index], transitive = [dep[DefaultInfo].files for dep in ctx.attr.plan]),
        outputs = [page],
        progress_message = "Writing %{output}",
    )
    return [DefaultInfo(files = depset([page]))]

wheel_report = rule(
    implementation = _wheel_report_impl,
    doc = "One self-contained HTML page about a set of wheels. Output: NAME.html.",
    attrs = {
        "index": attr.label(
            doc = "Target of wheel_index.",
            allow_single_file = True,
            mandatory = True,
        ),
        "plan": attr.label_list(
            doc = "The files that the plan is made of, in their places: pins.json, wheels/BUILD.bazel, patches, overlays.",
            allow_files = True,
        ),
        "_report_tool": attr.label(
            default = "//go/cmd/report",
            cfg = "exec",
            executable = True,
        ),
    },
)
