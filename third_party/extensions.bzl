"""The module extension `pins`: every repository of third_party/pins.json."""

load(":repositories.bzl", "UNPACKED", "repositories")

def _pins_impl(mctx):
    repositories()
    return mctx.extension_metadata(
        # `bazel mod tidy` keeps use_repo in MODULE.bazel up to date with this.
        root_module_direct_deps = ["pins"] + UNPACKED,
        root_module_direct_dev_deps = [],
        reproducible = True,
    )

pins = module_extension(
    implementation = _pins_impl,
    doc = """One repository per pin, named after it, and the repository `pins` with an alias for each single file.

BUILD files say `@pins//:soxr` for a file and `@ziglang_linux_x86_64//:zig` for a target of an unpacked repository.""",
)
