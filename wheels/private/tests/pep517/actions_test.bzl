"""What a wheel's actions are, on the example of //wheels:pywavelets, which the set takes from upstream."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//wheels:providers.bzl", "WheelInfo", "WheelsInfo")

def _action(env, mnemonic):
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]
    asserts.equals(env, 1, len(actions), "number of %s actions" % mnemonic)
    return actions[0]

def _chain_impl(ctx):
    env = analysistest.begin(ctx)
    build = _action(env, "Pep517Build")
    pack = _action(env, "WheelPack")
    audit = _action(env, "WheelAudit")
    asserts.true(env, build.outputs.to_list()[0] in pack.inputs.to_list(), "pack takes what the back end built")
    asserts.true(env, pack.outputs.to_list()[0] in audit.inputs.to_list(), "audit takes what was packed")

    info = analysistest.target_under_test(env)[WheelInfo]
    asserts.true(env, info.wheel in audit.outputs.to_list(), "the wheel comes out of the audit")
    asserts.equals(env, ["pywavelets", "win_arm64"], [info.pin, info.platform])
    asserts.equals(env, "pywavelets-%s-cp312-cp312-win_arm64.whl" % info.version, info.wheel.basename)
    return analysistest.end(env)

_chain_test = analysistest.make(_chain_impl)

# Inputs that are neither made by an action nor pinned: the driver, and what the action is told.
_OWN = "toolchains/python/pep517/"

def _hermetic_impl(ctx):
    env = analysistest.begin(ctx)
    build = _action(env, "Pep517Build")
    asserts.equals(env, {}, build.env)

    runtime, rest = build.argv[0], build.argv[1:]
    asserts.true(env, runtime.endswith("/bin/python3.12") and runtime.startswith("bazel-out/"), runtime)
    asserts.equals(env, ["-I", "-S", "-B", _OWN + "main.py"], rest[:4])

    for file in build.inputs.to_list():
        made_or_pinned = file.path.startswith("bazel-out/") or file.path.startswith("external/")
        asserts.true(env, made_or_pinned or file.path.startswith(_OWN), "foreign input " + file.path)

    # Tools and sources in the configuration of tools, so that platforms share them; only headers are the target's.
    request = json.decode(_request(env).content)
    for path in [request["source"], request["runtime"], request["target"], request["compiler"]] + request["site"]:
        asserts.true(env, "-exec" in path, path + " is built once per platform")
    for path in request["target_site"]:
        asserts.false(env, "-exec" in path, path + " is built for the wrong platform")
    return analysistest.end(env)

_hermetic_test = analysistest.make(_hermetic_impl)

def _request(env):
    writes = [
        action
        for action in analysistest.target_actions(env)
        if action.mnemonic == "FileWrite" and action.outputs.to_list()[0].basename.endswith(".request.json")
    ]
    asserts.equals(env, 1, len(writes), "number of request files")
    return writes[0]

def _request_impl(ctx):
    env = analysistest.begin(ctx)
    request = json.decode(_request(env).content)
    asserts.equals(env, "meson-python", request["backend"])
    asserts.equals(env, "win_arm64", request["platform"])
    packages = [path.split("/")[-1] for path in request["site"]]

    # Asked for, required by these, and the driver's own.
    for package in ["cython", "meson_python", "meson", "ninja", "pyproject_metadata", "packaging"]:
        asserts.true(env, package in packages, package + " is missing in the site")
    asserts.equals(env, ["numpy"], [path.split("/")[-1] for path in request["target_site"]])
    return analysistest.end(env)

_request_test = analysistest.make(_request_impl)

def _platforms_impl(ctx):
    env = analysistest.begin(ctx)
    wheels = analysistest.target_under_test(env)[WheelsInfo].wheels
    asserts.equals(env, ["linux_aarch64", "win_arm64"], sorted([wheel.platform for wheel in wheels]))
    tags = sorted([wheel.wheel.basename.split("-")[-1] for wheel in wheels])
    asserts.equals(env, ["manylinux_2_28_aarch64.whl", "win_arm64.whl"], tags)
    asserts.equals(env, ["built", "built"], [wheel.origin for wheel in wheels])
    return analysistest.end(env)

# With --config=own the set has ours.
_platforms_test = analysistest.make(_platforms_impl, config_settings = {str(Label("//wheels/private:build_own")): True})

def _upstream_impl(ctx):
    env = analysistest.begin(ctx)
    wheels = analysistest.target_under_test(env)[WheelsInfo].wheels
    asserts.equals(env, ["upstream", "upstream"], [wheel.origin for wheel in wheels])
    asserts.equals(env, ["linux_aarch64", "win_arm64"], sorted([wheel.platform for wheel in wheels]))
    return analysistest.end(env)

_upstream_test = analysistest.make(_upstream_impl)

def _published_impl(ctx):
    env = analysistest.begin(ctx)
    audit = _action(env, "WheelAudit")
    asserts.true(env, "--upstream" in audit.argv, "upstream's wheel is audited as one")
    asserts.equals(env, 1, len(analysistest.target_actions(env)), "number of actions: nothing is built")
    asserts.true(env, analysistest.target_under_test(env)[WheelInfo].wheel in audit.outputs.to_list(), "the wheel comes out of the audit")
    return analysistest.end(env)

_published_test = analysistest.make(_published_impl)

def pep517_actions_test_suite(name):
    """Declares the analysis tests.

    Args:
      name: of the test suite.
    """
    _chain_test(name = name + "_chain", size = "small", target_under_test = "//wheels:pywavelets.win_arm64.own")
    _hermetic_test(name = name + "_hermetic", size = "small", target_under_test = "//wheels:pywavelets.win_arm64.own")
    _request_test(name = name + "_request", size = "small", target_under_test = "//wheels:pywavelets.win_arm64.own")
    _platforms_test(name = name + "_platforms", size = "small", target_under_test = "//wheels:pywavelets")
    _upstream_test(name = name + "_upstream", size = "small", target_under_test = "//wheels:pywavelets")
    _published_test(name = name + "_published", size = "small", target_under_test = "//wheels:pywavelets.win_arm64")
    native.test_suite(
        name = name,
        tests = [name + part for part in ["_chain", "_hermetic", "_request", "_platforms", "_upstream", "_published"]],
    )
