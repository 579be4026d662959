"""`wheel_index`: a package index of wheels, as a folder of static files; `wheel_index_server` serves it.

    load("//wheels/private:index.bzl", "wheel_index")

    wheel_index(
        name = "index",
        wheels = [":soxr", ":pywavelets"],
    )

docs/index.md says how to install from it; go/index what lies where.
"""

load("//wheels:providers.bzl", "WheelsInfo")

def _wheel_index_impl(ctx):
    infos = {
        (info.pin, info.platform): info
        for target in ctx.attr.wheels
        for info in target[WheelsInfo].wheels
    }
    infos = [infos[key] for key in sorted(infos)]
    listing = ctx.actions.declare_file(ctx.label.name + ".listing.json")
    ctx.actions.write(listing, json.encode_indent(struct(
        repositories = ctx.file._repositories.path,
        wheels = [
            struct(
                pin = info.pin,
                platform = info.platform,
                wheel = info.wheel.path,
                report = info.report.path,
                provenance = info.provenance.path if info.provenance else "",
                origin = info.origin,
            )
            for info in infos
        ],
    ), indent = "  ") + "\n")
    site = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add("build")
    args.add("--listing", listing)
    args.add_all("--out", [site], expand_directories = False)
    inputs = [ctx.file._repositories] + [file for info in infos for file in [info.wheel, info.report, info.provenance] if file]
    if ctx.file.yanks:
        args.add("--yanks", ctx.file.yanks)
        inputs.append(ctx.file.yanks)
    ctx.actions.run(
        mnemonic = "WheelIndex",
        executable = ctx.executable._index_tool,
        arguments = [args],
        inputs = [listing] + inputs,
        outputs = [site],
        progress_message = "Making the package index %{label}",
    )
    return [
        DefaultInfo(files = depset([site]), runfiles = ctx.runfiles([site])),
        OutputGroupInfo(listing = depset([listing] + inputs)),
    ]

wheel_index = rule(
    implementation = _wheel_index_impl,
    doc = """A package index of wheels: pages for pip and uv, the wheels with their METADATA and provenance, set.json.

Output: one folder, NAME. Output group `listing`: NAME.listing.json, which `index build --listing` takes, and what it
names. Fails when a wheel cannot be read or `yanks` names a file that is not in the index.""",
    attrs = {
        "wheels": attr.label_list(
            doc = "Targets of pep517_wheel.",
            mandatory = True,
            providers = [WheelsInfo],
        ),
        "yanks": attr.label(
            doc = "JSON object from file name to the reason why installers should pass it over (PEP 592).",
            allow_single_file = [".json"],
        ),
        "_index_tool": attr.label(
            default = "//go/cmd/index",
            cfg = "exec",
            executable = True,
        ),
        "_repositories": attr.label(
            doc = "Its digest stands for all pins.",
            default = "//third_party:repositories.bzl",
            allow_single_file = True,
        ),
    },
)

def _wheel_index_server_impl(ctx):
    tool = ctx.executable._index_tool
    executable = ctx.actions.declare_file(ctx.label.name + (".exe" if tool.extension == "exe" else ""))
    ctx.actions.symlink(output = executable, target_file = tool, is_executable = True)
    site = ctx.file.index
    return [
        DefaultInfo(
            executable = executable,
            runfiles = ctx.runfiles([site]).merge(ctx.attr._index_tool[DefaultInfo].default_runfiles),
        ),
        # `bazel run` starts the program in the runfiles of the main repository.
        RunEnvironmentInfo(environment = {"SPARKWHEELS_INDEX": site.short_path}),
    ]

wheel_index_server = rule(
    implementation = _wheel_index_server_impl,
    doc = "Serves an index on this machine when run: ./bazelw run //wheels:serve [-- --listen ADDRESS].",
    attrs = {
        "index": attr.label(
            doc = "Target of wheel_index.",
            allow_single_file = True,
            mandatory = True,
        ),
        "_index_tool": attr.label(
            default = "//go/cmd/index",
            cfg = "exec",
            executable = True,
        ),
    },
    executable = True,
)
