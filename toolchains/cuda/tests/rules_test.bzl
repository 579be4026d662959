"""Tests of the CUDA rules: what analysis declares, and what it refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

_PLATFORM = {"//command_line_option:platforms": [Label("//platforms:win_arm64")]}

def _fails_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

fails_test = analysistest.make(
    _fails_impl,
    expect_failure = True,
    attrs = {"message": attr.string()},
    config_settings = _PLATFORM,
)

def _actions_impl(ctx):
    env = analysistest.begin(ctx)
    actions = analysistest.target_actions(env)
    compiles = [a for a in actions if a.mnemonic == "CudaCompile"]
    asserts.equals(env, ctx.attr.sources, len(compiles), "one action per source")
    for action in compiles:
        argv = " ".join(action.argv)
        asserts.true(env, ctx.attr.flags in argv, "%r is not in: %s" % (ctx.attr.flags, argv))
    asserts.equals(env, ctx.attr.device_links, len([a for a in actions if a.mnemonic == "CudaDeviceLink"]))
    return analysistest.end(env)

actions_test = analysistest.make(
    _actions_impl,
    attrs = {
        "sources": attr.int(),
        "flags": attr.string(),
        "device_links": attr.int(),
    },
    config_settings = _PLATFORM,
)
