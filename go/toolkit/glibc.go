package toolkit

// glibcEdits adapt glibc's headers. They are of the newest glibc, whatever
// version is targeted.
var glibcEdits = []edit{
	{
		file: "generic-glibc/bits/libc-header-start.h", count: 1,
		old: "# define __GLIBC_USE_IEC_60559_FUNCS_EXT_C23 1",
		new: "# define __GLIBC_USE_IEC_60559_FUNCS_EXT_C23 0",
		why: "CUDA's headers declare rsqrt, sinpi and their kin themselves, with another signature",
	},
	{
		file: "c++/__config", count: 1,
		old: "#  if __has_cpp_attribute(_Clang::__no_specializations__)",
		new: "#  if 0",
		why: "CUTLASS specialises traits of the standard library, which nvcc's other host compilers allow",
	},
}
