"""Tests of the CUDA rules: what analysis declares, and what it refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//toolchains/cuda:defs.bzl", "cuda_library")

_PLATFORM = {"//command_line_option:platforms": [Label("//platforms:win_arm64")]}

def _fails_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

_fails_test = analysistest.make(
    _fails_impl,
    expect_failure = True,
    attrs = {"message": attr.string()},
    config_settings = _PLATFORM,
)

def refused_test(name, message, rule = cuda_library, **kwargs):
    """Declares a CUDA target and the test that its analysis fails.

    Args:
      name: of the test.
      message: what the error must contain.
      rule: of the target.
      **kwargs: attributes of the target.
    """
    rule(
        name = name + ".target",
        srcs = ["src/square.cu"],
        tags = ["manual"],  # it fails
        **kwargs
    )
    _fails_test(
        name = name,
        message = message,
        target_under_test = name + ".target",
    )

def _actions_impl(ctx):
    env = analysistest.begin(ctx)
    actions = analysistest.target_actions(env)
    compiles = [a for a in actions if a.mnemonic == "CudaCompile"]
    asserts.equals(env, ctx.attr.sources, len(compiles), "one action per source")
    for action in compiles:
        argv = " ".join(action.argv)
        asserts.true(env, ctx.attr.flags in argv, "%r is not in: %s" % (ctx.attr.flags, argv))
    for mnemonic, count in {
        "CudaDeviceLink": ctx.attr.device_links,
        "CudaExports": ctx.attr.exports,
    }.items():
        asserts.equals(env, count, len([a for a in actions if a.mnemonic == mnemonic]), mnemonic)
    return analysistest.end(env)

actions_test = analysistest.make(
    _actions_impl,
    attrs = {
        "sources": attr.int(),
        "flags": attr.string(),
        "device_links": attr.int(),
        "exports": attr.int(),
    },
    config_settings = _PLATFORM,
)
