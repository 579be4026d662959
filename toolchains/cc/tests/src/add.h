#ifndef SPARKWHEELS_TESTS_ADD_H_
#define SPARKWHEELS_TESTS_ADD_H_

#ifdef __cplusplus
extern "C" {
#endif

int add(int a, int b);

#ifdef __cplusplus
}
#endif

#endif
