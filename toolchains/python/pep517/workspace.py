"""The private work folder of one build and the environment made from it."""

from __future__ import annotations

import os
import pathlib
import shutil
import stat
import sys
import tempfile

from pep517 import compiler, cross, links, overlay, target, tools
from pep517.request import Request

# A short, fixed place gives the same paths on every machine to whatever a
# build system writes down; in Bazel's sandbox /tmp is private to the action.
_FIXED = pathlib.Path("/tmp/sparkwheels")

SOURCE_DATE_EPOCH = "315532800"  # 1980-01-01, the first time a zip can hold


class Workspace:
    """A folder with all that a build may see.

    Its life: `with Workspace(request) as work` makes it, `work.env` is the
    whole environment of the build, and leaving the block removes it.

        bin/      every program of the build
        driver/   link to the package that you are reading, alone
        home/     HOME
        out/      where the back end puts the wheel
        overlay/  modules that stand before the site's own
        python/   link to the exec interpreter's tree
        site/     links to the contents of the unpacked build requirements
        source/   copy of the source tree, writable
        target/   link to the target's headers, libraries and sysconfig data
        tmp/      TMPDIR
    """

    def __init__(self, request: Request):
        self.request = request
        self.target = target.find(request.platform)
        self.root = _make_root()

    def __enter__(self) -> Workspace:
        try:
            self._fill()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *unused: object) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def _fill(self) -> None:
        request = self.request
        for name in ("bin", "home", "out", "overlay", "site", "tmp"):
            (self.root / name).mkdir()
        (self.root / "driver").mkdir()
        links.link(self.root / "driver/pep517", os.path.dirname(os.path.abspath(__file__)))
        links.link(self.root / "python", request.runtime)
        links.link(self.root / "target", request.target)
        site = [pathlib.Path(tree).absolute() for tree in request.site]
        links.site_packages(self.root / "site", site)
        _copy_source(request.source, self.root / "source")
        inside = os.path.relpath(request.interpreter, request.runtime)
        self.interpreter = self.root / "python" / inside
        tools.install(self.root / "bin", self.interpreter, site)
        compiler.install(
            self.root / "bin",
            pathlib.Path(request.compiler),
            request.compiler_paths,
            request.platform,
            # The later of two that fit wins.
            prefix_maps=[
                (os.getcwd(), "."),
                (os.fspath(self.root), "."),
                (os.fspath(self.root / "source"), "."),
            ],
        )
        self.pkg_config_path = overlay.install(
            self.root / "overlay", [pathlib.Path(tree) for tree in request.target_site]
        )

    @property
    def env(self) -> dict[str, str]:
        """The build's environment; nothing of the caller's is in it."""
        root = os.fspath(self.root)
        path = [f"{root}/{name}" for name in ("overlay", "driver", "target/sysconfig", "site")]
        env = {
            "PATH": f"{root}/bin",
            "HOME": f"{root}/home",
            "TMPDIR": f"{root}/tmp",
            "LANG": "C",
            "TZ": "UTC",
            "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH,
            "PYTHONHOME": f"{root}/python",
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONNOUSERSITE": "1",
            "PYTHONUTF8": "1",
            "PKG_CONFIG_LIBDIR": os.pathsep.join(
                [f"{root}/target/pkgconfig", *map(os.fspath, self.pkg_config_path)]
            ),
            "CMAKE_BUILD_PARALLEL_LEVEL": str(self.request.jobs),
            **cross.environment(self.request.platform, f"{root}/target"),
            **self.request.env,
        }
        if sys.platform == "win32":  # the system's DLLs are found through these
            env |= {k: os.environ[k] for k in ("SYSTEMROOT", "WINDIR") if k in os.environ}
            env |= {"TEMP": env["TMPDIR"], "TMP": env["TMPDIR"]}
        return env


def _make_root() -> pathlib.Path:
    if sys.platform != "win32":
        try:
            _FIXED.mkdir(mode=0o700)
            return _FIXED
        except FileExistsError:  # no private /tmp: another build runs
            pass
    return pathlib.Path(tempfile.mkdtemp(prefix="sparkwheels-")).resolve()


def _copy_source(source: str, destination: pathlib.Path) -> None:
    """Copies a tree so that the build may change it.

    Bazel makes outputs read-only and executable; a build that copies modes
    into the wheel must not carry that on, so files get the usual modes.
    """
    shutil.copytree(source, destination, copy_function=shutil.copyfile)
    for folder, _, files in os.walk(destination):
        os.chmod(folder, 0o755)
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                script = file.read(2) == b"#!"
            os.chmod(path, stat.S_IRUSR | stat.S_IWUSR | 0o044 | (0o111 if script else 0))
