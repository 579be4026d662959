/* What crtbeginS.o would do, and zig's linux-gnu target has nobody to do:
   run the static destructors of this shared object when it is unloaded, so
   that none of them is called after its code is gone. */

/* The object's own name. Its value must be its address: glibc's atexit passes
   the one and C++ compilers pass the other. What lld would define has the bytes
   of the ELF header for a value. */
void *__dso_handle __attribute__((visibility("hidden"))) = &__dso_handle;
extern void __cxa_finalize(void *) __attribute__((weak));

__attribute__((destructor)) static void dsofini(void) {
  if (__cxa_finalize)
    __cxa_finalize(__dso_handle);
}
