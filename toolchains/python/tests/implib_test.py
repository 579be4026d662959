"""Tests of reading import libraries, on archives made here."""

import struct
import unittest

from trees import implib


def member(data):
    header = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"name/", 0, 0, 0, b"644", len(data))
    return header + data + b"\n" * (len(data) % 2)


def short(symbol, library, data=False):
    names = symbol.encode() + b"\0" + library.encode() + b"\0"
    return member(struct.pack("<HHHHIIHH", 0, 0xFFFF, 0, 0x8664, 0, len(names), 0, int(data) | 4) + names)


def archive(*members):
    return b"!<arch>\n" + b"".join(members)


class ImplibTest(unittest.TestCase):
    def test_names_and_kinds(self):
        content = archive(
            member(b"the symbol index, which is no import object"),
            short("PyZ_Type", "python312.dll", data=True),
            short("PyA_Call", "python312.dll"),
        )
        self.assertEqual(
            implib.definition(implib.read(content)),
            "LIBRARY python312.dll\nEXPORTS\n    PyA_Call\n    PyZ_Type DATA\n",
        )

    def refused(self, content):
        with self.assertRaises(implib.ImportLibraryError) as caught:
            implib.read(content)
        return str(caught.exception)

    def test_bad_input(self):
        self.assertEqual(self.refused(b"MZ"), "not an archive")
        self.assertEqual(self.refused(archive(member(b"object"))), "no short import object in the archive")
        self.assertEqual(
            self.refused(archive(short("a", "one.dll"), short("b", "two.dll"))),
            "imports from more than one library",
        )
        self.assertEqual(self.refused(archive(b"x" * 60)), "no member header at byte 8")


if __name__ == "__main__":
    unittest.main()
