/* EXPORT marks what a library here exports. */
#ifndef SPARKWHEELS_E2E_CUDA_FAKE_EXPORT_H_
#define SPARKWHEELS_E2E_CUDA_FAKE_EXPORT_H_

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#endif
