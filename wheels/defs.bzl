"""Wheels from pinned sources, for every platform of the pin: `pep517_wheel` and `native_wheel`.

    pep517_wheel(
        name = "pywavelets",
        build_requires = ["cython", "meson_python"],
        target_requires = ["numpy"],
    )

builds with the project's own back end, and

    native_wheel(
        name = "causal_conv1d",
        licences = {"@causal_conv1d//:LICENSE": "LICENSE"},
        members = {"//third_party/causal_conv1d:module": "causal_conv1d_cuda.cpython-312-aarch64-linux-gnu.so"},
        metadata = "@causal_conv1d//:PKG-INFO",
        pure = {"@causal_conv1d//:package": ""},
    )

puts together what cc_library and cuda_library compiled. docs/add-a-wheel.md walks through a new wheel.
"""

load("//third_party:repositories.bzl", "PINS")
load("//wheels/private:dist.bzl", "wheel_dist")
load("//wheels/private:index.bzl", "wheel_index", "wheel_index_server")
load("//wheels/private:native.bzl", "platform_native_wheel")
load("//wheels/private:report.bzl", "wheel_report")
load("//wheels/private:set.bzl", "wheel_set")
load("//wheels/private:source.bzl", "source_tree")
load("//wheels/private:upstream.bzl", "own_suffix", "set_wheel")
load("//wheels/private:wheel.bzl", "platform_wheel")

# On targets that are built with --config=full only; wheel_outputs reads it.
_FULL_TAG = "full"

# On targets that nobody has built yet: only their own names build them; wheel_outputs reads it.
_NEVER_RUN_TAG = "never-run"

# What such a target is compatible with. Without the flag Bazel's wildcards pass it over, and a build of the target itself
# fails with the name of the constraint, which is the reason.
_FULL_ONLY = select({
    "//wheels:is_full": [],
    "//conditions:default": ["//wheels:needs_config_full"],
})

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
        full = False,
        tags = [],
        **kwargs):
    """Declares a wheel that a PEP 517 back end builds.

    Targets: NAME, all platforms; NAME.PLATFORM, one of them; NAME.source, the
    patched source tree. The version, the source, the patches and the platforms
    are the pin's. Where the pin is retired, NAME.PLATFORM is upstream's wheel and
    NAME.PLATFORM.own the one that is built here; --config=own makes it both. What
    was never run, as the pin says, is built by its own name only.

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
      full: True for a wheel that is built with --config=full only.
      tags: of all targets.
      **kwargs: attributes of platform_wheel (wheels/private/wheel.bzl):
        config_settings, env, spoof_platform, unchecked_requires, memory_gb,
        jobs, local_version, sm, vendored, allowed_imports and the other
        exceptions of the audit. A select() on //platforms' constraints sees the
        wheel's platform.
    """
    pin = pin or name
    info = _pin_info(name, pin)
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
            tags = tags + _tags(info, platform, full),
            target_compatible_with = _FULL_ONLY if full else [],
            target_requires = ["//toolchains/python/target_packages:" + package for package in target_requires],
            version = info.version,
            **kwargs
        )
    set_wheel(
        name = name,
        info = info,
        own = _in_set(info),
        pin = pin,
        tags = tags + ([_FULL_TAG] if full else []),
        target_compatible_with = _FULL_ONLY if full else [],
        upstream_imports = upstream_imports,
    )

def native_wheel(
        name,
        pin = None,
        distribution = None,
        python_tag = "cp312",
        abi_tag = "cp312",
        upstream_imports = {},
        full = False,
        tags = [],
        **kwargs):
    """Declares a wheel that is put together from targets, without a back end.

    Targets: NAME, all platforms; NAME.PLATFORM, one of them. The version and the platforms are the pin's.

    Args:
      name: target name.
      pin: name in third_party/pins.json; `name` if None.
      distribution: the project's name as the wheel spells it; the pin's if None.
      python_tag: Python tag of the wheel; py3 for libraries that Python code loads with ctypes.
      abi_tag: ABI tag of the wheel; none for the same.
      upstream_imports: as of pep517_wheel.
      full: True for a wheel that is built with --config=full only.
      tags: of all targets.
      **kwargs: attributes of platform_native_wheel (wheels/private/native.bzl): metadata, members, pure, licences,
        entry_points, local_version, allowed_imports and the other exceptions of the audit. A select() on //platforms'
        constraints sees the wheel's platform.
    """
    pin = pin or name
    info = _pin_info(name, pin)
    for platform in info.platforms:
        platform_native_wheel(
            name = "%s.%s%s" % (name, platform, own_suffix(info, platform)),
            abi_tag = abi_tag,
            distribution = distribution or pin,
            pin = pin,
            platform = platform,
            python_tag = python_tag,
            tags = tags + _tags(info, platform, full),
            target_compatible_with = _FULL_ONLY if full else [],
            version = info.version,
            **kwargs
        )
    set_wheel(
        name = name,
        info = info,
        own = _in_set(info),
        pin = pin,
        tags = tags + ([_FULL_TAG] if full else []),
        target_compatible_with = _FULL_ONLY if full else [],
        upstream_imports = upstream_imports,
    )

def _tags(info, platform, full):
    """Tags of the target that builds a pin's wheel for a platform."""
    tags = [_FULL_TAG] if full else []
    if platform in info.never_run:
        return tags + ["manual", _NEVER_RUN_TAG]

    # NAME.PLATFORM stands for it in wildcards.
    return tags + (["manual"] if platform in info.retired else [])

def _in_set(info):
    """Platforms for which the set may hold the wheel that is built here."""
    return [platform for platform in info.platforms if platform not in info.never_run]

def _pin_info(name, pin):
    """The pin's entry in PINS, or one error."""
    if pin not in PINS:
        fail("//%s:%s: no pin is called %r in third_party/pins.json" % (native.package_name(), name, pin))
    info = PINS[pin]
    if not info.platforms:
        fail("//%s:%s: pin %r has no platforms in third_party/pins.json" % (native.package_name(), name, pin))
    return info

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
_BUILDING_RULES = [
    "platform_native_wheel",
    "platform_wheel",
]

def wheel_outputs():
    """Declares what stands for all wheels above it in the BUILD file.

    `dist`, to copy them out, `set`, to list them, `index`, a package index of them, `serve`, to serve that one here,
    and `report`, a page about them:
    one wheel per pin and platform, upstream's where the pin is retired. `own` lists every wheel that is built here,
    whether or not it is in the set, but for those that the pin says were never run; `own_wheels` is its files.

    No list of them is kept by hand: //wheels:wheels_test notices one that Bazel skipped in silence. Wheels that are built
    with --config=full only are among them with that flag.
    """
    rules = native.existing_rules()
    all_wheels = [name for name, rule in rules.items() if rule["kind"] == "wheel"]
    full = [name for name in all_wheels if _FULL_TAG in rules[name]["tags"]]
    wheels = [":" + name for name in all_wheels if name not in full] + select({
        "//wheels:is_full": [":" + name for name in full],
        "//conditions:default": [],
    })
    all_built = [
        name
        for name, rule in rules.items()
        if rule["kind"] in _BUILDING_RULES and _NEVER_RUN_TAG not in rule["tags"]
    ]
    full_built = [name for name in all_built if _FULL_TAG in rules[name]["tags"]]
    built = [":" + name for name in all_built if name not in full_built] + select({
        "//wheels:is_full": [":" + name for name in full_built],
        "//conditions:default": [],
    })
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
    wheel_report(
        name = "report",
        index = ":index",
        plan = [
            "BUILD.bazel",
            "//patches",
            "//third_party:pins.json",
            "//third_party:overlays",
        ],
    )
    wheel_index_server(
        name = "serve",
        args = ["serve"],
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
