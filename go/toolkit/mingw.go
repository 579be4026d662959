package toolkit

import _ "embed"

// kernelParameter refuses kernel parameters that host and device read differently.
//
//go:embed include/sparkwheels_kernel_parameter.h
var kernelParameter string

// mingwHeaders are headers of our own in the overlay: name to text.
var mingwHeaders = map[string]string{"sparkwheels_kernel_parameter.h": kernelParameter}

// mingwToolkitEdits adapt NVIDIA's headers to clang with the mingw-w64 ABI.
var mingwToolkitEdits = append(onlyMSVC(map[string]int{
	"crt/func_macro.h":       1,
	"crt/math_functions.h":   13,
	"crt/math_functions.hpp": 12,
}), []edit{
	{
		file: "crt/host_runtime.h", count: 1,
		old: "extern int atexit(void(*)(void)) throw();",
		new: "extern int atexit(void(*)(void));",
		why: "mingw-w64 declares atexit without an exception specification",
	},
	{
		file: "crt/host_runtime.h", count: 1,
		old: "#define __cudaLaunchPrologue(size) \\\n",
		new: "#include \"sparkwheels_kernel_parameter.h\"\n\n#define __cudaLaunchPrologue(size) \\\n",
		why: "every kernel parameter is checked, see the header",
	},
	{file: "crt/host_runtime.h", count: 1, old: setupArg, new: setupArg + checkArg, why: "every kernel parameter is checked"},
	{file: "crt/host_runtime.h", count: 1, old: setupArgSimple, new: setupArgSimple + checkArg, why: "every kernel parameter is checked"},
	{
		file: "crt/host_defines.h", count: 1,
		old: "#define __cdecl\n",
		new: "#ifndef __THROW\n#define __THROW\n#endif\n",
		why: "the compiler knows __cdecl; __THROW is glibc's, and mingw-w64 has nothing of the kind",
	},
	{
		file: "crt/host_config.h", count: 1,
		old: "#include <features.h> /* for __THROW */\n",
		new: "",
		why: "mingw-w64 has no such header",
	},
	{
		file: "crt/math_functions.h", count: 1,
		old: "!defined(__HORIZON__)\n#  include <features.h>",
		new: "!defined(__HORIZON__) && !defined(__MINGW32__)\n#  include <features.h>",
		why: "they take every GCC-like compiler for one with glibc",
	},
	{file: "crt/sm_90_rt.hpp", count: 2, old: msvcWin64, new: win64, why: llp64},
	{file: "cuda_bf16.hpp", count: 4, old: msvcWin64, new: win64, why: llp64},
	{file: "cuda_fp16.hpp", count: 4, old: msvcWin64, new: win64, why: llp64},
	{file: "sm_32_intrinsics.hpp", count: 1, old: msvcWin64, new: win64, why: llp64},
	{
		file: "cccl/cuda/std/__cccl/assert.h", count: 1,
		old: "#elif __has_include(<yvals.h>) && _CCCL_OS(WINDOWS)",
		new: "#elif defined(_MSC_VER)",
		why: "_STL_VERIFY is of MSVC's library; mingw-w64 has a yvals.h too",
	},
	{
		file: "cccl/cuda/__driver/driver_api.h", count: 1,
		old: "static void* __fn = ::GetProcAddress(",
		new: "static void* __fn = (void*) ::GetProcAddress(",
		why: "only MSVC converts a function pointer to void* by itself",
	},
}...)

const (
	setupArg       = "#define __cudaSetupArg(arg, offset) \\\n"
	setupArgSimple = "#define __cudaSetupArgSimple(arg, offset) \\\n"
	checkArg       = "        (void)sizeof(::sparkwheels_kernel_parameter::checked<decltype(arg)>); \\\n"
)

const (
	msvcWin64 = "(defined(_MSC_VER) && defined(_WIN64))"
	win64     = "defined(_WIN64)"
	llp64     = "pointers have 64 bits on every 64-bit Windows"
)

// mingwEdits adapt mingw-w64's and libc++'s headers to nvcc's front end.
var mingwEdits = []edit{
	{
		file: "c/_mingw.h", count: 1,
		old: "#define __MINGW_PREFETCH_IMPL !__has_builtin(__prefetch)",
		new: "#define __MINGW_PREFETCH_IMPL 0",
		why: "nvcc's front end takes its inline assembly for device code",
	},
	{
		file: "c/_mingw.h", count: 1,
		old: "  register unsigned int __w0 __asm__(\"w0\") = _Code;\n  __asm__ __volatile__(\"brk #0xf003\"::\"r\"(__w0));\n",
		new: "  __asm__ __volatile__(\"mov w0, %w0\\n\\tbrk #0xf003\"::\"r\"(_Code):\"w0\");\n",
		why: "nvcc's front end drops the register of a register variable",
	},
	{
		file: "c/winnt.h", count: 1,
		old: "    register struct _TEB *__mingw_current_teb __asm__(\"x18\");\n",
		new: "",
		why: "nvcc's front end drops the register of a register variable",
	},
	{
		file: "c/winnt.h", count: 1,
		old: "        return __mingw_current_teb;\n",
		new: "        struct _TEB *__teb;\n        __asm__ (\"mov %0, x18\" : \"=r\" (__teb));\n        return __teb;\n",
		why: "nvcc's front end drops the register of a register variable",
	},
	{
		file: "c++/__config", count: 1,
		old: "#  if __has_cpp_attribute(_Clang::__no_specializations__)",
		new: "#  if 0",
		why: "CUTLASS specialises traits of the standard library, which nvcc's other host compilers allow",
	},
}
