#include <iostream>
#include <stdexcept>

#include "add.h"
#include "greet.h"

int main() {
  std::cout << greet("spark") << ' ' << add(40, 2) << '\n';
  try {
    greet("");
  } catch (const std::exception &e) {
    std::cout << e.what() << '\n';
    return 0;
  }
  return 1;
}
