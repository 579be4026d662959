"""What the two actions are, as the action cache sees them."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _action(env, mnemonic):
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]
    asserts.equals(env, 1, len(actions), "number of %s actions" % mnemonic)
    return actions[0]

def _actions_impl(ctx):
    env = analysistest.begin(ctx)
    name = "fast-1.0+cu134-cp312-cp312-win_arm64.whl"

    pack = _action(env, "WheelPack")
    asserts.equals(env, [name], [f.basename for f in pack.outputs.to_list()])
    asserts.equals(
        env,
        ["--platform-tag", "win_arm64", "--local-version", "cu134"],
        pack.argv[-4:],
    )

    audit = _action(env, "WheelAudit")
    asserts.equals(
        env,
        [name, name.removesuffix(".whl") + ".audit.json"],
        [f.basename for f in audit.outputs.to_list()],
    )
    argv = audit.argv
    asserts.equals(env, "win_arm64", argv[argv.index("--platform") + 1])
    asserts.true(env, argv[argv.index("--policy") + 1].endswith("wheels/policy/win_arm64.json"), "policy")
    asserts.equals(env, "python312.dll", argv[argv.index("--allow-import") + 1])
    asserts.false(env, "libelsewhere.so" in argv, "another platform's allowed import is passed")

    # The policies of other platforms must not be in the key.
    inputs = [f.basename for f in audit.inputs.to_list() if f.extension == "json"]
    asserts.equals(env, ["win_arm64.json"], inputs)
    return analysistest.end(env)

_actions_test = analysistest.make(_actions_impl)

def _no_policy_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "there is no policy for the platform win_amd64; add wheels/policy/win_amd64.json")
    return analysistest.end(env)

_no_policy_test = analysistest.make(_no_policy_impl, expect_failure = True)

def _no_wheels_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "none of the targets in `wheels` has a .whl among its outputs")
    return analysistest.end(env)

_no_wheels_test = analysistest.make(_no_wheels_impl, expect_failure = True)

def finish_actions_test_suite(name, wheel, without_policy, without_wheels):
    """Declares the analysis tests.

    Args:
      name: of the test suite.
      wheel: a finished_wheel.
      without_policy: a finished_wheel for a platform that has no policy.
      without_wheels: a wheel_dist with no wheel.
    """
    _actions_test(name = name + "_actions", target_under_test = wheel)
    _no_policy_test(name = name + "_no_policy", target_under_test = without_policy)
    _no_wheels_test(name = name + "_no_wheels", target_under_test = without_wheels)
    native.test_suite(
        name = name,
        tests = [name + "_actions", name + "_no_policy", name + "_no_wheels"],
    )
