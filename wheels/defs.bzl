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
load("//wheels/private:index.bzl", "wheel_index", "wheel_index_server")
load("//wheels/private:set.bzl", "wheel_set")
load("//wheels/private:source.bzl", "source_tree")
load("//wheels/private:upstream.bzl", "own_suffix", "set_wheel")
load("//wheels/private:wheel.bzl", "platform_wheel")

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
        upstream_imports = {},
        tags = [],
        **kwargs):
    """Declares a wheel that a PEP 517 back end builds.

    Targets: NAME, all platforms; NAME.PLATFORM, one of them; NAME.source, the
    patched source tree. The version, the source, the patches and the platforms
    are the pin's. Where the pin is retired, NAME.PLATFORM is upstream's wheel and
    NAME.PLATFORM.own the one that is built here; --config=own makes it both.

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
      upstream_imports: per platform where the pin is retired: libraries that
        upstream's wheel loads and expects on the user's machine, such as
        {"win_arm64": ["msvcp140.dll"]}. An entry that matches nothing is an error.
      tags: of all targets.
      **kwargs: attributes of platform_wheel (wheels/private/wheel.bzl):
        config_settings, env, spoof_platform, unchecked_requires, memory_gb,
        jobs, local_version, sm, vendored, allowed_imports and the other
        exceptions of the audit. A select() on //platforms' constraints sees the
        wheel's platform.
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
            name = "%s.%s%s" % (name, platform, own_suffix(info, platform)),
            abi_tag = abi_tag,
            backend = backend or info.build,
            build_requires = ["//toolchains/python/packages:" + package for package in build_requires],
            distribution = distribution or pin,
            pin = pin,
            platform = platform,
            python_tag = python_tag,
            source = name + ".source",
            # NAME.PLATFORM stands for it in wildcards.
            tags = tags + (["manual"] if platform in info.retired else []),
            target_requires = ["//toolchains/python/target_packages:" + package for package in target_requires],
            version = info.version,
            **kwargs
        )
    set_wheel(
        name = name,
        info = info,
        own = info.platforms,
        pin = pin,
        tags = tags,
        upstream_imports = upstream_imports,
    )

def upstream_wheel(name, pin = None, upstream_imports = {}, tags = []):
    """Declares a wheel that the set takes from upstream on all platforms, and that is not built here.

    Targets: NAME, all platforms; NAME.PLATFORM, one of them. The files are those
    of the pin's `retired`.

    Args:
      name: target name.
      pin: name in third_party/pins.json; `name` if None.
      upstream_imports: per platform: libraries that the wheel loads and expects
        on the user's machine. An entry that matches nothing is an error.
      tags: of all targets.
    """
    pin = pin or name
    if pin not in PINS or not PINS[pin].retired:
        fail("//%s:%s: no pin %r with `retired` in third_party/pins.json" % (native.package_name(), name, pin))
    set_wheel(
        name = name,
        info = PINS[pin],
        own = [],
        pin = pin,
        tags = tags,
        upstream_imports = upstream_imports,
    )

# Rules that build a wheel for one platform.
_BUILDING_RULES = ["platform_wheel"]

def wheel_outputs():
    """Declares what stands for all wheels above it in the BUILD file.

    `dist`, to copy them out, `set`, to list them, `index`, a package index of them, and `serve`, to serve that one here:
    one wheel per pin and platform, upstream's where the pin is retired. `own` lists every wheel that is built here,
    whether or not it is in the set; `own_wheels` is its files.


    No list of them is kept by hand: //wheels:wheels_test notices one that Bazel skipped in silence.
    """
    rules = native.existing_rules().items()
    wheels = [":" + name for name, rule in rules if rule["kind"] == "wheel"]
    built = [":" + name for name, rule in rules if rule["kind"] in _BUILDING_RULES]
    wheel_dist(
        name = "dist",
        wheels = wheels,
    )
    wheel_set(
        name = "set",
        wheels = wheels,
    )
    wheel_index(
        name = "index",
        wheels = wheels,
        yanks = ":yanked.json",
    )
    wheel_index_server(
        name = "serve",
        index = ":index",
    )
    wheel_set(
        name = "own",
        # It would build all of them with every //wheels:all.
        tags = ["manual"],
        wheels = built,
    )
    native.filegroup(
        name = "own_wheels",
        srcs = [":own"],
        output_group = "wheels",
        tags = ["manual"],
    )
