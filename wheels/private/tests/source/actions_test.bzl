"""Analysis tests of source_tree: which actions, with which command lines."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//wheels/private:source.bzl", "SourceInfo")

def _command_lines(env):
    """Returns the arguments of each action by mnemonic, folders cut from paths."""
    return {
        action.mnemonic: [arg.split("/")[-1] if "/" in arg and "*" not in arg else arg for arg in action.argv[1:]]
        for action in analysistest.target_actions(env)
    }

def _patched_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, {
        "SourceUnpack": ["--out", "greeter.unpacked", "--strip", "1", "--exclude", "tests/**", "greeter-1.0.tar.gz"],
        "SourcePatch": ["apply", "--src", "greeter.unpacked", "--out", "greeter", "--strip", "1", "0001-greet-louder.patch", "0002-rename-header.patch"],
    }, _command_lines(env))
    info = analysistest.target_under_test(env)[SourceInfo]
    asserts.true(env, info.tree.is_directory, "the output is no tree artifact")
    asserts.equals(env, ["greeter", "greeter.unpacked"], [info.tree.basename, info.unpacked.basename])
    asserts.equals(env, ["0001-greet-louder.patch", "0002-rename-header.patch"], [f.basename for f in info.patches])
    return analysistest.end(env)

_patched_test = analysistest.make(_patched_impl)

def _offset_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(
        env,
        ["apply", "--src", "moved.unpacked", "--out", "moved", "--strip", "1", "--allow-offset", "moved.patch"],
        _command_lines(env)["SourcePatch"],
    )
    return analysistest.end(env)

_offset_test = analysistest.make(_offset_impl)

def _unpatched_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["SourceUnpack"], _command_lines(env).keys())
    info = analysistest.target_under_test(env)[SourceInfo]
    asserts.equals(env, info.tree, info.unpacked)
    return analysistest.end(env)

_unpatched_test = analysistest.make(_unpatched_impl)

def source_actions_test_suite(name):
    """Declares the tests.

    Args:
      name: of the suite; each test is called NAME_what.
    """
    _patched_test(name = name + "_patched", target_under_test = ":greeter")
    _offset_test(name = name + "_offset", target_under_test = ":moved")
    _unpatched_test(name = name + "_unpatched", target_under_test = ":unpatched")
    native.test_suite(
        name = name,
        tests = [name + "_patched", name + "_offset", name + "_unpatched"],
    )
