/* What crtbeginS.o would do, and zig's linux-gnu target has nobody to do:
   run the static destructors of this shared object, and what it gave to
   atexit, when it is unloaded, so that none of them is called after its code
   is gone.

   The handle's value is its own address: C++ hands over the address and
   glibc's atexit the value, and __cxa_finalize must find both. */
void *__dso_handle __attribute__((visibility("hidden"))) = &__dso_handle;
extern void __cxa_finalize(void *) __attribute__((weak));

__attribute__((destructor)) static void dsofini(void) {
  if (__cxa_finalize)
    __cxa_finalize(__dso_handle);
}
