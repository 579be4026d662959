"""The wheel of the tests."""

load("//wheels/private:native.bzl", "platform_native_wheel")

def fast_wheel(name, platform, **kwargs):
    """Declares fast_kernels 1.0+cu134 for one platform.

    Args:
      name: target name.
      platform: linux_aarch64 or win_arm64.
      **kwargs: what is to be otherwise.
    """
    attrs = {
        "abi_tag": "none",
        "distribution": "fast_kernels",
        "entry_points": "entry_points.txt",
        "licences": {"LICENSE": "LICENSE"},
        "local_version": "cu134",
        "metadata": "PKG-INFO",
        "pin": "soxr",
        "pure": {":package": "wheels/private/tests/native/src"},
        "python_tag": "py3",
        "version": "1.0",
    }
    platform_native_wheel(name = name, platform = platform, **(attrs | kwargs))
