"""Tests of the exec interpreter: complete, and nothing of the machine in it."""

import importlib
import os
import pathlib
import re
import sys
import unittest
import zlib

# What back ends import, with every compiled module among it.
MODULES = (
    "asyncio concurrent.futures ctypes decimal hashlib json multiprocessing pyexpat select socket"
    " ssl subprocess tarfile tempfile tomllib unicodedata venv zipfile zipimport"
).split()

# The libraries that PEP 600 leaves to the system, as far as the interpreter wants them.
SYSTEM = re.compile(r"(ld-linux|libc|libm|libdl|libpthread|libutil|librt)\b[-.\w]*")


class RuntimeTest(unittest.TestCase):
    def test_version(self):
        self.assertEqual(sys.version_info[:2], (3, 12))

    def test_zlib(self):
        data = b"sparkwheels " * 1000
        packed = zlib.compress(data, 9)
        self.assertLess(len(packed), 200)
        self.assertEqual(zlib.decompress(packed), data)
        first = zlib.decompressobj()
        head = first.decompress(packed[:30])
        self.assertEqual(head + first.copy().decompress(packed[30:]), data)
        self.assertEqual(zlib.crc32(b"123456789"), 0xCBF43926)

    def test_every_library_is_the_interpreters_own(self):
        for name in MODULES:
            importlib.import_module(name)
        home = pathlib.Path(os.environ["PYTHONHOME"]).resolve()
        foreign = set()
        for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
            path = line.partition("/")[2]
            if ".so" not in path:
                continue
            path = pathlib.Path("/" + path)
            # Runfiles may be links into the output tree.
            inside = home.name in path.parts or home in path.parents
            if not inside and not SYSTEM.fullmatch(path.name):
                foreign.add(str(path))
        self.assertEqual(foreign, set())

    def test_only_its_own_modules(self):
        home = os.environ["PYTHONHOME"]
        outside = [path for path in sys.path if path and not path.startswith(home)]
        runfiles = os.path.commonpath([home, *outside])
        self.assertEqual(runfiles, os.getcwd())
        self.assertIsNone(importlib.util.find_spec("pip"))


if __name__ == "__main__":
    unittest.main()
