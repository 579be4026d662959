"""Whole builds by main.py: what a back end sees, and how a build fails.

The back ends here are written by the tests and compile nothing; wheels of
//wheels are the tests with compilers.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import pep517

MAIN = pathlib.Path(pep517.__file__).with_name("main.py")

# An in-tree back end whose "wheel" is a JSON of what it sees.
BACKEND = """\
import json, os, platform, shutil, sys, sysconfig
from setuptools.build_meta import get_requires_for_build_wheel

def build_wheel(folder, config_settings=None, metadata_directory=None):
    import distutils.sysconfig
    from setuptools.command import build_ext
    seen = {
        "env": dict(os.environ),
        "cwd": os.getcwd(),
        "settings": config_settings,
        "sys.platform": sys.platform,
        "machine": platform.machine(),
        "get_platform": sysconfig.get_platform(),
        "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
        "include": [sysconfig.get_path("include"), distutils.sysconfig.get_python_inc()],
        "abi3": build_ext.get_abi3_suffix(),
        "programs": {n: shutil.which(n) for n in ("cc", "gcc", "python3", "ninja", "git")},
    }
    open("written-into-the-source", "w").close()
    with open(os.path.join(folder, "demo-1.whl"), "w") as file:
        json.dump(seen, file)
    return "demo-1.whl"
"""

PYPROJECT = """\
[build-system]
requires = ["setuptools>=40"]
build-backend = "backend"
backend-path = ["."]
"""


class DriverTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.source = self.root / "source"
        self.source.mkdir()
        self.write("pyproject.toml", PYPROJECT)
        self.write("backend.py", BACKEND)
        # Programs of a machine that must not be found: each leaves a trace.
        self.poison = self.root / "poison"
        self.poison.mkdir()
        for name in ("cc", "gcc", "python3", "ninja", "git"):
            file = self.poison / name
            file.write_text(f"#!/bin/sh\n: >{self.root}/poisoned\n", encoding="utf-8")
            file.chmod(0o755)

    def write(self, name, text):
        (self.source / name).write_text(text, encoding="utf-8")

    def build(self, **changes):
        runtime = os.environ["RUNTIME"]
        driver = self.root / "ccdriver"
        driver.write_text("not run by these tests", encoding="utf-8")
        request = {
            "name": "demo",
            "backend": "setuptools",
            "source": str(self.source),
            "output": str(self.root / "demo.whl"),
            "platform": "win_arm64",
            "runtime": runtime,
            "interpreter": f"{runtime}/bin/python3.12",
            "target": os.environ["TARGET"],
            "compiler": str(driver),
            "compiler_paths": {"zig": "zig", "sysroot": "sysroot"},
            "site": [path for path in sys.path if "/packages/" in path],
            "target_site": [],
            "config_settings": {},
            "env": {},
            "spoof_platform": False,
            "unchecked_requires": [],
            "jobs": 1,
            **changes,
        }
        file = self.root / "request.json"
        file.write_text(json.dumps(request), encoding="utf-8")
        env = {
            "PATH": str(self.poison),
            "CC": "poison",
            "CFLAGS": "-poison",
            "PYTHONPATH": str(self.poison),
            "LD_PRELOAD_OF_NOBODY": "poison",
            "TMPDIR": str(self.root),
        }
        command = [sys.executable, "-I", "-S", "-B", MAIN, file]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    def built(self, **changes):
        done = self.build(**changes)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads((self.root / "demo.whl").read_text())

    def refused(self, code, **changes):
        done = self.build(**changes)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual([path.name for path in self.root.glob("demo.whl*")], [])
        return done.stderr

    def test_sees_the_target_and_not_the_machine(self):
        seen = self.built(env={"MINE": "1"}, config_settings={"a": ["1"], "b": ["1", "2"]})
        self.assertEqual(seen["get_platform"], "win-arm64")
        self.assertEqual(seen["suffix"], ".cp312-win_arm64.pyd")
        self.assertEqual(seen["abi3"], ".pyd")
        self.assertEqual(seen["sys.platform"], sys.platform)
        self.assertEqual(seen["settings"], {"a": "1", "b": ["1", "2"]})
        work = str(pathlib.Path(seen["cwd"]).parent)
        self.assertEqual(seen["include"], [f"{work}/target/include"] * 2)
        self.assertEqual(
            seen["programs"],
            {
                "cc": f"{work}/bin/cc",
                "gcc": None,
                "git": None,
                "ninja": None,
                "python3": f"{work}/bin/python3",
            },
        )
        self.assertEqual(seen["env"]["MINE"], "1")
        self.assertFalse([key for key, value in seen["env"].items() if "poison" in value or key == "CC"])
        self.assertFalse((self.root / "poisoned").exists())

    def test_leaves_the_source_and_the_machine_as_they_were(self):
        seen = self.built()
        self.assertEqual({path.name for path in self.source.iterdir()}, {"pyproject.toml", "backend.py"})
        self.assertFalse(pathlib.Path(seen["cwd"]).exists())

    def test_spoofing(self):
        seen = self.built(spoof_platform=True)
        self.assertEqual((seen["sys.platform"], seen["machine"]), ("win32", "ARM64"))

    def test_missing_requirement(self):
        self.write("pyproject.toml", PYPROJECT.replace("setuptools>=40", "hatchling"))
        message = self.refused(2)
        self.assertEqual(
            message,
            "pep517: demo: build requirements are not met:\n"
            "  hatchling (required by demo): add 'hatchling' to build_requires\n",
        )

    def test_wrong_backend(self):
        self.write("pyproject.toml", '[build-system]\nrequires = []\nbuild-backend = "mesonpy"\n')
        self.assertEqual(
            self.refused(2),
            "pep517: demo: backend = 'setuptools', but pyproject.toml says build-backend = 'mesonpy'\n",
        )

    def test_unknown_backend_and_platform(self):
        self.assertIn("back end 'poetry' is unknown; known: meson-python,", self.refused(2, backend="poetry"))
        self.assertIn("platform 'amiga' is unknown; known: linux_aarch64,", self.refused(2, platform="amiga"))

    def test_failing_build_shows_its_log(self):
        self.write("backend.py", textwrap.dedent("""\
            import os
            def build_wheel(folder, config_settings=None, metadata_directory=None):
                open(os.path.join(folder, "half.whl"), "w").close()
                print("line of the log")
                raise SystemExit("broken")
        """))
        message = self.refused(1)
        self.assertIn("line of the log", message)
        self.assertIn("broken", message)


if __name__ == "__main__":
    unittest.main()
