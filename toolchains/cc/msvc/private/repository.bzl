"""The repository rule `visual_cpp_repository`: what `discover` finds on this machine."""

load(":discover.bzl", "FIELDS", "NEEDS_WINDOWS", "discover", "explain")

# Where vswhere and the SDK are looked for instead of Microsoft's folders, and arm64 or amd64 instead of what Bazel's JVM
# says, which an x64 Bazel on an ARM64 machine gets wrong.
_VSWHERE = "SPARKWHEELS_VSWHERE"
_KITS = "SPARKWHEELS_WINDOWS_KITS"
_MACHINE = "SPARKWHEELS_WINDOWS_MACHINE"

_ENVIRON = [
    _KITS,
    _MACHINE,
    _VSWHERE,
    "ProgramFiles(x86)",
    "SystemRoot",
]

_FOUND = '''"""Visual C++ of this machine, as //toolchains/cc/msvc/private:discover.bzl found it."""

VISUAL_CPP = struct(
{fields}
)
'''

def write_found(rctx, env):
    """Asks the machine and writes the repository.

    Args:
      rctx: the repository's context.
      env: the environment variables to go by.
    """
    asks = rctx.os.name.startswith("windows") or bool(env.get(_VSWHERE))
    programs = env.get("ProgramFiles(x86)", "C:/Program Files (x86)")
    vswhere = rctx.path(env.get(_VSWHERE) or programs + "/Microsoft Visual Studio/Installer/vswhere.exe") if asks else None

    def ask(args):
        if not vswhere.exists:
            return None
        done = rctx.execute([vswhere] + args)
        if done.return_code:
            fail("%s: exit code %d: %s" % (vswhere, done.return_code, done.stderr or done.stdout))
        return done.stdout

    found = discover(struct(
        # Whoever names a vswhere means Windows.
        os = "windows" if asks else rctx.os.name,
        cpu = env.get(_MACHINE) or rctx.os.arch,
        vswhere = ask,
        exists = lambda path: rctx.path(path).exists,
        read = lambda path: rctx.read(path, watch = "no") if rctx.path(path).exists else None,
        list = lambda path: [entry.basename for entry in rctx.path(path).readdir(watch = "no")] if rctx.path(path).exists else [],
        kits = env.get(_KITS) or programs + "/Windows Kits/10",
        system_root = env.get("SystemRoot", "C:/Windows"),
    ))
    fields = "\n".join(["    %s = %s," % (name, repr(getattr(found, name))) for name in sorted(FIELDS)])
    rctx.file("BUILD.bazel", "exports_files([\"found.bzl\"])\n")
    rctx.file("found.bzl", _FOUND.format(fields = fields))
    if found.missing and found.missing != [NEEDS_WINDOWS]:
        # Whoever builds nothing that needs it may go on.
        # buildifier: disable=print
        print(explain(found.missing))

def _impl(rctx):
    write_found(rctx, rctx.os.environ)

visual_cpp_repository = repository_rule(
    implementation = _impl,
    doc = """Finds Visual C++ for ARM64 and a Windows SDK with vswhere, and writes found.bzl with what it found.

Nothing is copied: found.bzl names folders and versions, and the toolchains of //toolchains/cc/msvc put them into the keys
of actions. Where something is missing, found.bzl says what; on Windows, it is printed with what to install. The variables
SPARKWHEELS_VSWHERE (the program) and SPARKWHEELS_WINDOWS_KITS (the folder with Include, Lib and bin) replace Microsoft's
places; SPARKWHEELS_WINDOWS_MACHINE (arm64 or amd64) replaces what Bazel's JVM says, which is amd64 for an x64 Bazel. Errors: vswhere ends with another exit code than 0.""",
    configure = True,
    environ = _ENVIRON,
    local = True,
)
