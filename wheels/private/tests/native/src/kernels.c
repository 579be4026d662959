/* Slow code is a mistake of the wheel's transition. */
#ifndef __OPTIMIZE__
#error "the wheel's libraries are not compiled with optimisation"
#endif

#ifdef _WIN32
__declspec(dllexport)
#endif
int answer(void) { return 42; }
