"""Tests of `discover` and of what its repository rule writes."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("@fake_visual_cpp_arm64//:found.bzl", ARM64 = "VISUAL_CPP")
load("@fake_visual_cpp_x64//:found.bzl", X64 = "VISUAL_CPP")
load(
    "//toolchains/cc/msvc/private:discover.bzl",
    "FIELDS",
    "NEEDS_ARM64_TOOLS",
    "NEEDS_SDK",
    "NEEDS_VISUAL_STUDIO",
    "NEEDS_WINDOWS",
    "REASONS",
    "discover",
    "explain",
)
load("//toolchains/cc/msvc/private:paths.bzl", "msvc_paths")
load(":machine.bzl", "machine")

def _found_impl(ctx):
    env = unittest.begin(ctx)
    found = discover(machine())
    asserts.equals(env, [], found.missing)
    asserts.equals(
        env,
        ["windows_arm64", "C:/BuildTools", "14.44.35207", "10.0.26100.0", "17.14.36310.24", "C:/Kits"],
        [found.host, found.install, found.tools, found.sdk, found.visual_studio, found.kits],
    )
    asserts.equals(env, ["bin/Hostarm64/arm64"], found.folders)

    # The cross compiler's own DLLs are in its host's folder.
    crossing = discover(machine(cpu = "amd64"))
    asserts.equals(env, ["bin/Hostx64/arm64", "bin/Hostx64/x64"], crossing.folders)
    asserts.equals(env, "windows_x86_64", crossing.host)

    # An ARM64 machine without ARM64 programs has the x64 ones.
    asserts.equals(env, crossing.folders, discover(machine(without = ["Hostarm64"])).folders)

    # Without the default version's file: the newest.
    asserts.equals(env, "14.44.35207", discover(machine(without = ["default.txt"])).tools)
    for name in FIELDS:
        asserts.true(env, hasattr(found, name), name)
    return unittest.end(env)

found_test = unittest.make(_found_impl)

def _missing_impl(ctx):
    env = unittest.begin(ctx)
    for reason, odd in [
        (NEEDS_WINDOWS, machine(os = "linux")),
        (NEEDS_VISUAL_STUDIO, machine(answer = "[]")),
        (NEEDS_VISUAL_STUDIO, machine(answer = "no JSON")),
        (NEEDS_VISUAL_STUDIO, machine(answer = "")),
        (NEEDS_ARM64_TOOLS, machine(arm64 = False)),
        (NEEDS_ARM64_TOOLS, machine(without = ["cl.exe"])),
        (NEEDS_ARM64_TOOLS, machine(without = ["msvcrt.lib"])),
        (NEEDS_ARM64_TOOLS, machine(without = ["VC/"])),
        (NEEDS_SDK, machine(without = ["Kits"])),
        (NEEDS_SDK, machine(without = ["arm64/ucrt.lib"])),
        (NEEDS_SDK, machine(without = ["Windows.h"])),
    ]:
        asserts.equals(env, [reason], discover(odd).missing)
        asserts.true(env, REASONS[reason][1] in explain([reason]), reason)
    return unittest.end(env)

missing_test = unittest.make(_missing_impl)

def _repository_impl(ctx):
    env = unittest.begin(ctx)
    for found, host in [(ARM64, "windows_arm64"), (X64, "windows_x86_64")]:
        asserts.equals(env, [], found.missing)
        asserts.equals(env, [host, "14.44.35207", "10.0.26100.0", "17.14.36310.24"], [found.host, found.tools, found.sdk, found.visual_studio])
        asserts.true(env, found.install.endswith("/root/BuildTools"), found.install)
        paths = msvc_paths(found, "win_arm64_msvc")
        asserts.equals(env, paths.bin + "/cl.exe", paths.programs["cl"])
    return unittest.end(env)

repository_test = unittest.make(_repository_impl)

def _key_impl(ctx):
    env = unittest.begin(ctx)
    found = discover(machine())
    paths = msvc_paths(found, "win_arm64_msvc")

    # Nothing but what is said here is in the environment of an action.
    asserts.equals(
        env,
        ["INCLUDE", "LIB", "PATH", "SystemRoot", "TEMP", "TMP", "VCToolsVersion", "VSCMD_VER", "VSLANG", "WindowsSDKVersion"],
        sorted(paths.env),
    )
    asserts.equals(env, "C:\\Windows\\Temp", paths.env["TMP"])

    # Two machines with another compiler, servicing release or SDK have other environments, so other keys.
    for field in ["tools", "visual_studio", "sdk"]:
        values = {name: getattr(found, name) for name in FIELDS} | {field: "0.1"}
        asserts.false(env, msvc_paths(struct(**values), "win_arm64_msvc").env == paths.env, field)
    ec = msvc_paths(found, "win_arm64ec")
    asserts.true(env, "\\lib\\arm64ec" in ec.env["LIB"] and "\\um\\x64" in ec.env["LIB"], ec.env["LIB"])
    asserts.false(env, "x64" in paths.env["LIB"], paths.env["LIB"])
    return unittest.end(env)

key_test = unittest.make(_key_impl)

def discover_test_suite(name):
    """Declares the tests.

    Args:
      name: of the suite.
    """
    unittest.suite(name, found_test, missing_test, repository_test, key_test)
