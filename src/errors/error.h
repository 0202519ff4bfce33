#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nmt {

/// A mistake of the user or of the world: a bad file, setting, line or disk.
///
/// The message is one line that names the thing, what is wrong with it and what to do.
/// `main` prints it and exits with 1. A programmer's mistake is not an Error.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A wrong command line. `main` exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A wrong option of the library: "NAME: PROBLEM", where PROBLEM may name `others`. The command
/// line puts its flags in their place.
class OptionError : public UsageError {
 public:
  OptionError(const std::string& name, const std::string& problem,
              std::vector<std::string> others = {})
      : UsageError(name + ": " + problem), names(std::move(others)) {
    names.push_back(name);
  }

  std::vector<std::string> names;
};

}  // namespace nmt
