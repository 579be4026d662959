#include "hidden.h"

int undeclared(void) { return HIDDEN; }
