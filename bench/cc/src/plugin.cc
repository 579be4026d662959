#include <string>

int heavy(const std::string &text);
extern "C" int tiny(void);

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

extern "C" EXPORT int plugin(const char *text) { return heavy(text) + tiny(); }
