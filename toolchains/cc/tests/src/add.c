/* C, so that the C compiler's path is used as well. */
#include "add.h"

#include <math.h>
#include <stdio.h>

int add(int a, int b) {
  if (a < 0)
    fprintf(stderr, "add: %f\n", sqrt((double)-a));
  return a + b;
}
