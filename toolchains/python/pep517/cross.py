"""Makes the running interpreter answer questions about builds as the target's.

`sysconfig` takes its variables from the target's data module, which two
environment variables name (CPython reads them for its own cross builds).
Folders it computes from the running interpreter; those of headers, programs and
packages are replaced here. `sys.platform` stays the build machine's: see `spoof` for the rest.
"""

from __future__ import annotations

import os
import sysconfig

from pep517 import target as targets


def environment(name: str, tree: str) -> dict[str, str]:
    """The variables that each Python process of the build needs."""
    target = targets.find(name)
    return {
        "_PYTHON_HOST_PLATFORM": target.platform,
        "_PYTHON_SYSCONFIGDATA_NAME": target.sysconfigdata,
        "SETUPTOOLS_EXT_SUFFIX": target.extension_suffix,
        "SPARKWHEELS_PLATFORM": name,
        "SPARKWHEELS_TARGET": tree,
    }


def activate() -> None:
    """Replaces what `sysconfig` says about folders. Called once a process."""
    tree = os.environ["SPARKWHEELS_TARGET"]
    include = os.path.join(tree, "include")
    site, scripts = (os.path.join(os.path.dirname(tree), name) for name in ("site", "bin"))
    replaced = {
        "include": include,
        "platinclude": include,
        "purelib": site,
        "platlib": site,
        "scripts": scripts,
    }
    original_paths, original_path = sysconfig.get_paths, sysconfig.get_path

    def get_paths(*args, **kwargs):
        return {**original_paths(*args, **kwargs), **replaced}

    def get_path(name, *args, **kwargs):
        return replaced.get(name) or original_path(name, *args, **kwargs)

    sysconfig.get_paths, sysconfig.get_path = get_paths, get_path
    sysconfig.get_config_h_filename = lambda: os.path.join(include, "pyconfig.h")
