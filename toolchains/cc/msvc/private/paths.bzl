"""What cl.exe, link.exe and their kin are told of where everything is: `msvc_paths`, a pure function."""

# Targets: Visual C++'s name of the machine, the folders of lib, and flags of compiler and linker.
TARGETS = {
    "win_arm64_msvc": struct(
        machine = "ARM64",
        libraries = ["arm64"],
        sdk_libraries = ["arm64"],
        compile = [],
    ),
    # https://learn.microsoft.com/windows/arm/arm64ec-build: /arm64EC for the compiler, /MACHINE:ARM64EC for the linker.
    # softintrin.lib is linked by what calls x64's intrinsics.
    "win_arm64ec": struct(
        machine = "ARM64EC",
        libraries = ["arm64ec", "x64"],
        sdk_libraries = ["arm64", "x64"],
        compile = ["/arm64EC"],
    ),
}

def msvc_paths(found, target):
    """Programs, folders and the whole environment of Visual C++'s programs.

    Args:
      found: struct, see `discover`, with nothing missing.
      target: key of TARGETS.

    Returns:
      struct(bin, programs, include, lib, path, env, versions, target): `bin` is the folder of cl.exe; `programs` are name =
      path; `include`, `lib` and `path` are lists of folders; `env` is the whole environment of an action, with nothing of
      the machine's own; `versions` is name = version of what is not among the action's inputs.
    """
    tools = "%s/VC/Tools/MSVC/%s" % (found.install, found.tools)
    about = TARGETS[target]
    folders = ["%s/%s" % (tools, folder) for folder in found.folders]
    sdk_bin = "%s/bin/%s/%s" % (found.kits, found.sdk, found.sdk_host)
    include = [tools + "/include"] + [
        "%s/Include/%s/%s" % (found.kits, found.sdk, part)
        for part in ["ucrt", "shared", "um", "winrt"]
    ]
    lib = ["%s/lib/%s" % (tools, name) for name in about.libraries] + [
        "%s/Lib/%s/%s/%s" % (found.kits, found.sdk, part, name)
        for part in ["ucrt", "um"]
        for name in about.sdk_libraries
    ]
    path = folders + [sdk_bin, found.system_root + "/System32", found.system_root]
    versions = {
        "VCToolsVersion": found.tools,
        "VSCMD_VER": found.visual_studio,
        "WindowsSDKVersion": found.sdk,
    }
    temp = found.system_root + "/Temp"
    return struct(
        target = target,
        bin = folders[0],
        programs = {
            "armasm64": folders[0] + "/armasm64.exe",
            "cl": folders[0] + "/cl.exe",
            "lib": folders[0] + "/lib.exe",
            "link": folders[0] + "/link.exe",
            "mt": sdk_bin + "/mt.exe",
            "rc": sdk_bin + "/rc.exe",
        },
        include = include,
        lib = lib,
        path = path,
        versions = versions,
        # Microsoft's variables have backslashes, and semicolons on every machine that can use them. English messages:
        # Bazel reads /showIncludes. The versions are variables of Microsoft's own command prompts; they are here since an
        # action's key holds its environment, and two machines with other compilers must not share results.
        env = {
            "INCLUDE": _join(include),
            "LIB": _join(lib),
            "PATH": _join(path),
            "SystemRoot": found.system_root.replace("/", "\\"),
            "TEMP": temp.replace("/", "\\"),
            "TMP": temp.replace("/", "\\"),
            "VSLANG": "1033",
        } | versions,
    )

def _join(folders):
    return ";".join([folder.replace("/", "\\") for folder in folders])
