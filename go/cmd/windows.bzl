"""The commands, cross-compiled for Windows."""

load("@rules_go//go:def.bzl", "go_cross_binary")

# GOARCH of each Windows that the commands are written for.
_GOARCHES = [
    "amd64",
    "arm64",
]

def windows_binaries(name):
    """Cross-compiles the go_binary of every folder beside the BUILD file.

    The folders are the subpackages, not a list: a new command is built for Windows from its first day. Its binary has
    the name of its folder. The builds need no C compiler, as the commands are pure Go.

    Args:
      name: a filegroup of all binaries; each one is the target windows_GOARCH/COMMAND.exe.
    """

    # A command that Bazel does not know is no subpackage and would be missed.
    stray = native.glob(["*/**/*.go"], allow_empty = True)
    if stray:
        fail("{} has no BUILD.bazel: write one (bazel run //:gazelle), or it is not built for Windows".format(stray[0]))

    binaries = []
    for command in native.subpackages(include = ["*"]):
        for goarch in _GOARCHES:
            binary = "windows_{}/{}.exe".format(goarch, command)
            go_cross_binary(
                name = binary,
                platform = Label("@rules_go//go/toolchain:windows_" + goarch),
                target = "//{}/{}".format(native.package_name(), command),
                # The loader tests run some under ARM64 Wine.
                visibility = ["//e2e:__subpackages__"],
            )
            binaries.append(binary)
    native.filegroup(
        name = name,
        srcs = binaries,
    )
