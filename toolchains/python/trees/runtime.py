"""Completes an unpacked interpreter: a copy of it, with more files.

It is run by the interpreter that it copies, which can do this much without
the added files, so it imports nothing that needs a compiled library.
"""

from __future__ import annotations

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

# zlib without its gz* functions, which alone need a C library. The zlib module
# brings its own allocator. (compress and uncompr call the default one.)
_ZLIB = ("adler32", "crc32", "deflate", "inffast", "inflate", "inftrees", "trees", "zutil")
_COMPILE = "-nostdinc -ffreestanding -O2 -fPIC -DZ_SOLO -Wno-unused-command-line-argument".split()
_EMULATION = {"x86_64": "elf_x86_64", "aarch64": "aarch64linux"}


def compile_zlib(args: argparse.Namespace, out: str) -> None:
    """Makes libz.so.1 at `out` with clang and lld, without any C library."""
    (sources,) = glob.glob(os.path.join(glob.escape(args.zlib), "*", "third_party", "zlib"))
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name in _ZLIB:
            objects.append(os.path.join(folder, name + ".o"))
            source = os.path.join(sources, name + ".c")
            headers = os.path.join(args.zig_lib, "include")
            command = [args.zig, "clang", "--no-default-config", f"--target={args.triple}"]
            command += [*_COMPILE, "-isystem", headers, "-c", source, "-o", objects[-1]]
            subprocess.run(command, check=True)
        emulation = _EMULATION[args.triple.partition("-")[0]]
        command = [args.zig, "ld.lld", "-m", emulation, "-shared", "-soname", "libz.so.1"]
        command += ["--build-id=none", f"--version-script={args.version_script}", "-o", out]
        subprocess.run([*command, *objects], check=True)


def complete(args: argparse.Namespace) -> None:
    """Copies the base and adds what the arguments say."""
    shutil.copytree(args.base, args.out, copy_function=shutil.copy, dirs_exist_ok=True)
    for pair in args.copy:
        source, _, place = pair.partition("=")
        shutil.copy(os.path.join(args.base, source), os.path.join(args.out, place))
    if args.zlib:
        # Where the zlib module looks first (its RUNPATH is $ORIGIN).
        dynload = os.path.join(args.out, "lib", "python3.12", "lib-dynload")
        compile_zlib(args, os.path.join(dynload, "libz.so.1"))


def main() -> int:
    """Returns 0; what goes wrong is one message and code 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", required=True, help="the unpacked interpreter")
    parser.add_argument("--out", required=True, help="folder to fill")
    parser.add_argument("--copy", action="append", default=[], help="FROM=TO inside the interpreter")
    parser.add_argument("--zlib", help="the unpacked archive that has third_party/zlib")
    parser.add_argument("--triple", help="clang's name of the machine")
    parser.add_argument("--zig", help="zig's program")
    parser.add_argument("--zig-lib", help="zig's library folder")
    parser.add_argument("--version-script", help="symbol versions of libz")
    try:
        complete(parser.parse_args())
    except (OSError, subprocess.SubprocessError) as error:
        print(f"runtime: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
