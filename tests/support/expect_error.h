#pragma once

#include <stdexcept>
#include <string>

#include "errors/error.h"

namespace nmt {

/// The message of the Error that the call throws; fails the test when it throws none.
template <typename Function>
std::string error_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  throw std::logic_error("no Error was thrown");
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace nmt
