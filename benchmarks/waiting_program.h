#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace nmt {

/// A program that waits for lines and answers each with one: so it can be timed alternately with
/// this one, and costs nothing while it waits.
class WaitingProgram {
 public:
  /// Throws Error when it cannot be started.
  explicit WaitingProgram(const std::vector<std::string>& command);
  ~WaitingProgram();
  WaitingProgram(const WaitingProgram&) = delete;
  WaitingProgram& operator=(const WaitingProgram&) = delete;

  /// Sends a line and returns the answer. Throws Error when the program ends instead.
  std::string ask(const std::string& line);

  /// The same for an answer in seconds. Throws Error when it is none.
  double ask_seconds(const std::string& line);

 private:
  std::string name_;
  int process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace nmt
