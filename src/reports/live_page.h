#pragma once

#include <filesystem>
#include <memory>

namespace nmt {

/// Serves the report of a run that goes on, on this machine alone (127.0.0.1). It reads the files
/// of the model directory when somebody looks, on a thread of its own, and knows nothing else of
/// the training: whatever goes wrong here is told to the browser.
class LivePage {
 public:
  /// Port 0 is a free one. Throws Error where the port is taken. Threads begin here: what they
  /// inherit, signals say, has to be arranged before.
  LivePage(const std::filesystem::path& model_dir, int port);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  int port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
