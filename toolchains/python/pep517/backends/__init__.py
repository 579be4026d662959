"""Back ends: what each needs to build for another platform.

To add one, write a module with a class that fits `Backend` and put an
instance into `registry`; its key is the `backend` attribute of pep517_wheel.
"""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Protocol

from pep517.target import Target

Settings = dict[str, list[str]]


@dataclasses.dataclass(frozen=True)
class Build:
    """What a back end may know about the build it is prepared for."""

    root: pathlib.Path  # the work folder, see workspace.Workspace
    target: Target
    jobs: int

    @property
    def tree(self) -> pathlib.Path:
        """The target's headers, import libraries and sysconfig data."""
        return self.root / "target"

    @property
    def overlay(self) -> pathlib.Path:
        """Modules that stand before the site's own."""
        return self.root / "overlay"


class Backend(Protocol):
    """How one back end is made to cross-build.

    `modules` are the prefixes of `build-backend` that the preparation is for;
    another one is refused, unless the source brings its own back end
    (`backend-path`), which wraps one of these. `spoof_modules` must be
    imported before the platform is spoofed.
    """

    modules: tuple[str, ...]
    spoof_modules: tuple[str, ...]

    def prepare(self, build: Build) -> None:
        """Sets environment variables and adjusts the back end's modules."""

    def unneeded(self, build: Build) -> tuple[str, ...]:
        """Projects that `get_requires_for_build_wheel` asks for because of the
        build machine, and that the target has no use for."""

    def settings(self, build: Build) -> Settings:
        """PEP 517 config settings to add before the wheel's own."""


def registry() -> dict[str, Backend]:
    """All back ends by the name that the rule uses."""
    from pep517.backends import meson, scikit_build_core, setuptools

    return {
        "meson-python": meson.Meson(),
        "scikit-build-core": scikit_build_core.ScikitBuildCore(),
        "setuptools": setuptools.Setuptools(),
    }
