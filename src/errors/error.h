#pragma once

#include <stdexcept>

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

}  // namespace nmt
