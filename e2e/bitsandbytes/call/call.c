/* call FAKE... CPU CUDA: loads the libraries in this order and calls functions
 * of the last two, as bitsandbytes does through ctypes.
 *
 * Prints what each call gave; ../bitsandbytes_test.go expects it. Exit code 1:
 * something cannot be loaded or found; the message says what. */
#include <stdint.h>
#include <stdio.h>

#ifdef _WIN32
#include <windows.h>
static void *open_library(const char *path) { return (void *)LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH); }
static void *look_up(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
static void complain(const char *what) { fprintf(stderr, "call: %s: error %lu\n", what, GetLastError()); }
#else
#include <dlfcn.h>
/* Unlike on Windows, a library that is loaded already is found by its SONAME whatever its scope is. */
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *look_up(void *library, const char *name) { return dlsym(library, name); }
static void complain(const char *what) { fprintf(stderr, "call: %s: %s\n", what, dlerror()); }
#endif

#define FIND(library, result, name, ...)                 \
  result (*name)(__VA_ARGS__) = NULL;                    \
  {                                                      \
    void *found = look_up(library, #name);               \
    if (!found) return complain(#name), 1;               \
    *(void **)&name = found;                             \
  }

static int round_trip(void *library, const char *which) {
  FIND(library, void, cquantize_blockwise_cpu_fp32, const float *, float *, uint8_t *, long long, long long)
  FIND(library, void, cdequantize_blockwise_cpu_fp32, const uint8_t *, const float *, float *, long long, long long)
  const float in[] = {0, 0.5f, -2, 1, 4, -4};
  float most[2], out[6];
  uint8_t codes[6];
  cquantize_blockwise_cpu_fp32(in, most, codes, 4, 6);
  cdequantize_blockwise_cpu_fp32(codes, most, out, 4, 6);
  printf("%s: most %g %g:", which, most[0], most[1]);
  for (int i = 0; i < 6; i++) printf(" %d=%.3f", codes[i], out[i]);
  printf("\n");
  return 0;
}

static int device(void *library) {
  float *const at = (float *)0x1122334455667788, *const state = (float *)0x0102030405060708;
  const uint8_t *const codes = (const uint8_t *)0xa1a2a3a4a5a6a7a8;
  FIND(library, void *, get_context, void)
  FIND(library, void, cfill_fp32, float *, float, int)
  FIND(library, void, cadam32bit_grad_fp32, float *, float *, float *, float, int)
  FIND(library, void, cquantize_blockwise_bf16_nf4, const float *, const void *, uint8_t *, int)
  FIND(library, void, cgemm_4bit_fp32, const float *, const uint8_t *, float *, int, int)
  FIND(library, void, cgemm_4bit_fp16, const void *, const uint8_t *, void *, int, int)
  FIND(library, void, cgemm_4bit_bf16, const void *, const uint8_t *, void *, int, int)
  FIND(library, int, cigemm, void *, int, int, int, const int8_t *, const int8_t *, int *)
  FIND(library, int, cigemmlt_32, void *, int, int, int, const int8_t *, const int8_t *, int *)
  FIND(library, int, cprefetch, int *)
  void *context = get_context();
  cfill_fp32(at, 1.5f, 300);
  cadam32bit_grad_fp32(at, at, state, 0.25f, 7);
  cquantize_blockwise_bf16_nf4(state, at, (uint8_t *)codes, 8);
  cgemm_4bit_fp32(at, codes, state, 65, 3);
  cgemm_4bit_fp16(at, codes, state, 9, 2);
  cgemm_4bit_bf16(at, codes, state, 17, 16);
  int devices = -1;
  printf("cuda: gemm %d\n", cigemm(context, 2, 3, 4, NULL, NULL, NULL));
  printf("cuda: matmul %d\n", cigemmlt_32(context, 2, 3, 4, NULL, NULL, NULL));
  int error = cprefetch(&devices);
  printf("cuda: prefetch %d, devices %d\n", error, devices);
  return 0;
}

int main(int argc, char **argv) {
  void *last[2] = {NULL, NULL};
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 3) return fprintf(stderr, "call: say FAKE... CPU CUDA\n"), 1;
  for (int i = 1; i < argc; i++) {
    last[0] = last[1];
    last[1] = open_library(argv[i]);
    if (!last[1]) return complain(argv[i]), 1;
  }
  printf("loaded\n");
  return round_trip(last[0], "cpu") || round_trip(last[1], "cuda") || device(last[1]);
}
