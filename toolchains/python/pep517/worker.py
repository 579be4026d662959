"""The second process: calls the back end's hooks in the work folder."""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
import tomllib

from pep517 import backends, requirements, spoof, target
from pep517.errors import BuildError
from pep517.request import Request

_LEGACY = {"requires": ["setuptools>=40.8.0"], "build-backend": "setuptools.build_meta:__legacy__"}


def build(request: Request, root: pathlib.Path) -> str:
    """Builds the wheel into `root`/out and returns its file name."""
    build_ = backends.Build(root, target.find(request.platform), request.jobs)
    backend = _backend(request)
    os.chdir(root / "source")
    system = build_system(pathlib.Path("pyproject.toml"))
    _check_backend(request, backend, system)
    requirements.check(request.name, system["requires"], request.unchecked_requires)

    sys.argv = ["setup.py"]
    sys.path[:0] = [os.path.abspath(path) for path in system.get("backend-path", ())]
    backend.prepare(build_)
    hooks = _load(system["build-backend"])
    settings = _flatten(merge(backend.settings(build_), request.config_settings))
    if request.spoof_platform:
        spoof.activate(build_.target, backend.spoof_modules)
    if hasattr(hooks, "get_requires_for_build_wheel"):
        more = hooks.get_requires_for_build_wheel(settings)
        requirements.check(
            request.name, more, request.unchecked_requires, backend.unneeded(build_)
        )
    return hooks.build_wheel(str(root / "out"), settings)


def build_system(pyproject: pathlib.Path) -> dict:
    """The build-system table of PEP 518, with PEP 517's defaults."""
    if not pyproject.exists():
        return _LEGACY
    with pyproject.open("rb") as file:
        table = tomllib.load(file).get("build-system", {})
    return {**_LEGACY, **table}


def merge(first: backends.Settings, second: dict[str, list[str]]) -> backends.Settings:
    """Joins two sets of config settings; lists under one key are appended."""
    joined = {key: list(values) for key, values in first.items()}
    for key, values in second.items():
        joined.setdefault(key, []).extend(values)
    return joined


def _flatten(settings: backends.Settings) -> dict | None:
    """One value is a string, several are a list, as front ends pass them."""
    flat = {key: values[0] if len(values) == 1 else values for key, values in settings.items()}
    return flat or None


def _backend(request: Request) -> backends.Backend:
    known = backends.registry()
    if request.backend not in known:
        names = ", ".join(sorted(known))
        raise BuildError(f"{request.name}: back end {request.backend!r} is unknown; known: {names}")
    return known[request.backend]


def _check_backend(request: Request, backend: backends.Backend, system: dict) -> None:
    name = system["build-backend"]
    if "backend-path" not in system and not name.startswith(backend.modules):
        raise BuildError(
            f"{request.name}: backend = {request.backend!r}, but pyproject.toml says"
            f" build-backend = {name!r}"
        )


def _load(name: str):
    module, _, attribute = name.partition(":")
    found = importlib.import_module(module)
    for part in attribute.split(".") if attribute else ():
        found = getattr(found, part)
    return found


def main() -> int:
    """Arguments: the request file, the work folder."""
    request, root = Request.load(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2])
    try:
        filename = build(request, root)
    except BuildError as error:
        (root / "error").write_text(f"{error}\n", encoding="utf-8")
        return 1
    (root / "built").write_text(filename, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
