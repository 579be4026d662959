"""Reads Windows import libraries and writes .def files of what they name.

A short-form import library is an archive whose members say "symbol S comes
from library L, and is code (or data)". The names do not depend on the
machine, so those of an x64 library make a library for ARM64.

Specification: "PE Format", sections "Archive (Library) File Format" and
"Import Library Format".
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator

_MAGIC = b"!<arch>\n"
_SHORT_IMPORT = struct.Struct("<HHHHIIHH")  # signatures, version, machine, time, size, hint, type
_TYPE_MASK, _CODE = 0b11, 0


class ImportLibraryError(Exception):
    """The file is not an import library in the short form."""


@dataclasses.dataclass(frozen=True, order=True)
class Import:
    """One imported name."""

    symbol: str
    library: str
    data: bool


def read(content: bytes) -> list[Import]:
    """Returns the imports in an import library, sorted by symbol."""
    found = []
    for member in _members(content):
        if len(member) < _SHORT_IMPORT.size or member[:4] != b"\0\0\xff\xff":
            continue  # the symbol index, or a descriptor in COFF
        kind = _SHORT_IMPORT.unpack_from(member)[-1] & _TYPE_MASK
        symbol, library = member[_SHORT_IMPORT.size :].split(b"\0")[:2]
        found.append(Import(symbol.decode(), library.decode(), kind != _CODE))
    if not found:
        raise ImportLibraryError("no short import object in the archive")
    if len({entry.library for entry in found}) > 1:
        raise ImportLibraryError("imports from more than one library")
    return sorted(found)


def definition(imports: list[Import]) -> str:
    """Returns the text of a module-definition file for `imports`."""
    lines = [f"LIBRARY {imports[0].library}", "EXPORTS"]
    lines += [f"    {entry.symbol}{' DATA' if entry.data else ''}" for entry in imports]
    return "\n".join(lines) + "\n"


def _members(content: bytes) -> Iterator[bytes]:
    if not content.startswith(_MAGIC):
        raise ImportLibraryError("not an archive")
    offset = len(_MAGIC)
    while offset + 60 <= len(content):
        header = content[offset : offset + 60]
        if header[58:] != b"`\n":
            raise ImportLibraryError(f"no member header at byte {offset}")
        size = int(header[48:58])
        yield content[offset + 60 : offset + 60 + size]
        offset += 60 + size + size % 2
