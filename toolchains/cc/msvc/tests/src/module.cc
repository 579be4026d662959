#include "twice.h"

extern "C" __declspec(dllexport) int four() { return twice(2); }
