"""`runtime.py BASE OUT FILE=PLACE...`: completes an unpacked interpreter.

Copies BASE to OUT and puts each FILE at PLACE inside it. It is run by the
interpreter in BASE itself, which can do this much without the added files, so
it imports nothing that needs a compiled library.
"""

from __future__ import annotations

import os
import shutil
import sys


def main(argv: list[str]) -> int:
    """Returns 0; a missing file or a place that is taken ends in a message."""
    base, out, extra = argv[1], argv[2], argv[3:]
    shutil.copytree(base, out, copy_function=shutil.copy, dirs_exist_ok=True)
    for pair in extra:
        source, _, place = pair.partition("=")
        destination = os.path.join(out, place)
        if os.path.exists(destination):
            print(f"runtime: {place} is already in {base}", file=sys.stderr)
            return 1
        os.makedirs(os.path.dirname(destination), exist_ok=True)
        shutil.copy(source, destination)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
