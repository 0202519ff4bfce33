#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nmt {

/// A problem outside the program: a bad file, setting or line, or a full disk.
///
/// The message is one line that names the thing, what is wrong with it and what to do. `main`
/// prints it and exits with 1. Programming errors are not reported as Error.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A wrong command line. `main` exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// An invalid option of the library: "NAME: PROBLEM", where PROBLEM may mention `others`. The
/// command line replaces these names by its flags.
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
