/* host.exe ORDERS: stands for python.exe in the loader tests (package loader).
 *
 * Reads lines of three fields separated by tabs:
 *   preload PATH     load a DLL as a program's own import would be
 *   search  PATH     os.add_dll_directory(PATH)
 *   load    PATH F   load an extension module as CPython does, find function F
 * and prints "loaded ERROR FOUND" for each load. Exit code 1: the orders cannot
 * be followed; the message says which. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

/* What Python/dynload_win.c passes. */
#define PYTHON_FLAGS (LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR)

static int follow(const char *order, const char *path, const char *symbol) {
  wchar_t wide[MAX_PATH];
  if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, MAX_PATH)) return 1;
  if (!strcmp(order, "preload")) return !LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
  if (!strcmp(order, "search")) return !AddDllDirectory(wide);
  if (strcmp(order, "load")) return 1;
  HMODULE module = LoadLibraryExW(wide, NULL, PYTHON_FLAGS);
  DWORD error = module ? 0 : GetLastError();
  int found = module && (!*symbol || GetProcAddress(module, symbol));
  printf("loaded %lu %d\n", error, found);
  return 0;
}

int main(int argc, char **argv) {
  char line[4096];
  FILE *orders = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!orders) {
    fprintf(stderr, "host: cannot read the orders\n");
    return 1;
  }
  /* A module that crashes must not take earlier answers with it. */
  setvbuf(stdout, NULL, _IONBF, 0);
  while (fgets(line, sizeof line, orders)) {
    line[strcspn(line, "\r\n")] = 0;
    char *path = strchr(line, '\t');
    char *symbol = path ? strchr(path + 1, '\t') : NULL;
    if (!symbol) {
      fprintf(stderr, "host: not an order: %s\n", line);
      return 1;
    }
    *path++ = *symbol++ = 0;
    if (follow(line, path, symbol)) {
      fprintf(stderr, "host: %s %s: error %lu\n", line, path, GetLastError());
      return 1;
    }
  }
  return 0;
}
