#pragma once

#include <filesystem>
#include <memory>

namespace nmt {

/// Writes what a run's metrics.jsonl tells as events for TensorBoard, as it comes, on a thread of
/// its own: the training knows nothing of it. A run that is resumed writes a file of all that there
/// is so far, and goes on in it.
class EventFollower {
 public:
  /// Makes `folder`, where the file will be from the first line of metrics on. Throws Error. A
  /// later failure is logged once, and ends the following.
  EventFollower(const std::filesystem::path& metrics, const std::filesystem::path& folder);

  /// Writes what is left.
  ~EventFollower();
  EventFollower(const EventFollower&) = delete;
  EventFollower& operator=(const EventFollower&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
