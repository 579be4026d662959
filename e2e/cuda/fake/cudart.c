/* A CUDA runtime that launches nothing and tells what it was asked to do, for
 * machines without a GPU. It has the entries that nvcc's host code calls, and
 * the few of the public interface that //e2e/cuda/kernels calls.
 *
 * Each call is a line on standard error that begins with "cudart: ". A launch
 * shows the bytes of each argument in hexadecimal. How long they are only the
 * device code knows, so the variable SPARKWHEELS_PARAMS has it:
 * "KERNEL=8,4;KERNEL=16". A launch of a kernel that is not there shows "?".
 *
 * The entries with two underscores are declared in the toolkit's
 * crt/host_runtime.h and crt/host_defines.h, the others in cuda_runtime_api.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"

/* cudaError_t */
enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_SYMBOL = 13, INVALID_DEVICE_FUNCTION = 98 };

typedef struct {
  unsigned x, y, z;
} dim3;

/* __fatBinC_Wrapper_t of fatbinary_section.h. */
typedef struct {
  int magic, version;
  const void *data, *more;
} wrapper;

enum { MOST = 64 };

typedef struct {
  const void *host;
  const char *name;
  size_t size;
} symbol;

static const wrapper *binaries[MOST];
static symbol kernels[MOST], variables[MOST];
static int binary_count, kernel_count, variable_count;

typedef struct {
  dim3 grid, block;
  size_t shared;
  void *stream;
} configuration;

static configuration configurations[MOST];
static int depth;
static int last_error;

static void line(void) {
  fputc('\n', stderr);
  fflush(stderr);
}

#define SAY(...) (fprintf(stderr, "cudart: " __VA_ARGS__), line())

static void full(int count, const char *what) {
  if (count == MOST) {
    SAY("too many %s", what);
    abort();
  }
}

/* A binary's handle points to its place in the table. */
static int number(void **handle) { return (int)((const wrapper **)handle - binaries) + 1; }

EXPORT void **__cudaRegisterFatBinary(void *fatbin) {
  const wrapper *w = fatbin;
  unsigned magic;
  full(binary_count, "binaries");
  memcpy(&magic, w->data, sizeof magic);
  binaries[binary_count] = w;
  SAY("binary %d wrapper=%x version=%d container=%x", binary_count + 1, (unsigned)w->magic, w->version, magic);
  return (void **)&binaries[binary_count++];
}

EXPORT void __cudaRegisterFatBinaryEnd(void **handle) { SAY("registered %d", number(handle)); }

EXPORT void __cudaUnregisterFatBinary(void **handle) { SAY("unregister %d", number(handle)); }

EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid, void *bid,
                                   void *block, void *grid, int *warp) {
  full(kernel_count, "kernels");
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  kernels[kernel_count].host = host;
  kernels[kernel_count++].name = name;
  SAY("kernel %d %s", number(handle), name);
}

EXPORT void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size, int constant,
                              int global) {
  full(variable_count, "variables");
  (void)device, (void)external, (void)global;
  variables[variable_count].host = host;
  variables[variable_count].name = name;
  variables[variable_count++].size = size;
  SAY("variable %d %s size=%zu constant=%d", number(handle), name, size, constant);
}

EXPORT char __cudaInitModule(void **handle) {
  SAY("init %d", number(handle));
  return 1;
}

static symbol *find(symbol *symbols, int count, const void *host) {
  for (int i = 0; i < count; i++)
    if (symbols[i].host == host || &symbols[i] == host) return &symbols[i];
  return NULL;
}

EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  full(depth, "configurations");
  configurations[depth++] = (configuration){grid, block, shared, stream};
  return SUCCESS;
}

EXPORT int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (!depth) return INVALID_VALUE;
  configuration *c = &configurations[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  memcpy(stream, &c->stream, sizeof c->stream);
  return SUCCESS;
}

/* A kernel's handle points to its place in the table, too. */
EXPORT int __cudaGetKernel(void **kernel, const void *host) {
  symbol *found = find(kernels, kernel_count, host);
  if (!found) {
    SAY("no kernel is registered for this host function");
    return last_error = INVALID_DEVICE_FUNCTION;
  }
  *kernel = found;
  return SUCCESS;
}

/* The lengths of a kernel's arguments, such as "8,4", or NULL. */
static const char *lengths(const char *name) {
  const char *at = getenv("SPARKWHEELS_PARAMS");
  for (size_t n = strlen(name); at; at = strchr(at, ';')) {
    at += *at == ';';
    if (!strncmp(at, name, n) && at[n] == '=') return at + n + 1;
  }
  return NULL;
}

static int launch(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, void *stream) {
  symbol *found = find(kernels, kernel_count, kernel);
  if (!found) {
    SAY("launch of what is no kernel");
    return last_error = INVALID_DEVICE_FUNCTION;
  }
  fprintf(stderr, "cudart: launch %s grid=%u,%u,%u block=%u,%u,%u shared=%zu stream=%llx args=", found->name, grid.x, grid.y, grid.z,
          block.x, block.y, block.z, shared, (unsigned long long)(size_t)stream);
  const char *at = lengths(found->name);
  if (!at) fputc('?', stderr);
  for (int i = 0; at && *at >= '0' && *at <= '9'; i++) {
    char *end;
    unsigned long length = strtoul(at, &end, 10);
    if (i) fputc(',', stderr);
    for (unsigned long b = 0; b < length; b++) fprintf(stderr, "%02x", ((const unsigned char *)args[i])[b]);
    at = *end == ',' ? end + 1 : end;
  }
  line();
  return SUCCESS;
}

/* CUDA 13's host code calls the first; the second is the public name. */
EXPORT int __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, void *stream) {
  return launch(kernel, grid, block, args, shared, stream);
}

EXPORT int cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, void *stream) {
  return launch(kernel, grid, block, args, shared, stream);
}

EXPORT int cudaMemcpyToSymbol(const void *host, const void *from, size_t count, size_t offset, int kind) {
  symbol *found = find(variables, variable_count, host);
  if (!found || offset + count > found->size) {
    SAY("copy to what is no variable, or past its end");
    return last_error = INVALID_SYMBOL;
  }
  fprintf(stderr, "cudart: copy to %s offset=%zu kind=%d bytes=", found->name, offset, kind);
  for (size_t i = 0; i < count; i++) fprintf(stderr, "%02x", ((const unsigned char *)from)[i]);
  line();
  return SUCCESS;
}

EXPORT int cudaGetLastError(void) {
  int error = last_error;
  last_error = SUCCESS;
  return error;
}

EXPORT int cudaGetDeviceCount(int *count) {
  *count = 1;
  return SUCCESS;
}
