"""What a native wheel's actions are, and what analysis refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//wheels:providers.bzl", "WheelInfo")

def _chain_impl(ctx):
    env = analysistest.begin(ctx)
    actions = {action.mnemonic: action for action in analysistest.target_actions(env)}
    assemble, pack, audit = [actions[name] for name in ["WheelAssemble", "WheelPack", "WheelAudit"]]
    asserts.true(env, assemble.outputs.to_list()[0] in pack.inputs.to_list(), "pack takes what was assembled")
    asserts.true(env, pack.outputs.to_list()[0] in audit.inputs.to_list(), "audit takes what was packed")

    info = analysistest.target_under_test(env)[WheelInfo]
    asserts.true(env, info.wheel in audit.outputs.to_list(), "the wheel comes out of the audit")
    asserts.equals(env, ["soxr", "linux_aarch64", "1.0+cu134"], [info.pin, info.platform, info.version])

    library = [file for file in assemble.inputs.to_list() if file.basename.endswith("kernels.so")]
    asserts.equals(env, 1, len(library), "the compiled library is an input")
    asserts.true(env, "-opt" in library[0].path, "it is compiled with optimisation: " + library[0].path)
    return analysistest.end(env)

_chain_test = analysistest.make(_chain_impl)

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

_refused_test = analysistest.make(
    _refused_impl,
    attrs = {"message": attr.string()},
    expect_failure = True,
)

def native_actions_test_suite(name, wheel, two_files, elsewhere):
    """Declares the analysis tests.

    Args:
      name: of the test suite.
      wheel: a platform_native_wheel for linux_aarch64.
      two_files: one with a member of two files.
      elsewhere: one with a pure file outside the folder that it gives.
    """
    _chain_test(name = name + "_chain", size = "small", target_under_test = wheel)
    _refused_test(
        name = name + "_two_files",
        size = "small",
        message = 'members: @@//wheels/private/tests/native:two has 2 files and not 1 to be called "fast/kernels.so"',
        target_under_test = two_files,
    )
    _refused_test(
        name = name + "_elsewhere",
        size = "small",
        message = "pure: wheels/private/tests/native/src/fast/__init__.py of @@//wheels/private/tests/native:package is not below \"lib\"",
        target_under_test = elsewhere,
    )
    native.test_suite(
        name = name,
        tests = [name + part for part in ["_chain", "_two_files", "_elsewhere"]],
    )
