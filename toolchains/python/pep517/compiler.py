"""The compilers of a build: copies of the gcc-like driver, one per name."""

from __future__ import annotations

import json
import os
import pathlib
import shutil

# The names that back ends, CMake and meson look for. The driver (go/ccdriver)
# takes its mode from the name that it was called by.
NAMES = ("cc", "c++", "ar", "ranlib", "strip", "windres", "dlltool")


def install(
    bin_dir: pathlib.Path,
    driver: pathlib.Path,
    paths: dict[str, str],
    target: str,
    prefix_maps: list[tuple[str, str]],
) -> None:
    """Puts the driver into `bin_dir` under every name, with its sidecar file.

    `paths` are the driver's keys zig, zig_lib and sysroot, `target` is one of
    its targets. `prefix_maps` are pairs of a folder of this build and what native files may
    say instead; of two that fit, the later one wins.
    """
    suffix = driver.suffix  # ".exe" on Windows
    first = bin_dir / f"{NAMES[0]}{suffix}"
    shutil.copyfile(driver, first)
    first.chmod(0o755)
    for name in NAMES[1:]:
        os.link(first, bin_dir / f"{name}{suffix}")
    sidecar: dict[str, object] = {key: os.path.abspath(path) for key, path in paths.items()}
    sidecar["target"] = target
    sidecar["prefix_maps"] = [f"{old}={new}" for old, new in prefix_maps]
    (bin_dir / "ccdriver.json").write_text(json.dumps(sidecar), encoding="utf-8")
