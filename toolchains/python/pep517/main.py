"""Entry point: `python3.12 -I -S -B main.py REQUEST`.

Builds the wheel that the request file describes. Exit codes: 0 built, 1 the
build failed (its log is on standard error), 2 the request, the source or its
requirements are wrong (one message on standard error).
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

if __package__ in (None, ""):  # run as a file: make the package importable
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from pep517.errors import BuildError
from pep517.request import Request
from pep517.workspace import Workspace


def run(request: Request) -> None:
    """Builds the wheel and moves it to the request's output."""
    with Workspace(request) as work:
        request.dump(work.root / "request.json")
        log = work.root / "log"
        with log.open("wb") as stream:
            code = subprocess.run(
                [work.interpreter, "-m", "pep517.worker", work.root / "request.json", work.root],
                cwd=work.root,
                env=work.env,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        if (work.root / "error").exists():
            raise BuildError((work.root / "error").read_text(encoding="utf-8").rstrip())
        if code:
            sys.stderr.write(log.read_text(encoding="utf-8", errors="replace"))
            raise SystemExit(1)
        built = (work.root / "built").read_text(encoding="utf-8")
        # Into a new name first: a half-written wheel must not look like one.
        partial = request.output + ".part"
        shutil.copyfile(work.root / "out" / built, partial)
        os.replace(partial, request.output)


def main(argv: list[str]) -> int:
    """Runs one request and turns errors into exit codes."""
    if len(argv) != 2:
        print("usage: main.py REQUEST", file=sys.stderr)
        return 2
    try:
        run(Request.load(pathlib.Path(argv[1])))
    except BuildError as error:
        print(f"pep517: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
