"""The request: what the Bazel rule asks of one build."""

from __future__ import annotations

import dataclasses
import json
import pathlib

from pep517.errors import BuildError


@dataclasses.dataclass(frozen=True)
class Request:
    """One build, as `wheels/private/pep517.bzl` writes it.

    Paths are relative to the folder that the action starts in.
    """

    name: str  # the pin's name, for messages
    backend: str  # key of backends.registry()
    source: str  # patched source tree
    output: str  # where the wheel goes; its name there is the rule's choice
    platform: str  # key of target.TARGETS
    runtime: str  # the exec interpreter's tree
    interpreter: str  # the interpreter inside that tree
    target: str  # tree of headers, import libraries and sysconfig data
    compiler: str  # the gcc-like driver
    compiler_paths: dict[str, str]  # its zig, zig_lib and sysroot
    site: list[str]  # unpacked wheels that the back end may import
    target_site: list[str]  # unpacked wheels of the target, for their headers
    config_settings: dict[str, list[str]]  # PEP 517 config settings
    env: dict[str, str]  # environment beside the driver's own
    spoof_platform: bool  # answer sys.platform and friends as the target would
    unchecked_requires: list[str]  # requirements that may have any version
    jobs: int  # parallel compiles

    @classmethod
    def load(cls, path: pathlib.Path) -> Request:
        """Reads a request; a missing or unknown key is an error that names it."""
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {field.name for field in dataclasses.fields(cls)}
        if data.keys() != known:
            odd = ", ".join(sorted(data.keys() ^ known))
            raise BuildError(f"{path}: missing or unknown keys: {odd}")
        return cls(**data)

    def dump(self, path: pathlib.Path) -> None:
        """Writes the request so that `load` reads it back."""
        path.write_text(json.dumps(dataclasses.asdict(self)), encoding="utf-8")
