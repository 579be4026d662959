"""Folders made of links, or of copies where the system grants no links."""

from __future__ import annotations

import os
import pathlib
import shutil


def link(path: pathlib.Path, source: pathlib.Path | str) -> None:
    """Makes `path` stand for `source`, a file or a folder."""
    source = pathlib.Path(os.path.abspath(source))
    try:
        path.symlink_to(source, target_is_directory=source.is_dir())
    except OSError:  # Windows without the right to make links
        if source.is_dir():
            shutil.copytree(source, path)
        else:
            shutil.copy(source, path)


def merge(folder: pathlib.Path, tree: pathlib.Path) -> None:
    """Adds what is in `tree` to `folder`; what is there already stays.

    A folder that both have becomes one with the contents of both.
    """
    for source in sorted(tree.iterdir()):
        path = folder / source.name
        if not os.path.lexists(path):
            link(path, source)
        elif path.is_dir() and source.is_dir():
            if path.is_symlink():
                first = path.resolve()
                path.unlink()
                path.mkdir()
                merge(path, first)
            merge(path, source)


def site_packages(folder: pathlib.Path, trees: list[pathlib.Path]) -> None:
    """Makes one site-packages folder of unpacked wheels.

    Modules that a wheel keeps in its .data folder come to the top, as an
    installer would place them.
    """
    for tree in trees:
        merge(folder, tree)
        for data in (*tree.glob("*.data/purelib"), *tree.glob("*.data/platlib")):
            merge(folder, data)
