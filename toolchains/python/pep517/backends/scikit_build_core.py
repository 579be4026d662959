"""scikit-build-core: everything that matters is in CMake's toolchain file."""

from __future__ import annotations

from pep517 import cmake
from pep517.backends import Build, Settings


class ScikitBuildCore:
    """`scikit_build_core.build`."""

    modules = ("scikit_build_core.build",)
    spoof_modules = ("scikit_build_core.build",)

    def prepare(self, build: Build) -> None:
        """Prepares CMake."""
        cmake.prepare(build)

    def unneeded(self, build: Build) -> tuple[str, ...]:
        """None."""
        return ()

    def settings(self, build: Build) -> Settings:
        """None: CMake takes everything from the toolchain file."""
        return {}
