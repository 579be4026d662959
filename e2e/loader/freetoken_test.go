package loader_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparkwheels/sparkwheels/go/guest"
)

// kernelCache is what freetoken does with our wheel, as far as it goes without
// a GPU: its own modules look each kernel up and have tvm_ffi load it, and
// refuse a wheel of another version or another CUDA. torch is a stand-in that
// knows its CUDA version; the real one would have loaded the CUDA runtime.
const kernelCache = `
import ctypes, os, pathlib, sys, types

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # qemu has been seen to hang with more
ctypes.CDLL("/cudart/libcudart.so.13", ctypes.RTLD_GLOBAL)
import tvm_ffi  # before there is something by the name of torch, which it would use

torch = types.ModuleType("torch")
torch.version = types.SimpleNamespace(cuda="13.0")
sys.modules["torch"] = torch

# The packages without their __init__.py, which imports all of freetoken.
for name, folder in {"freetoken": "/freetoken", "freetoken.kernel": "/freetoken/kernel"}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
os.environ["FREETOKEN_DISABLE_JIT"] = "1"
from freetoken import version
from freetoken.kernel import aot, radix, utils

specs = aot.default_kernel_specs()
for spec in specs:
    module = spec.build(pathlib.Path("/nowhere"))
    for function in {
        "freetoken__batch_memcpy": ["batch_memcpy"],
        "freetoken__fast_index_copy_update_flag": ["update_copy_flag"],
        "freetoken__radix": ["fast_compare_key"],
    }.get(spec.name, ["launch"]):
        assert module.get_function(function) is not None, (spec.name, function)

import numpy
a, b = numpy.arange(9, dtype="int64"), numpy.arange(9, dtype="int64")
b[5] = 0
assert radix.fast_compare_key(tvm_ffi.from_dlpack(a), tvm_ffi.from_dlpack(b)) == 5

def refused(text):
    try:
        utils._kernel_cache_dir()
    except RuntimeError as error:
        assert text in str(error), error
        return
    raise AssertionError(text)

torch.version.cuda = "12.8"
refused("was built for CUDA 13.x but torch runs CUDA 12.x")
torch.version.cuda = "13.0"
version.__version__ = "0.0.1"
refused("does not match freetoken version '0.0.1'")
print("loaded", len(specs), "kernels")
`

func TestFreetokenKernels(t *testing.T) {
	p := newPython(t)
	for _, wheel := range wheels(t, "aarch64") {
		if !strings.HasPrefix(filepath.Base(wheel), "freetoken_kernel_cache-") {
			continue
		}
		cudart := unpackPart(t, input(t, "CUDART"), 0, "nvidia/cu13/lib/libcudart.so.13")
		p.extra = []guest.Mount{
			// Both inputs are a file two folders below what Python looks into.
			{Source: filepath.Dir(filepath.Dir(input(t, "FREETOKEN"))), Target: "/freetoken"},
			{Source: filepath.Dir(filepath.Dir(input(t, "TVM_FFI"))), Target: "/tvm"},
			{Source: filepath.Join(cudart, "nvidia/cu13/lib"), Target: "/cudart"},
		}
		p.run(t, unpack(t, wheel), "", "-c", kernelCache)
		return
	}
	t.Error("WHEELS has no freetoken_kernel_cache")
}
