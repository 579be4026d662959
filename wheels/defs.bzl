"""`pep517_wheel`: a wheel from a pinned source, for every platform of its pin.

    pep517_wheel(
        name = "pywavelets",
        build_requires = ["cython", "meson_python"],
        target_requires = ["numpy"],
    )

docs/add-a-wheel.md walks through a new wheel.
"""

load("//third_party:repositories.bzl", "PINS")
load("//wheels/private:dist.bzl", "wheel_dist")
load("//wheels/private:set.bzl", "wheel_set")
load("//wheels/private:source.bzl", "source_tree")
load("//wheels/private:wheel.bzl", "platform_wheel", "wheel")

def pep517_wheel(
        name,
        pin = None,
        backend = None,
        build_requires = [],
        target_requires = [],
        distribution = None,
        python_tag = "cp312",
        abi_tag = "cp312",
        source_exclude = [],
        tags = [],
        **kwargs):
    """Declares a wheel that a PEP 517 back end builds.

    Targets: NAME, all platforms; NAME.PLATFORM, one of them; NAME.source, the
    patched source tree. The version, the source, the patches and the platforms
    are the pin's.

    Args:
      name: target name.
      pin: name in third_party/pins.json; `name` if None.
      backend: setuptools, meson-python or scikit-build-core; the pin's `build`
        if None.
      build_requires: what the back end imports or runs: names in
        //toolchains/python/packages. Must hold all that pyproject.toml and the
        back end ask for; the build says what is missing.
      target_requires: packages of the target whose headers are included: names
        in //toolchains/python/target_packages.
      distribution: the project's name as the wheel spells it; the pin's if None.
      python_tag: Python tag of the wheel.
      abi_tag: ABI tag of the wheel; abi3 for the stable ABI.
      source_exclude: globs of files of the source archive that are not unpacked.
      tags: of all targets.
      **kwargs: attributes of platform_wheel (wheels/private/wheel.bzl):
        config_settings, env, spoof_platform, unchecked_requires, memory_gb,
        jobs, local_version, sm, allowed_imports and the other exceptions of
        the audit. A select() on //platforms' constraints sees the wheel's
        platform.
    """
    pin = pin or name
    if pin not in PINS:
        fail("//%s:%s: no pin is called %r in third_party/pins.json" % (native.package_name(), name, pin))
    info = PINS[pin]
    if not info.platforms:
        fail("//%s:%s: pin %r has no platforms in third_party/pins.json" % (native.package_name(), name, pin))
    source_tree(
        name = name + ".source",
        src = info.src,
        allow_offset = info.allow_offset,
        exclude = source_exclude,
        patches = info.patches,
        # For its own sake only: wheels take it in the configuration of tools.
        tags = tags + ["manual"],
    )
    for platform in info.platforms:
        platform_wheel(
            name = "%s.%s" % (name, platform),
            abi_tag = abi_tag,
            backend = backend or info.build,
            build_requires = ["//toolchains/python/packages:" + package for package in build_requires],
            distribution = distribution or pin,
            pin = pin,
            platform = platform,
            python_tag = python_tag,
            source = name + ".source",
            tags = tags,
            target_requires = ["//toolchains/python/target_packages:" + package for package in target_requires],
            version = info.version,
            **kwargs
        )
    wheel(
        name = name,
        tags = tags,
        wheels = ["%s.%s" % (name, platform) for platform in info.platforms],
    )

def wheel_outputs():
    """Declares what stands for all wheels above it in the BUILD file: `dist`, to copy them out, and `set`, to list them.

    No list of them is kept by hand: //wheels:wheels_test notices one that Bazel skipped in silence.
    """
    wheels = [":" + name for name, rule in native.existing_rules().items() if rule["kind"] == "wheel"]
    wheel_dist(
        name = "dist",
        wheels = wheels,
    )
    wheel_set(
        name = "set",
        wheels = wheels,
    )
