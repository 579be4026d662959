"""Checks that the site holds all that a build asks for, in the right versions.

Nothing can be installed while a build runs, so a missing requirement would
show up as some later ImportError. Here it is one message that says what to
add to `build_requires`.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable

from pep517.errors import BuildError


def check(
    wheel: str,
    wanted: Iterable[str],
    unchecked: Iterable[str] = (),
    unneeded: Iterable[str] = (),
) -> None:
    """Raises one BuildError that lists every requirement which is not met.

    `wanted` are PEP 508 strings; what they require in turn is checked too.
    Markers are evaluated for the build machine, where requirements run.
    Names in `unchecked` must be there, in any version; names in `unneeded` are
    passed over.
    """
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    loose = {canonicalize_name(name) for name in unchecked}
    ignored = {canonicalize_name(name) for name in unneeded}
    problems: list[str] = []
    seen: set[tuple[str, str]] = set()

    def visit(text: str, because: str, extra: str) -> None:
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            return
        name = canonicalize_name(requirement.name)
        if name in ignored or (name, text) in seen:
            return
        seen.add((name, text))
        try:
            found = importlib.metadata.distribution(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            problems.append(f"{text} ({because}): add {_package(name)!r} to build_requires")
            return
        if name not in loose and not requirement.specifier.contains(found.version, prereleases=True):
            problems.append(
                f"{text} ({because}): the site has {found.version}; change the pin, patch the"
                f" requirement, or list {name!r} in unchecked_requires"
            )
        for inner in found.requires or ():
            for wanted_extra in requirement.extras or {""}:
                visit(inner, f"required by {requirement.name}", wanted_extra)

    for text in wanted:
        visit(text, f"required by {wheel}", "")
    if problems:
        raise BuildError(
            f"{wheel}: build requirements are not met:\n" + "\n".join(f"  {p}" for p in problems)
        )


def _package(name: str) -> str:
    """The target of a project in //toolchains/python/packages."""
    return name.replace("-", "_")
