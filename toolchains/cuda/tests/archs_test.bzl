"""Tests of architectures: what the attribute `archs` takes, and what it refuses."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/cuda/private:archs.bzl", "gencode_flags", "parse_archs")

_GOOD = {
    "sm_121": "arch=compute_121,code=sm_121",
    "sm_121a": "arch=compute_121a,code=sm_121a",
    "sm_120f": "arch=compute_120f,code=sm_120f",
    "compute_121": "arch=compute_121,code=compute_121",
    "compute_120:sm_121": "arch=compute_120,code=sm_121",
    "compute_120f:sm_121f": "arch=compute_120f,code=sm_121f",
    "compute_121:sm_121,compute_121": "arch=compute_121,code=[sm_121,compute_121]",
}

_BAD = {
    "sm_999": "sm_999: the toolkit does not know it",
    "compute_121,code=sm_90": "is written as for nvcc's -gencode",
    "compute_121:sm_90": "code for compute_121 does not run on sm_90",
    "compute_121a:sm_121": "code for compute_121a does not run on sm_121",
    "compute_121:compute_120": "PTX is of the architecture before the colon",
    "sm_121:sm_121": "is a virtual architecture",
    "sm_75a": "architecture-specific code exists from 90 on",
    "sm_90f": "family-specific code exists from 100 on",
    "12.1": "is no architecture",
    "native": "is no architecture",
    "": "is no architecture",
}

def _archs_test_impl(ctx):
    env = unittest.begin(ctx)
    for spec, want in _GOOD.items():
        pairs, problem = parse_archs([spec])
        asserts.equals(env, None, problem)
        asserts.equals(env, ["-gencode", want], gencode_flags(pairs))
    for spec, want in _BAD.items():
        pairs, problem = parse_archs([spec])
        asserts.equals(env, None, pairs)
        asserts.true(env, want in problem.replace("\"", "'"), "%r: %s" % (spec, problem))
    asserts.equals(env, "no architecture is named", parse_archs([])[1])
    return unittest.end(env)

archs_test = unittest.make(_archs_test_impl)
