"""The target platforms: what a Python for each of them says about itself."""

from __future__ import annotations

import dataclasses

from pep517.errors import BuildError


@dataclasses.dataclass(frozen=True)
class Target:
    """Facts about CPython 3.12 on one platform."""

    platform: str  # sysconfig.get_platform()
    sysconfigdata: str  # module with build_time_vars
    extension_suffix: str  # of a module for this very version
    abi3_suffix: str  # of a module for the stable ABI
    link_libpython: bool  # extension modules name the interpreter's library
    magic: bytes  # first bytes of a native file
    sys_platform: str
    system: str  # platform.system(), CMAKE_SYSTEM_NAME
    machine: str  # platform.machine(), CMAKE_SYSTEM_PROCESSOR
    meson_system: str


TARGETS = {
    "win_arm64": Target(
        platform="win-arm64",
        sysconfigdata="_sysconfigdata__win_arm64",
        extension_suffix=".cp312-win_arm64.pyd",
        abi3_suffix=".pyd",
        link_libpython=True,
        magic=b"MZ",
        sys_platform="win32",
        system="Windows",
        machine="ARM64",
        meson_system="windows",
    ),
    "linux_aarch64": Target(
        platform="linux-aarch64",
        sysconfigdata="_sysconfigdata__linux_aarch64",
        extension_suffix=".cpython-312-aarch64-linux-gnu.so",
        abi3_suffix=".abi3.so",
        link_libpython=False,
        magic=b"\x7fELF",
        sys_platform="linux",
        system="Linux",
        machine="aarch64",
        meson_system="linux",
    ),
}


def find(platform: str) -> Target:
    """Returns the target called `platform`, or an error that lists the names."""
    if platform not in TARGETS:
        known = ", ".join(sorted(TARGETS))
        raise BuildError(f"platform {platform!r} is unknown; known: {known}")
    return TARGETS[platform]
