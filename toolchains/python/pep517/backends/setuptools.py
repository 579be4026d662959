"""setuptools: distutils' compiler commands come from the target's sysconfig."""

from __future__ import annotations

from pep517 import cmake
from pep517.backends import Build, Settings


class Setuptools:
    """`setuptools.build_meta`, with or without setup.py."""

    modules = ("setuptools.build_meta",)
    spoof_modules = (
        "setuptools",
        "distutils.ccompiler",
        "distutils.command.build_ext",
        "setuptools.command.build_ext",
        "setuptools.command.bdist_wheel",
    )

    def prepare(self, build: Build) -> None:
        """Points distutils at the target's headers and library.

        distutils computes the include folder from the running interpreter, not
        from sysconfig, and links the interpreter's library only where
        `sys.platform` says Windows; setuptools takes the suffix of a module for
        the stable ABI from the running interpreter.
        """
        cmake.prepare(build)  # for setup scripts that call it
        import setuptools  # noqa: F401  puts its own distutils in place
        import distutils.command.build_ext as command
        import distutils.sysconfig as config
        import setuptools.command.build_ext as extensions

        include = str(build.tree / "include")

        def get_python_inc(plat_specific=0, prefix=None):
            return include

        config.get_python_inc = get_python_inc
        if hasattr(command, "get_python_inc"):
            command.get_python_inc = get_python_inc
        extensions.get_abi3_suffix = lambda: build.target.abi3_suffix
        if build.target.link_libpython:
            command.build_ext.get_libraries = _get_libraries

    def unneeded(self, build: Build) -> tuple[str, ...]:
        """None."""
        return ()

    def settings(self, build: Build) -> Settings:
        """None: setuptools takes everything from sysconfig."""
        return {}


def _get_libraries(self, extension):
    """A PE module has no lazy symbols: it names the library of its ABI."""
    limited = getattr(extension, "py_limited_api", False)
    return [*extension.libraries, "python3" if limited else "python312"]
