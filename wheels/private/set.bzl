"""`wheel_set`: every wheel of a package, as data for tests and tools.

    wheel_set(
        name = "set",
        wheels = [":soxr", ":pywavelets"],
    )

Its first output is NAME.json: a list, sorted by pin and platform, of

    {"pin": "soxr", "version": "1.1.0", "platform": "win_arm64", "origin": "built", "file": "soxr-1.1.0-cp312-abi3-win_arm64.whl",
     "path": "wheels/soxr-1.1.0-cp312-abi3-win_arm64.whl"}

where `path` is the wheel's runfiles path inside the main repository and `origin` is "built" or "upstream". The wheels are its runfiles.
"""

load("//wheels:providers.bzl", "WheelInfo", "WheelsInfo")

def _wheel_set_impl(ctx):
    infos = [
        info
        for target in ctx.attr.wheels
        for info in (target[WheelsInfo].wheels if WheelsInfo in target else [target[WheelInfo]])
    ]
    lines = {
        (info.pin, info.platform): struct(
            pin = info.pin,
            version = info.version,
            platform = info.platform,
            origin = info.origin,
            file = info.wheel.basename,
            path = info.wheel.short_path,
        )
        for info in infos
    }
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(out, json.encode_indent([lines[key] for key in sorted(lines)], indent = "  ") + "\n")
    wheels = depset([info.wheel for info in infos])
    return [
        DefaultInfo(
            files = depset([out]),
            runfiles = ctx.runfiles([out], transitive_files = wheels),
        ),
        OutputGroupInfo(wheels = wheels),
    ]

wheel_set = rule(
    implementation = _wheel_set_impl,
    doc = "Lists wheels with their pins and platforms. Output group `wheels`: the wheels themselves.",
    attrs = {
        "wheels": attr.label_list(
            doc = "Wheels, on one platform or on all of theirs.",
            mandatory = True,
            providers = [[WheelInfo], [WheelsInfo]],
        ),
    },
)
