"""kernels.bzl declares what freetoken would compile: the same names, and for each the same source."""

import importlib
import json
import os
import pathlib
import sys
import types
import unittest


def upstream():
    """Name to source of each kernel that aot.py lists, None for one that is no template."""
    kernel = pathlib.Path(os.environ["AOT"]).parent
    # Packages without their __init__.py, which imports torch; aot.py needs none of it.
    for name, folder in {"freetoken": kernel.parent, "freetoken.kernel": kernel}.items():
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]
    sys.modules["torch"] = types.ModuleType("torch")
    aot, utils = (importlib.import_module("freetoken.kernel." + name) for name in ("aot", "utils"))

    compiled = {}

    def load_jit(*args, cuda_files, cuda_wrappers, build_directory):
        # As utils.load_jit and tvm_ffi.cpp.load_inline put it together, with a path that is no machine's.
        compiled[utils._make_name(*args)] = "\n".join(
            [
                "#include <tvm/ffi/container/tensor.h>",
                "#include <tvm/ffi/dtype.h>",
                "#include <tvm/ffi/error.h>",
                "#include <tvm/ffi/extra/c_env_api.h>",
                "#include <tvm/ffi/function.h>",
                "",
            ]
            + ['#include "jit/%s"' % file for file in cuda_files]
            + [utils._make_wrapper(wrapper) for wrapper in cuda_wrappers]
        )

    def load_aot(*args, cpp_files, build_directory):
        compiled[utils._make_name(*args)] = None

    aot.load_jit, aot.load_aot = load_jit, load_aot
    for spec in aot.default_kernel_specs():
        spec.build(pathlib.Path("unused"))
    return compiled


class Kernels(unittest.TestCase):
    maxDiff = None

    def test_same_as_upstream(self):
        want = upstream()
        have = json.loads(pathlib.Path(os.environ["KERNELS"]).read_text())
        self.assertEqual(len(want), 70)
        self.assertEqual(want, have)


if __name__ == "__main__":
    unittest.main()
