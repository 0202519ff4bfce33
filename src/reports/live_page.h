#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "http/http_server.h"

namespace nmt {

/// Serves the report of a running training on 127.0.0.1. A separate thread reads the files of the
/// model directory on request; it is otherwise independent of the training, and reports its errors
/// to the browser.
class LivePage {
 public:
  /// Port 0 picks a free one. Throws Error if the port is in use. Starts threads that inherit the
  /// caller's signal mask.
  LivePage(const std::filesystem::path& model_dir, int port);
  /// Waits up to 3 seconds for an open page to ask once more and learn that the training has ended.
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  int port() const { return server_.port(); }

 private:
  using Clock = std::chrono::steady_clock;

  void note_visit(bool has_ended);

  HttpServer server_;
  std::atomic<bool> ended_{false};  // whether the training has ended
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable visited_;
  std::optional<Clock::time_point> last_visit_;
  bool has_said_farewell_ = false;
  std::thread thread_;
};

}  // namespace nmt
