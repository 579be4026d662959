"""Tests of manifest.bzl: shapes that NVIDIA's manifests really have."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//third_party/rules:manifest.bzl", "manifest_entry")

def _archive(path, digit):
    return {"md5": "0", "relative_path": path, "sha256": digit * 64, "size": "12"}

_NESTED, _FLAT = "cudnn-windows-arm64-9.27.0.1_cuda13-archive.zip", "cudnn-windows-arm64-9.27.0.1_cuda13.4-archive.zip"

_MANIFEST = {
    "cuda_nvcc": {
        "linux-sbsa": _archive("cuda_nvcc/linux-sbsa/n.tar.xz", "a"),
        "name": "CUDA NVCC",
        "version": "13.4.92",
        "windows-arm64": _archive("cuda_nvcc/windows-arm64/n.zip", "b"),
    },
    "cudnn": {
        "linux-sbsa": {"cuda12": _archive("cudnn/s12.tar.xz", "e"), "cuda13": _archive("cudnn/s13.tar.xz", "f")},
        "version": "9.27.0.1",
        "windows-arm64": {"cuda13": _archive("cudnn/" + _NESTED, "c")} | _archive("cudnn/" + _FLAT, "d"),
        "windows-x86_64": {"cuda13": _archive("cudnn/x13.zip", "9")},
    },
    "odd": {
        "absolute": _archive("/etc/passwd", "a"),
        "empty": {},
        "outside": _archive("odd/../../x.zip", "a"),
        "unhashed": {"relative_path": "odd/x.zip"},
        "version": "1",
    },
    "release_date": "2026-09-16",
    "release_label": "13.4.2",
}

def _picks_impl(ctx):
    env = unittest.begin(ctx)
    for component, version, platform, archive, path, digit in [
        ("cuda_nvcc", "13.4.92", "windows-arm64", "", "cuda_nvcc/windows-arm64/n.zip", "b"),
        ("cudnn", "9.27.0.1", "windows-x86_64", "", "cudnn/x13.zip", "9"),
        ("cudnn", "9.27.0.1", "windows-arm64", _NESTED, "cudnn/" + _NESTED, "c"),
        ("cudnn", "9.27.0.1", "windows-arm64", _FLAT, "cudnn/" + _FLAT, "d"),
        ("cudnn", "9.27.0.1", "linux-sbsa", "s12.tar.xz", "cudnn/s12.tar.xz", "e"),
    ]:
        entry = manifest_entry(_MANIFEST, component, version, platform, archive)
        asserts.equals(env, None, entry.error)
        asserts.equals(env, path, entry.path)
        asserts.equals(env, digit * 64, entry.sha256)
    return unittest.end(env)

def _refuses_impl(ctx):
    env = unittest.begin(ctx)
    for component, version, platform, archive, want in [
        ("cudnn", "9.27.0.1", "windows-arm64", "", "has several archives of cudnn for windows-arm64: name one of them as \"archive\" in the pin: {}, {}".format(_NESTED, _FLAT)),
        ("cudnn", "9.27.0.1", "linux-sbsa", "", "has several archives of cudnn for linux-sbsa: name one of them as \"archive\" in the pin: s12.tar.xz, s13.tar.xz"),
        ("cudnn", "9.27.0.1", "windows-arm64", "x.zip", "has no archive x.zip of cudnn for windows-arm64, only {}, {}".format(_NESTED, _FLAT)),
        ("cuda_nvcc", "13.4.92", "linux-x86_64", "", "has no cuda_nvcc for linux-x86_64, only for linux-sbsa, windows-arm64"),
        ("cuda_nvcc", "13.4.2", "linux-sbsa", "", "has cuda_nvcc in version 13.4.92, the pin wants 13.4.2"),
        ("nvcc", "13.4.92", "linux-sbsa", "", "has no component \"nvcc\""),
        ("release_date", "1", "linux-sbsa", "", "has no component \"release_date\""),
        ("odd", "1", "empty", "", "names no archive of odd for empty"),
        ("odd", "1", "unhashed", "", "gives no sha256 for odd/x.zip"),
        ("odd", "1", "absolute", "", "gives odd for absolute a path that is not below the manifest's folder: /etc/passwd"),
        ("odd", "1", "outside", "", "gives odd for outside a path that is not below the manifest's folder: odd/../../x.zip"),
    ]:
        asserts.equals(env, want, manifest_entry(_MANIFEST, component, version, platform, archive).error)
    asserts.equals(env, "has no component \"x\"", manifest_entry([], "x", "1", "y").error)
    return unittest.end(env)

_picks_test = unittest.make(_picks_impl)
_refuses_test = unittest.make(_refuses_impl)

def manifest_test_suite(name):
    """Tests of manifest.bzl.

    Args:
      name: name of the suite.
    """
    unittest.suite(name, _picks_test, _refuses_test)
