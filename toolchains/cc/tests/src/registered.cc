// Linked for its side effect only: alwayslink must keep it.
extern "C" int registered_count;
int registered_count = 0;

namespace {
struct Register {
  Register() { ++registered_count; }
} register_here;
}  // namespace
