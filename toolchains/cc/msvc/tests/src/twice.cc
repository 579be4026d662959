#include "twice.h"

int twice(int value) { return 2 * value; }
