"""CMake: a toolchain file for the target, and FindPython's answers."""

from __future__ import annotations

import os

from pep517.backends import Build

_TOOLCHAIN = """\
set(CMAKE_SYSTEM_NAME {target.system})
set(CMAKE_SYSTEM_PROCESSOR {target.machine})
set(CMAKE_C_COMPILER {root}/bin/cc)
set(CMAKE_CXX_COMPILER {root}/bin/c++)
set(CMAKE_AR {root}/bin/ar CACHE FILEPATH "")
set(CMAKE_RANLIB {root}/bin/ranlib CACHE FILEPATH "")
set(CMAKE_STRIP {root}/bin/strip CACHE FILEPATH "")
set(CMAKE_RC_COMPILER {root}/bin/windres)
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-s")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-s")
set(CMAKE_FIND_ROOT_PATH {root}/target {root}/overlay)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
# FindPython must not ask the interpreter that runs here about the target.
foreach(_python Python Python3)
  set(${{_python}}_INCLUDE_DIR {root}/target/include CACHE PATH "")
  set(${{_python}}_NumPy_INCLUDE_DIR {root}/overlay/numpy/_core/include CACHE PATH "")
{libraries}endforeach()
"""

_LIBRARIES = """\
  set(${{_python}}_LIBRARY {root}/target/libs/python312.lib CACHE FILEPATH "")
  set(${{_python}}_SABI_LIBRARY {root}/target/libs/python3.lib CACHE FILEPATH "")
"""


def prepare(build: Build) -> None:
    """Writes the toolchain file and names it in the environment.

    CMake reads both variables, so setup scripts that call it need no flags.
    """
    fields = {"root": build.root.as_posix(), "target": build.target}
    libraries = _LIBRARIES.format(**fields) if build.target.link_libpython else ""
    file = build.root / "toolchain.cmake"
    file.write_text(_TOOLCHAIN.format(libraries=libraries, **fields), encoding="utf-8")
    os.environ["CMAKE_TOOLCHAIN_FILE"] = str(file)
    os.environ["CMAKE_GENERATOR"] = "Ninja"
