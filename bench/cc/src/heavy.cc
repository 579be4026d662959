// What a binding of a C++ library includes.
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <vector>

int heavy(const std::string &text) {
  std::map<std::string, std::vector<int>> words;
  std::regex word("[a-z]+");
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
    words[it->str()].push_back(static_cast<int>(it->position()));
  return std::any_of(words.begin(), words.end(), [](const auto &w) { return w.second.size() > 1; });
}
