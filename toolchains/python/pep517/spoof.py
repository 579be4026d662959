"""Answers platform questions as the target would. Opt-in, per wheel.

Some setup scripts choose sources and libraries by `sys.platform`. With
`spoof_platform = True` they see the target's. It is not the default: the same
answer makes other scripts pass MSVC's flags to a compiler that is none.
"""

from __future__ import annotations

import functools
import importlib
import platform
import shutil
import sys

from pep517.target import Target

# These choose their own implementation by platform when they are imported,
# so they are imported before the answer changes.
_HONEST = (
    "asyncio concurrent.futures ctypes ctypes.util logging multiprocessing pathlib select selectors"
    " shutil socket ssl subprocess tarfile tempfile zipfile"
).split()


def activate(target: Target, modules: tuple[str, ...] = ()) -> None:
    """From here on this process claims to run on `target`.

    `modules` are the back end's own that must be imported before.
    """
    for name in (*_HONEST, *modules):
        importlib.import_module(name)
    # Asked at each call, and by distutils for each command: what runs, runs here.
    shutil.which = _honest(shutil.which)
    sys.platform = target.sys_platform
    platform.system = lambda: target.system
    platform.machine = lambda: target.machine
    platform.processor = lambda: target.machine


def _honest(function):
    """`function`, with the platform that is true while it runs."""
    true = sys.platform

    @functools.wraps(function)
    def call(*args, **kwargs):
        claimed, sys.platform = sys.platform, true
        try:
            return function(*args, **kwargs)
        finally:
            sys.platform = claimed

    return call
