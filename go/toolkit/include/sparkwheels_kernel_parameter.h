/*
 * Refuses by-value kernel parameters that the host and the device would read differently.
 *
 * Device code and the stubs that launch kernels come out of nvcc's front end, which on Linux takes wchar_t for 4 bytes and
 * long double for 16; in the mingw-w64 ABI they have 2 and 8. It lays bit-fields out as GCC does, and so does the host code
 * of this very file; other C++ sources of the program lay them out as MSVC does. None of this is an error by itself: the
 * kernel would read other bytes. crt/host_runtime.h is adapted to name checked<T> for the type T of every parameter.
 *
 * Fields are enumerated at compile time with clang's __builtin_dump_struct, which calls visit() once for each: four words
 * and the value, or with the width between them for a bit-field. Nothing is evaluated.
 */
#pragma once

namespace sparkwheels_kernel_parameter {

template <class T, class U> struct same { enum { value = 0 }; };
template <class T> struct same<T, T> { enum { value = 1 }; };

template <class T> struct checked;

template <class T> struct bit_field {
  static_assert(same<T, void>::value, "a kernel parameter has a bit-field: C++ sources of the program lay it out as MSVC does, "
                                      "device code as GCC does; use a whole member and shifts");
  typedef int type;
};

template <class... A> int visit(const A &...);
template <class T> typename checked<T>::type visit(const char *, const char *, const char *, const char *, const T &);
template <class T>
typename bit_field<T>::type visit(const char *, const char *, const char *, const char *, unsigned long long, const T &);

template <class T, bool IsClass> struct fields { enum { size = 0 }; };
template <class T> struct fields<T, true> {
  enum { size = sizeof((__builtin_dump_struct(static_cast<T *>(nullptr), visit), 0)) };
};

template <class T> struct checked {
  static_assert(!same<T, wchar_t>::value, "a kernel parameter holds wchar_t: it has 2 bytes on Windows and 4 in this device "
                                          "code; use char16_t");
  static_assert(!same<T, long double>::value, "a kernel parameter holds long double: it has 8 bytes on Windows and 16 for "
                                              "nvcc's front end; use double");
  enum { size = fields<T, __is_class(T) || __is_union(T)>::size };
  typedef int type;
};
template <class T> struct checked<const T> : checked<T> {};
template <class T> struct checked<volatile T> : checked<T> {};
template <class T> struct checked<const volatile T> : checked<T> {};
template <class T> struct checked<T &> : checked<T> {};
template <class T> struct checked<T &&> : checked<T> {};
template <class T, unsigned long long N> struct checked<T[N]> : checked<T> {};

/* What a pointer leads to may be incomplete and is another matter, unless it is a whole array, which is how fields come. */
template <class T> struct pointee { typedef int type; };
template <class T, unsigned long long N> struct pointee<T[N]> : checked<T> {};
template <class T> struct checked<T *> {
  static_assert(!same<T, wchar_t>::value && !same<T, const wchar_t>::value,
                "a kernel parameter leads to wchar_t: it has 2 bytes on Windows and 4 in this device code; use char16_t");
  static_assert(!same<T, long double>::value && !same<T, const long double>::value,
                "a kernel parameter leads to long double: it has 8 bytes on Windows and 16 for nvcc's front end; use double");
  typedef typename pointee<T>::type type;
};

} // namespace sparkwheels_kernel_parameter
