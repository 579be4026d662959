"""Modules that stand before the site's own: the target's side of a library.

A build that includes numpy's headers must include those of the *target's*
numpy, whose configuration differs from the build machine's (on Windows, long
is four bytes). The target's numpy cannot be imported here, and need not be:
builds ask it for two things, its version and its include folder.
"""

from __future__ import annotations

import os
import pathlib
import shutil

# Makes every Python process of the build answer as the target's.
_SITECUSTOMIZE = """\
from pep517 import cross
cross.activate()
"""

_NUMPY = '''\
"""Stand-in for the target's numpy: its version, headers and declarations."""
import os

__version__ = {version!r}


def get_include():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "_core", "include")


def __getattr__(name):
    raise AttributeError(
        f"numpy.{{name}} is not available: this build has the target's numpy, for its"
        " headers only; a build that computes with numpy needs it in build_requires"
    )
'''

# Folders of numpy that builds read and no interpreter imports.
_NUMPY_FOLDERS = ("_core/include", "_core/lib", "random/lib")


def install(overlay: pathlib.Path, target_site: list[pathlib.Path]) -> list[pathlib.Path]:
    """Fills `overlay`; returns the folders with pkg-config files in it."""
    (overlay / "sitecustomize.py").write_text(_SITECUSTOMIZE, encoding="utf-8")
    pkg_config = []
    for tree in target_site:
        if (tree / "numpy").is_dir():
            pkg_config.append(_numpy(overlay, tree))
    return pkg_config


def _numpy(overlay: pathlib.Path, tree: pathlib.Path) -> pathlib.Path:
    info = next(tree.glob("numpy-*.dist-info"))
    version = info.name.removesuffix(".dist-info").partition("-")[2]
    package = overlay / "numpy"
    package.mkdir()
    (package / "__init__.py").write_text(_NUMPY.format(version=version), encoding="utf-8")
    for pxd in sorted((tree / "numpy").rglob("*.pxd")):
        copy = package / pxd.relative_to(tree / "numpy")
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(pxd, copy)
    for folder in _NUMPY_FOLDERS:
        if (tree / "numpy" / folder).is_dir():
            shutil.copytree(tree / "numpy" / folder, package / folder, copy_function=shutil.copyfile)
    # Metadata only: entry points would name modules that are not here.
    (overlay / info.name).mkdir()
    shutil.copyfile(info / "METADATA", overlay / info.name / "METADATA")
    for folder, _, _ in os.walk(package):
        os.chmod(folder, 0o755)
    return package / "_core/lib/pkgconfig"
