"""Where Visual C++ for ARM64 is: pure functions on what vswhere and the file system answer.

`discover` is given the machine as a struct of functions, so that a test is a machine, too. Layouts: Visual Studio's
VC\\Tools\\MSVC\\VERSION\\bin\\HostHOST\\TARGET and lib\\TARGET, and the Windows SDK's Include\\VERSION, Lib\\VERSION and
bin\\VERSION\\HOST. vswhere's arguments: https://github.com/microsoft/vswhere/wiki.
"""

# Each thing that can be missing: a constraint_value of //toolchains/cc/msvc, which Bazel prints as the reason.
NEEDS_WINDOWS = "needs_windows_as_the_machine_that_builds"
NEEDS_VISUAL_STUDIO = "needs_visual_studio_build_tools"
NEEDS_ARM64_TOOLS = "needs_visual_cpp_tools_for_arm64"
NEEDS_SDK = "needs_windows_sdk"

_WINGET = "winget install Microsoft.VisualStudio.2022.BuildTools --override \"--quiet --wait --add %s\""
_ARM64_COMPONENT = "Microsoft.VisualStudio.Component.VC.Tools.ARM64"

# reason = (what is missing, what to do).
REASONS = {
    NEEDS_WINDOWS: ("cl.exe runs on Windows only", "build on Windows on ARM or x64 Windows"),
    NEEDS_VISUAL_STUDIO: (
        "vswhere knows no Visual Studio",
        _WINGET % ("Microsoft.VisualStudio.Workload.VCTools --add " + _ARM64_COMPONENT + " --add Microsoft.VisualStudio.Component.Windows11SDK.26100"),
    ),
    NEEDS_ARM64_TOOLS: ("Visual Studio has no compiler for ARM64", _WINGET % _ARM64_COMPONENT),
    NEEDS_SDK: ("no Windows SDK with ARM64 libraries", _WINGET % "Microsoft.VisualStudio.Component.Windows11SDK.26100"),
}

# Machines that cl.exe runs on, by the names of //toolchains/cc: Visual C++'s and the SDK's folders for them, best first.
# An ARM64 machine runs x64 programs, so the cross compiler serves there, too.
HOSTS = {
    "windows_arm64": [("Hostarm64", "arm64"), ("Hostx64", "x64")],
    "windows_x86_64": [("Hostx64", "x64")],
}

# What a build asks for by name; all must be there.
_PROGRAMS = ["cl.exe", "lib.exe", "link.exe"]

# The fields of what `discover` returns.
FIELDS = ["folders", "host", "install", "kits", "missing", "sdk", "sdk_host", "system_root", "tools", "visual_studio"]

def vswhere_args(require_arm64):
    """vswhere's arguments.

    Args:
      require_arm64: only installations with the ARM64 compiler.

    Returns:
      list of strings.
    """
    args = ["-latest", "-products", "*", "-format", "json", "-utf8", "-nologo"]
    return args + (["-requires", _ARM64_COMPONENT] if require_arm64 else [])

def discover(machine):
    """Looks for Visual C++.

    Args:
      machine: struct of
        os, cpu: strings as `repository_ctx.os` has them;
        vswhere: function of a list of arguments; what it prints, None where there is no vswhere;
        exists: function of a path;
        read: function of a path; the file's text, None where there is none;
        list: function of a path; names in a folder, [] where there is none;
        kits: path of the Windows Kits folder with Include, Lib and bin;
        system_root: path of Windows.

    Returns:
      struct(missing, host, install, visual_studio, tools, sdk, kits, folders, sdk_host, system_root); `missing` is a list
      of keys of REASONS and empty if all is there. Paths have slashes. `folders` are Visual C++'s folder of the host and
      the one that its own DLLs are in.
    """
    if not machine.os.startswith("windows"):
        return _missing(NEEDS_WINDOWS)
    host = "windows_arm64" if machine.cpu in ["aarch64", "arm64"] else "windows_x86_64"
    found = _installation(machine.vswhere(vswhere_args(True)))
    if not found:
        return _missing(NEEDS_ARM64_TOOLS if _installation(machine.vswhere(vswhere_args(False))) else NEEDS_VISUAL_STUDIO)
    install = _slashes(found["installationPath"])
    version = machine.read(install + "/VC/Auxiliary/Build/Microsoft.VCToolsVersion.default.txt")
    version = version.strip() if version else _newest(machine.list(install + "/VC/Tools/MSVC"))
    if not version:
        return _missing(NEEDS_ARM64_TOOLS)
    root = "%s/VC/Tools/MSVC/%s" % (install, version)
    folder = _first_folder(machine, root, host)
    if not folder or not machine.exists(root + "/lib/arm64/msvcrt.lib"):
        return _missing(NEEDS_ARM64_TOOLS)
    kits = _slashes(machine.kits)
    sdk = _newest([
        name
        for name in machine.list(kits + "/Lib")
        if machine.exists("%s/Lib/%s/um/arm64/kernel32.lib" % (kits, name)) and
           machine.exists("%s/Lib/%s/ucrt/arm64/ucrt.lib" % (kits, name)) and
           machine.exists("%s/Include/%s/um/Windows.h" % (kits, name))
    ])
    if not sdk:
        return _missing(NEEDS_SDK)
    name, sdk_host = folder
    return struct(
        missing = [],
        host = host,
        install = install,
        visual_studio = found.get("installationVersion", ""),
        tools = version,
        sdk = sdk,
        kits = kits,
        # mspdbcore.dll and its kin are in the host's own folder, not in the cross compiler's.
        folders = ["bin/%s/arm64" % name] + (["bin/Hostx64/x64"] if name == "Hostx64" else []),
        sdk_host = sdk_host,
        system_root = _slashes(machine.system_root),
    )

def explain(missing):
    """What is missing and what to do.

    Args:
      missing: keys of REASONS.

    Returns:
      string, a line for each.
    """
    return "\n".join(["Visual C++: %s; to mend it: %s" % REASONS[reason] for reason in missing])

def _missing(reason):
    return struct(
        missing = [reason],
        host = "",
        install = "",
        visual_studio = "",
        tools = "",
        sdk = "",
        kits = "",
        folders = [],
        sdk_host = "",
        system_root = "",
    )

def _installation(text):
    """The newest installation that vswhere prints, or None."""
    found = json.decode(text, default = None) if text else None
    if type(found) != "list" or not found or type(found[0]) != "dict" or not found[0].get("installationPath"):
        return None
    return found[0]

def _first_folder(machine, root, host):
    for name, sdk_host in HOSTS[host]:
        if all([machine.exists("%s/bin/%s/arm64/%s" % (root, name, program)) for program in _PROGRAMS]):
            return name, sdk_host
    return None

def _newest(names):
    """The name with the greatest version number, or None. Names that are no version numbers do not count."""
    versions = []
    for name in names:
        parts = name.split(".")
        if all([part.isdigit() for part in parts]):
            versions.append(([int(part) for part in parts], name))
    return sorted(versions)[-1][1] if versions else None

def _slashes(path):
    return path.replace("\\", "/").rstrip("/")
