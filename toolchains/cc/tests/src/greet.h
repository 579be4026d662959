#ifndef SPARKWHEELS_TESTS_GREET_H_
#define SPARKWHEELS_TESTS_GREET_H_

#include <string>

#if defined(_WIN32) && defined(GREET_SHARED)
#define GREET_API __declspec(dllexport)
#else
#define GREET_API
#endif

// Greets from another thread and throws std::invalid_argument for an empty name.
GREET_API std::string greet(const std::string &name);

#endif
