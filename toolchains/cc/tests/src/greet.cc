// What C++ runtimes are needed for: exceptions, threads, thread_local with a
// destructor, static constructors, iostream.
#include "greet.h"

#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

struct Log {
  Log() { lines.push_back("constructed"); }
  ~Log() { std::cout << lines.size() << " lines\n"; }
  std::mutex mutex;
  std::vector<std::string> lines;
};

Log log;  // a static constructor and destructor

struct Scratch {
  ~Scratch() {
    std::lock_guard<std::mutex> lock(log.mutex);
    log.lines.push_back(text);
  }
  std::string text;
};

thread_local Scratch scratch;

}  // namespace

std::string greet(const std::string &name) {
  if (name.empty()) throw std::invalid_argument(std::string("no name in ") + __FILE__);
  std::string result;
  std::thread worker([&] {
    scratch.text = "hello, " + name;
    result = scratch.text;
  });
  worker.join();
  return result;
}
