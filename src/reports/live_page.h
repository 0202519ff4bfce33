#pragma once

#include <atomic>
#include <filesystem>
#include <thread>

#include "http/http_server.h"

namespace nmt {

/// Serves the report of a running training on 127.0.0.1. A separate thread reads the files of the
/// model directory on request; it is otherwise independent of the training, and reports its errors
/// to the browser.
class LivePage {
 public:
  /// Port 0 picks a free one. Throws Error if the port is in use. Starts threads, which inherit the
  /// signal mask of the caller.
  LivePage(const std::filesystem::path& model_dir, int port);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  int port() const { return server_.port(); }

 private:
  HttpServer server_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace nmt
