"""Tests of the trees that stand for a target's Python."""

import json
import os
import pathlib
import re
import runpy
import unittest

from pep517.target import TARGETS

TREES = {name: pathlib.Path(os.environ[name.upper()]) for name in TARGETS}


class TargetTest(unittest.TestCase):
    def each(self):
        for name, target in TARGETS.items():
            with self.subTest(name):
                yield target, TREES[name]

    def test_sysconfig_data(self):
        for target, tree in self.each():
            data = runpy.run_path(str(tree / "sysconfig" / f"{target.sysconfigdata}.py"))["build_time_vars"]
            self.assertEqual(data["EXT_SUFFIX"], target.extension_suffix)
            self.assertEqual((data["CC"], data["LDSHARED"].split()[:2]), ("cc", ["cc", "-shared"]))
            self.assertTrue(os.path.samefile(data["INCLUDEPY"], tree / "include"))

    def test_build_details(self):
        for target, tree in self.each():
            details = json.loads((tree / "build-details.json").read_text())
            self.assertEqual(details["schema_version"], "1.0")
            self.assertEqual(details["platform"], target.platform)
            self.assertEqual(details["libpython"]["link_extensions"], target.link_libpython)
            named = [details["c_api"]["headers"], details["c_api"]["pkgconfig_path"]]
            if target.link_libpython:
                named += [details["libpython"]["dynamic"], details["libpython"]["dynamic_stableabi"]]
            for path in named:
                self.assertTrue((tree / details["base_prefix"] / path).exists(), path)

    def test_headers(self):
        for _, tree in self.each():
            version = (tree / "include/patchlevel.h").read_text()
            self.assertIsNotNone(re.search(r'PY_VERSION\s+"3\.12\.', version))
        self.assertIn("MS_WIN64", (TREES["win_arm64"] / "include/pyconfig.h").read_text())
        self.assertIn("SIZEOF_LONG 8", (TREES["linux_aarch64"] / "include/pyconfig.h").read_text())

    def test_no_file_names_a_folder_of_a_machine(self):
        for _, tree in self.each():
            for name in ("build-details.json", "pkgconfig/*", "sysconfig/*"):
                for path in tree.glob(name):
                    self.assertIsNone(re.search(r"/(home|root|tmp|execroot|usr)\b", path.read_text()), path)

    def test_import_libraries_are_for_arm64(self):
        libs = TREES["win_arm64"] / "libs"
        for name, library in (("python3", b"python3.dll"), ("python312", b"python312.dll")):
            content = (libs / f"{name}.lib").read_bytes()
            self.assertEqual((libs / f"lib{name}.a").read_bytes(), content)
            self.assertIn(library, content)
            # Short import objects: signature 0, 0xFFFF, version, machine.
            machines = set(re.findall(rb"\0\0\xff\xff..(..)", content, re.DOTALL))
            self.assertEqual(machines, {b"\x64\xaa"})
        definition = (libs / "python312.def").read_text()
        self.assertIn("    PyLong_Type DATA\n", definition)
        self.assertIn("    PyModule_Create2\n", definition)
        self.assertNotIn("_PyCode_New\n", (libs / "python3.def").read_text())


if __name__ == "__main__":
    unittest.main()
