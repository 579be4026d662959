/* launch CUDART LIBRARY: loads the CUDA runtime, then the library of kernels.cu,
 * calls each of its functions once and unloads it.
 *
 * The arguments are the constants below, which launch_test.go expects. Prints a
 * line before and after each step. Exit code 1: something cannot be loaded or
 * found; the message says what. */
#include <stdio.h>

#include "kernels.h"

#ifdef _WIN32
#include <windows.h>
static void *open_library(const char *path) { return (void *)LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH); }
static void *look_up(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
static int close_library(void *library) { return FreeLibrary((HMODULE)library) != 0; }
static void complain(const char *what) { fprintf(stderr, "launch: %s: error %lu\n", what, GetLastError()); }
#else
#include <dlfcn.h>
/* Unlike on Windows, a library that is loaded already is found by its SONAME whatever its scope is. */
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *look_up(void *library, const char *name) { return dlsym(library, name); }
static int close_library(void *library) { return dlclose(library) == 0; }
static void complain(const char *what) { fprintf(stderr, "launch: %s: %s\n", what, dlerror()); }
#endif

#define CALL(name, ...)                                     \
  do {                                                      \
    function.any = look_up(library, #name);                 \
    if (!function.any) return complain(#name), 1;           \
    printf("launch: %s\n", #name);                          \
    printf("launch: returned %d\n", function.name(__VA_ARGS__)); \
  } while (0)

int main(int argc, char **argv) {
  union {
    void *any;
    int (*launch_narrow)(float *, int64_t, size_t, long, int, void *);
    int (*launch_nested)(unsigned char, const Mixed *, double);
    int (*launch_fill)(double *, double);
    int (*set_table)(const float *, size_t, size_t);
    int (*device_count)(int *);
  } function;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc != 3) return fprintf(stderr, "launch: say CUDART and LIBRARY\n"), 1;
  if (!open_library(argv[1])) return complain(argv[1]), 1;
  printf("launch: loading\n");
  void *library = open_library(argv[2]);
  if (!library) return complain(argv[2]), 1;
  printf("launch: loaded\n");

  const float values[] = {1.5f, -2.25f};
  CALL(set_table, values, 3, 2);
  CALL(launch_narrow, (float *)0x1122334455667788, INT64_C(0x0102030405060708), (size_t)0xf1f2f3f4f5f6f7f8, -2L, 77, (void *)0x57);
  const Mixed mixed = {'m', INT64_C(-3), (size_t)0x8877665544332211, 0x12345678L, 0.5f, (double *)0xa1a2a3a4a5a6a7a8, {-1, 2, 3}};
  CALL(launch_nested, 200, &mixed, 0.125);
  CALL(launch_fill, (double *)0xb1b2b3b4b5b6b7b8, -1.0);
  int count = -1;
  CALL(device_count, &count);

  printf("launch: unloading\n");
  if (!close_library(library)) return complain("unloading"), 1;
  printf("launch: unloaded\n");
  return 0;
}
