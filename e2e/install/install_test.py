"""Installs from //wheels:index with the real pip and uv, from each of its three forms, for both platforms.

The interpreter that runs this is the exec interpreter; nothing of the machine is used and nothing but this machine's
loopback is reached.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SITE = pathlib.Path("wheels/index")
INDEX = pathlib.Path(os.environ["INDEX_TOOL"])
WHEEL = pathlib.Path(os.environ["WHEEL_TOOL"])
TMP = pathlib.Path(os.environ["TMPDIR"])

PLATFORMS = {
    # Ours, pip's name, uv's name, what the extension of the module's file ends with.
    "win_arm64": ("win_arm64", "aarch64-pc-windows-msvc", ".pyd"),
    "linux_aarch64": ("manylinux_2_28_aarch64", "aarch64-manylinux_2_28", ".so"),
}


def find_uv():
    for folder in sys.path:
        for program in pathlib.Path(folder).glob("uv-*.data/scripts/uv"):
            # The unpacked wheel is read-only and its programs have no run bit.
            copy = TMP / "uv"
            if not copy.exists():
                shutil.copyfile(program, copy)
                copy.chmod(0o755)
            return copy
    raise AssertionError("uv's wheel is not on the path")


class Server:
    """`index serve` on a free port."""

    def __init__(self, site):
        self.process = subprocess.Popen(
            [INDEX, "serve", "--dir", site, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.address = line.split("--index-url ")[1].split("/simple/")[0]

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def environment(**more):
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "PYTHONHOME", "PYTHONPATH")}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"} | more


def pip(target, platform, source, requirement):
    return subprocess.run(
        [sys.executable, "-s", "-m", "pip", "install", "--isolated", "--no-cache-dir", "--no-deps", "--disable-pip-version-check",
         "--target", target, "--platform", PLATFORMS[platform][0], "--python-version", "3.12", "--implementation", "cp",
         "--only-binary=:all:", *source, requirement],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def uv(target, platform, source, requirement):
    return subprocess.run(
        [find_uv(), "pip", "install", "--no-config", "--no-cache", "--no-deps", "--no-progress",
         "--python", sys.executable, "--target", target, "--python-platform", PLATFORMS[platform][1], "--python-version", "3.12",
         "--only-binary", ":all:", *source, requirement],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


TOOLS = {"pip": pip, "uv": uv}


def forms(address, site):
    return {
        "directory": ["--no-index", "--find-links", str(site / "files")],
        "links page": ["--no-index", "--find-links", address + "/links.html"],
        "simple index": ["--index-url", address + "/simple/"],
    }


class InstallTest(unittest.TestCase):
    maxDiff = None

    def install(self, tool, platform, source, requirement):
        target = tempfile.mkdtemp(dir=TMP)
        return TOOLS[tool](target, platform, source, requirement), pathlib.Path(target)

    def test_every_form(self):
        site = SITE.absolute()
        with Server(site) as address:
            for form, source in forms(address, site).items():
                for tool in TOOLS:
                    for platform in PLATFORMS:
                        with self.subTest(form=form, tool=tool, platform=platform):
                            run, target = self.install(tool, platform, source, "soxr==1.1.0")
                            self.assertEqual(run.returncode, 0, run.stdout)
                            modules = [path.name for path in (target / "soxr").glob("soxr_ext*") if path.suffix != ".pyi"]
                            self.assertEqual(len(modules), 1, modules)
                            self.assertTrue(modules[0].endswith(PLATFORMS[platform][2]), modules)
                            if platform == "win_arm64":  # for the other one, soxr is upstream's
                                self.assertTrue(list(target.glob("soxr-1.1.0.dist-info/sboms/sparkwheels.cdx.json")), "no SBOM")

    def test_flipped_byte(self):
        # One byte in the middle spoils a member, which uv notices before it has the digest; the time of the first member
        # spoils nothing but the digest.
        for place, said in {"middle": "hash mismatch|do not match the hashes|failed to extract", "time": "hash mismatch|do not match the hashes"}.items():
            site = TMP / ("flipped-" + place)
            shutil.copytree(SITE, site, copy_function=shutil.copyfile)
            for wheel in (site / "files").glob("soxr-*.whl"):
                data = bytearray(wheel.read_bytes())
                data[10 if place == "time" else len(data) // 2] ^= 1
                wheel.chmod(0o644)
                wheel.write_bytes(data)
            with Server(site) as address:
                for form, source in forms(address, site).items():
                    if form == "directory":
                        continue  # a folder of files has no digests to check against
                    for tool in TOOLS:
                        for platform in PLATFORMS:
                            with self.subTest(place=place, form=form, tool=tool, platform=platform):
                                run, _ = self.install(tool, platform, source, "soxr==1.1.0")
                                self.assertNotEqual(run.returncode, 0)
                                self.assertRegex(run.stdout.lower(), said)

    def test_local_version(self):
        """A "+" in a version survives the address and the page."""
        wheels = TMP / "local"
        wheels.mkdir()
        for wheel in (SITE / "files").glob("soxr-*.whl"):
            subprocess.run([WHEEL, "retag", "--out", wheels, "--local-version", "cu134torch2.14", wheel], check=True, stdout=subprocess.DEVNULL)
        site = TMP / "local-site"
        listing = TMP / "listing.json"
        listing.write_text('{"repositories": "%s", "wheels": []}' % pathlib.Path("third_party/pins.json").absolute())
        subprocess.run([INDEX, "build", "--out", site, "--listing", listing, "--merge", SITE, *wheels.glob("*.whl")], check=True)
        with Server(site) as address:
            for form, source in forms(address, site).items():
                for tool in TOOLS:
                    for platform in PLATFORMS:
                        with self.subTest(form=form, tool=tool, platform=platform):
                            run, target = self.install(tool, platform, source, "soxr==1.1.0+cu134torch2.14")
                            self.assertEqual(run.returncode, 0, run.stdout)
                            self.assertTrue((target / "soxr-1.1.0+cu134torch2.14.dist-info").is_dir())

    def test_merge_keeps_and_refuses(self):
        changed = TMP / "changed"
        changed.mkdir()
        name = next((SITE / "files").glob("simsimd-*win_arm64.whl"))
        shutil.copyfile(name, changed / name.name)
        subprocess.run([WHEEL, "retag", "--out", changed, "--build-tag", "1", name], check=True, stdout=subprocess.DEVNULL)
        other = next(changed.glob("simsimd-*-1-*"))
        listing = TMP / "listing2.json"
        listing.write_text('{"repositories": "%s", "wheels": []}' % pathlib.Path("third_party/pins.json").absolute())
        run = subprocess.run([INDEX, "build", "--out", TMP / "kept", "--listing", listing, "--merge", SITE, other], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        page = (TMP / "kept/simple/simsimd/index.html").read_text()
        self.assertIn(name.name, page)
        self.assertIn(other.name, page)
        # The same name with other bytes.
        flipped = TMP / "other-bytes"
        flipped.mkdir()
        subprocess.run([WHEEL, "retag", "--out", flipped, "--abi-tag", "abi3", changed / name.name], check=True, stdout=subprocess.DEVNULL)
        next(flipped.glob("*abi3*")).replace(flipped / name.name)
        run = subprocess.run([INDEX, "build", "--out", TMP / "refused", "--listing", listing, "--merge", SITE, flipped / name.name], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("a published file never changes", run.stderr)
        self.assertFalse((TMP / "refused").exists())


if __name__ == "__main__":
    unittest.main()
