"""Tests of what the work folder is made of: links, tools, compilers, overlays."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from pep517 import compiler, links, overlay, tools
from pep517.errors import BuildError
from pep517.request import Request


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.bin = self.root / "bin"
        self.bin.mkdir()


class LinksTest(FolderTest):
    def test_folders_of_two_wheels_are_joined(self):
        write(self.root / "a/shared/one.py", "1")
        write(self.root / "b/shared/two.py", "2")
        write(self.root / "b/shared/deep/three.py", "3")
        site = self.root / "site"
        site.mkdir()
        links.site_packages(site, [self.root / "a", self.root / "b"])
        found = {
            os.path.relpath(os.path.join(folder, name), site)
            for folder, _, names in os.walk(site, followlinks=True)
            for name in names
        }
        self.assertEqual(found, {"shared/one.py", "shared/two.py", "shared/deep/three.py"})
        # The wheel's own folder stays as it is.
        self.assertEqual([path.name for path in (self.root / "a/shared").iterdir()], ["one.py"])

    def test_the_first_wheel_wins(self):
        write(self.root / "a/same.py", "first")
        write(self.root / "b/same.py", "second")
        site = self.root / "site"
        site.mkdir()
        links.site_packages(site, [self.root / "a", self.root / "b"])
        self.assertEqual((site / "same.py").read_text(), "first")

    def test_modules_in_the_data_folder_come_to_the_top(self):
        write(self.root / "a/a-1.data/purelib/pure.py")
        write(self.root / "a/a-1.data/platlib/native.py")
        site = self.root / "site"
        site.mkdir()
        links.site_packages(site, [self.root / "a"])
        self.assertTrue((site / "pure.py").exists() and (site / "native.py").exists())


class ToolsTest(FolderTest):
    def install(self, *trees):
        tools.install(self.bin, pathlib.Path(sys.executable), list(trees))

    def run_tool(self, name, *args):
        env = {"PYTHONHOME": os.environ["PYTHONHOME"], "PYTHONPATH": str(self.root / "a")}
        command = [str(self.bin / name), *args]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    def test_entry_point(self):
        write(self.root / "a/tool.py", "class C:\n  @staticmethod\n  def main(): print('ran')\n")
        write(self.root / "a/a-1.dist-info/entry_points.txt", "[console_scripts]\nMyTool = tool:C.main [x]\n")
        self.install(self.root / "a")
        self.assertEqual(self.run_tool("MyTool"), "ran\n")

    def test_script_gets_the_interpreter(self):
        write(self.root / "a/a-1.data/scripts/hello", "#!python -s\nprint('hello')\n")
        self.install(self.root / "a")
        self.assertEqual(self.run_tool("hello"), "hello\n")

    def test_binary_is_linked(self):
        binary = self.root / "a/a-1.data/scripts/ninja"
        write(binary, "\x7fELF")
        self.install(self.root / "a")
        self.assertEqual((self.bin / "ninja").resolve(), binary.resolve())

    def test_the_first_wheel_wins(self):
        for name in "ab":
            write(self.root / name / "x-1.data/scripts/same", f"#!python\nprint({name!r})\n")
        self.install(self.root / "a", self.root / "b")
        self.assertEqual(self.run_tool("same"), "a\n")

    def test_rm(self):
        file = write(self.root / "file")
        self.install()
        self.run_tool("rm", "-f", str(file), str(self.root / "absent"))
        self.assertFalse(file.exists())

    def test_nothing_else_is_there(self):
        self.install()
        self.assertEqual({path.name for path in self.bin.iterdir()}, {"python", "python3", "python3.12", "rm"})


class CompilerTest(FolderTest):
    def test_sidecar(self):
        driver = write(self.root / "driver", "driver")
        maps = [("/a", "."), ("/a/b", "b")]
        compiler.install(self.bin, driver, {"zig": "some/zig"}, "win_arm64", maps)
        self.assertEqual(
            json.loads((self.bin / "ccdriver.json").read_text()),
            {
                "zig": os.path.abspath("some/zig"),
                "target": "win_arm64",
                "prefix_maps": ["/a=.", "/a/b=b"],
            },
        )
        for name in compiler.NAMES:
            self.assertEqual((self.bin / name).read_text(), "driver")
            self.assertTrue(os.access(self.bin / name, os.X_OK))


class OverlayTest(FolderTest):
    def setUp(self):
        super().setUp()
        tree = self.root / "tree"
        write(tree / "numpy-2.5.5.dist-info/METADATA", "Name: numpy\nVersion: 2.5.5\n")
        write(tree / "numpy/__init__.pxd")
        write(tree / "numpy/_core/include/numpy/arrayobject.h")
        write(tree / "numpy/_core/lib/pkgconfig/numpy.pc")
        self.overlay = self.root / "overlay"
        self.overlay.mkdir()
        self.pkg_config = overlay.install(self.overlay, [tree])

    def test_pkg_config(self):
        self.assertTrue((self.pkg_config[0] / "numpy.pc").is_file())

    def test_stand_in(self):
        code = "import numpy, importlib.metadata as m, os\n"
        code += "print(numpy.__version__, m.version('numpy'), os.listdir(numpy.get_include()))\n"
        code += "numpy.zeros(3)\n"
        env = {"PYTHONHOME": os.environ["PYTHONHOME"], "PYTHONPATH": str(self.overlay)}
        # -S: sitecustomize, which the overlay holds too, has tests of its own.
        command = [sys.executable, "-S", "-c", code]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "2.5.5 2.5.5 ['numpy']\n")
        self.assertIn("numpy.zeros is not available: this build has the target's numpy", done.stderr)


class RequestTest(FolderTest):
    def test_unknown_and_missing_keys(self):
        file = write(self.root / "request.json", '{"name": "demo", "colour": "red"}')
        with self.assertRaises(BuildError) as caught:
            Request.load(file)
        self.assertIn("backend", str(caught.exception))
        self.assertIn("colour", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
