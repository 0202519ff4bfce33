#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "files/line_reader.h"

namespace nmt {

/// Reads ahead on its own thread, so that lines can be taken as they arrive. Shared with the
/// thread, which may outlive the translation while it waits for a terminal.
class LineQueue {
 public:
  /// `check` gets the first bytes. What it throws, and an Error in reading, is thrown by take().
  static std::shared_ptr<LineQueue> start(const std::filesystem::path& input, size_t capacity,
                                          std::function<void(std::string_view)> check);

  LineQueue(const std::filesystem::path& input, size_t capacity,
            std::function<void(std::string_view)> check);

  /// Waits for a line, then takes all that have arrived; none at the end of the input.
  std::vector<std::string> take();

 private:
  void read_all();
  void push(const std::string& line);

  LineReader reader_;
  size_t capacity_;
  std::function<void(std::string_view)> check_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool finished_ = false;
  std::exception_ptr failure_;
};

}  // namespace nmt
