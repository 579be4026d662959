"""Makes the tree that stands for a target's Python during a build:

    include/               Python.h and the target's pyconfig.h
    libs/                  import libraries, under MSVC's and MinGW's names
    pkgconfig/             python-3.12.pc and its companions
    sysconfig/             the sysconfig data module
    build-details.json     PEP 739

No file holds an absolute path, so that the tree is the same wherever it is
made and works wherever it lies. Compilers are named without a folder: a
build's PATH holds nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import pprint
import runpy
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from pep517 import target as targets
from pep517.target import Target
from trees import implib

_VERSION, _NODOT = "3.12", "312"

# What distutils reads to run a compiler. The flags are those of an ordinary
# release build; the driver adds the target's own.
_COMPILE = {
    "CC": "cc",
    "CXX": "c++",
    "AR": "ar",
    "ARFLAGS": "rcs",
    "RANLIB": "ranlib",
    "CFLAGS": "-O2 -DNDEBUG",
    "PY_CFLAGS": "-O2 -DNDEBUG",
    "OPT": "-O2 -DNDEBUG",
    "CPPFLAGS": "",
    "LDFLAGS": "",
    "PY_LDFLAGS": "",
    "LDSHARED": "cc -shared -s",
    "LDCXXSHARED": "c++ -shared -s",
    "BLDSHARED": "cc -shared -s",
}

_SYSCONFIG = '''\
"""sysconfig data of CPython {version} for {platform}, for cross builds."""
import os as _os

_root = _os.path.dirname(_os.path.dirname(_os.path.abspath(__file__)))
build_time_vars = {variables}
build_time_vars.update(
    prefix=_root,
    exec_prefix=_root,
    INCLUDEDIR=_root,
    INCLUDEPY=_os.path.join(_root, "include"),
    CONFINCLUDEDIR=_root,
    CONFINCLUDEPY=_os.path.join(_root, "include"),
    LIBDIR=_os.path.join(_root, "libs"),
    LIBPL=_os.path.join(_root, "libs"),
    LIBPC=_os.path.join(_root, "pkgconfig"),
    # Asked for by packages that look for their own programs, which run here.
    EXE=".exe" if _os.name == "nt" else "",
)
{fixup}'''

# PE modules link the interpreter's import library, which is in libs/.
_LINK_LIBS = """\
for _name in ("LDSHARED", "LDCXXSHARED", "BLDSHARED"):
    build_time_vars[_name] += " -L" + build_time_vars["LIBDIR"]
"""

_PKG_CONFIG = """\
prefix=${{pcfiledir}}/..
includedir=${{prefix}}/include
libdir=${{prefix}}/libs

Name: Python
Description: CPython {version} for {platform}
Version: {version}
Cflags: -I${{includedir}}
Libs:{libs}
"""


def variables(target: Target, upstream: dict) -> dict:
    """The target's sysconfig variables: upstream's facts, our compilers.

    Upstream's own paths and compilers are those of the machine that built it.
    """
    facts = {k: v for k, v in upstream.items() if not (isinstance(v, str) and "/" in v)}
    suffix = target.extension_suffix
    return {
        **facts,
        **_COMPILE,
        "CCSHARED": "" if target.link_libpython else "-fPIC",
        "EXT_SUFFIX": suffix,
        "SHLIB_SUFFIX": "." + suffix.rsplit(".", 1)[1],
        "SOABI": suffix.split(".")[1],
        "VERSION": _VERSION,
        "LDVERSION": _VERSION,
        "py_version_nodot": _NODOT,
        "Py_ENABLE_SHARED": 1,
        "Py_DEBUG": 0,
        "Py_GIL_DISABLED": 0,
        "SIZEOF_VOID_P": 8,
        "WITH_PYMALLOC": 1,
        "ABIFLAGS": "",
        "LIBS": "",
        "SYSLIBS": "",
    }


def build_details(target: Target) -> dict:
    """PEP 739 data; paths are relative to the file's folder."""
    library = {"link_extensions": target.link_libpython}
    if target.link_libpython:
        library |= {
            "dynamic": f"libs/python{_NODOT}.lib",
            "dynamic_stableabi": "libs/python3.lib",
            # meson 1.12 reads this spelling on Windows.
            "dynamic-stableabi": "libs/python3.lib",
        }
    return {
        "schema_version": "1.0",
        "base_prefix": ".",
        "platform": target.platform,
        "language": {"version": _VERSION, "version_info": {"major": 3, "minor": 12}},
        "implementation": {"name": "cpython", "cache_tag": f"cpython-{_NODOT}"},
        "abi": {
            "flags": [],
            "extension_suffix": target.extension_suffix,
            "stable_abi_suffix": target.abi3_suffix,
        },
        "suffixes": {"extensions": [target.extension_suffix, target.abi3_suffix]},
        "libpython": library,
        "c_api": {"headers": "include", "pkgconfig_path": "pkgconfig"},
    }


def import_libraries(libs: pathlib.Path, out: pathlib.Path, zig: str) -> None:
    """Makes libraries for ARM64 from the names in the x64 ones in `libs`."""
    out.mkdir()
    for name in ("python3", f"python{_NODOT}"):
        definition = out / f"{name}.def"
        names = implib.read((libs / f"{name}.lib").read_bytes())
        definition.write_text(implib.definition(names), encoding="utf-8")
        made = out / f"{name}.lib"
        subprocess.run([zig, "dlltool", "-m", "arm64", "-d", definition, "-l", made], check=True)
        shutil.copyfile(made, out / f"lib{name}.a")


def make(args: argparse.Namespace) -> None:
    """Makes the tree in args.out, which exists and is empty."""
    target, source, out = targets.find(args.platform), pathlib.Path(args.source), pathlib.Path(args.out)
    shutil.copytree(source / args.headers, out / "include", copy_function=shutil.copyfile)
    if args.libs:
        import_libraries(source / args.libs, out / "libs", args.zig)
    upstream = {}
    if args.sysconfig:
        upstream = runpy.run_path(str(source / args.sysconfig))["build_time_vars"]
    text = _SYSCONFIG.format(
        version=_VERSION,
        platform=target.platform,
        variables=pprint.pformat(variables(target, upstream)),
        fixup=_LINK_LIBS if target.link_libpython else "",
    )
    (out / "sysconfig").mkdir()
    (out / "sysconfig" / f"{target.sysconfigdata}.py").write_text(text, encoding="utf-8")
    (out / "pkgconfig").mkdir()
    link = f" -L${{libdir}} -lpython{_NODOT}" if target.link_libpython else ""
    for name in (f"python-{_VERSION}", f"python-{_VERSION}-embed", "python3", "python3-embed"):
        text = _PKG_CONFIG.format(version=_VERSION, platform=target.platform, libs=link)
        (out / "pkgconfig" / f"{name}.pc").write_text(text, encoding="utf-8")
    details = json.dumps(build_details(target), indent=2, sort_keys=True)
    (out / "build-details.json").write_text(details + "\n", encoding="utf-8")


def main() -> int:
    """Returns 0; what goes wrong is one message and code 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--platform", required=True, help="name in pep517/target.py")
    parser.add_argument("--source", required=True, help="unpacked Python that the tree is made of")
    parser.add_argument("--headers", required=True, help="folder of SOURCE with Python.h")
    parser.add_argument("--libs", help="folder of SOURCE with x64 import libraries")
    parser.add_argument("--sysconfig", help="sysconfig data module of SOURCE")
    parser.add_argument("--zig", help="zig's program, for the import libraries")
    parser.add_argument("--out", required=True, help="folder to fill")
    try:
        make(parser.parse_args())
    except (implib.ImportLibraryError, targets.BuildError, OSError, subprocess.SubprocessError) as error:
        print(f"target: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
