"""The programs that a build may run: everything on its PATH.

A build sees no program of the machine. Its PATH is one folder, filled from
the build requirements: scripts and binaries that their wheels install, small
launchers for their console entry points, and `rm`, which ninja's rule for
static libraries calls.
"""

from __future__ import annotations

import configparser
import pathlib
import re
import stat

from pep517 import links

# Programs that wheels carry as package data behind a Python entry point.
# Calling them directly saves an interpreter start for each call.
_BINARIES = {
    "cmake": "cmake/data/bin/cmake",
    "pkg-config": "pkgconf/.bin/pkgconf",
}

_LAUNCHER = """\
#!{interpreter}
import sys
from {module} import {name}
sys.exit({call}())
"""

_RM = """\
#!{interpreter}
import os, sys
for path in sys.argv[1:]:
    if not path.startswith("-") and os.path.lexists(path):
        os.remove(path)
"""


def install(bin_dir: pathlib.Path, interpreter: pathlib.Path, site: list[pathlib.Path]) -> None:
    """Fills `bin_dir` with the programs of the unpacked wheels in `site`.

    Where two wheels bring the same name, the first of `site` wins.
    """
    for name in ("python3", "python3.12", "python"):
        _link(bin_dir / name, interpreter)
    _write(bin_dir / "rm", _RM.format(interpreter=interpreter))
    for root in site:
        for name, inside in _BINARIES.items():
            if (root / inside).is_file():
                _link(bin_dir / name, root / inside)
        for script in sorted(root.glob("*.data/scripts/*")):
            _script(bin_dir / script.name, script, interpreter)
        for table in sorted(root.glob("*.dist-info/entry_points.txt")):
            for name, target in _console_scripts(table):
                _write(bin_dir / name, launcher(interpreter, target))


def launcher(interpreter: pathlib.Path, target: str) -> str:
    """Returns the text of a launcher for the entry point `target`."""
    module, _, call = re.split(r"\s|\[", target, maxsplit=1)[0].partition(":")
    return _LAUNCHER.format(
        interpreter=interpreter,
        module=module,
        name=call.partition(".")[0],
        call=call,
    )


def _console_scripts(table: pathlib.Path) -> list[tuple[str, str]]:
    parser = configparser.ConfigParser(delimiters=("=",))
    parser.optionxform = str
    parser.read_string(table.read_text(encoding="utf-8"))
    return parser.items("console_scripts") if parser.has_section("console_scripts") else []


def _script(path: pathlib.Path, source: pathlib.Path, interpreter: pathlib.Path) -> None:
    """Installs a wheel's script; `#!python` becomes the interpreter's path."""
    with source.open("rb") as file:
        head = file.read(len(b"#!python"))
    if head == b"#!python":
        _write(path, f"#!{interpreter}\n" + source.read_text(encoding="utf-8").partition("\n")[2])
    else:
        _link(path, source)


def _link(path: pathlib.Path, source: pathlib.Path) -> None:
    if not path.exists():
        links.link(path, source)


def _write(path: pathlib.Path, text: str) -> None:
    if path.exists():
        return
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
