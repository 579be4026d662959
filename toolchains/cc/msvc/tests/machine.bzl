"""A Windows machine with Build Tools that a test makes up: files, and what its vswhere prints."""

load("//toolchains/cc/msvc/private:discover.bzl", "vswhere_args")

_TOOLS = "/BuildTools/VC/Tools/MSVC/14.44.35207"
_FOLDERS = ["Hostarm64/arm64", "Hostx64/arm64"]

# Files of the machine, below its root.
FILES = {
    "/BuildTools/VC/Auxiliary/Build/Microsoft.VCToolsVersion.default.txt": "14.44.35207\r\n",
    _TOOLS + "/lib/arm64/msvcrt.lib": "",
} | {
    "%s/bin/%s/%s" % (_TOOLS, folder, program): ""
    for folder in _FOLDERS
    for program in ["cl.exe", "lib.exe", "link.exe"]
} | {
    "/Kits/%s" % name: ""
    # The newest has no ARM64 libraries, and 9 is less than 26.
    for name in [
        "Include/10.0.26100.0/um/Windows.h",
        "Include/10.0.9600.0/um/Windows.h",
        "Include/10.0.28000.0/um/Windows.h",
        "Lib/10.0.26100.0/ucrt/arm64/ucrt.lib",
        "Lib/10.0.26100.0/um/arm64/kernel32.lib",
        "Lib/10.0.9600.0/ucrt/arm64/ucrt.lib",
        "Lib/10.0.9600.0/um/arm64/kernel32.lib",
        "Lib/10.0.28000.0/um/x64/kernel32.lib",
        "Lib/wdf/readme.txt",
    ]
}

def vswhere_answer(root):
    """What vswhere prints.

    Args:
      root: of the machine.

    Returns:
      JSON.
    """
    return json.encode([{
        "installationPath": root + "/BuildTools",
        "installationVersion": "17.14.36310.24",
    }])

def machine(root = "C:", without = [], cpu = "arm64", os = "windows server 2022", answer = None, arm64 = True):
    """A machine for `discover`.

    Args:
      root: its root.
      without: parts of names of files that are not there.
      cpu: as Bazel says it.
      os: as Bazel says it.
      answer: what vswhere prints; None for what is right.
      arm64: whether vswhere knows the ARM64 component.

    Returns:
      struct, see `discover`.
    """
    files = {
        root + name: text
        for name, text in FILES.items()
        if not [part for part in without if part in name]
    }

    def vswhere(args):
        if args == vswhere_args(True) and not arm64:
            return "[]"
        return vswhere_answer(root.replace("/", "\\")) if answer == None else answer

    return struct(
        os = os,
        cpu = cpu,
        vswhere = vswhere,
        exists = lambda path: path in files,
        read = files.get,
        list = lambda path: {name[len(path) + 1:].split("/")[0]: None for name in files if name.startswith(path + "/")}.keys(),
        kits = root + "\\Kits",
        system_root = root + "\\Windows",
    )
