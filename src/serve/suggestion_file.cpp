#include "serve/suggestion_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "errors/error.h"
#include "errors/log.h"
#include "http/http_message.h"

namespace nmt {
namespace {

constexpr off_t kMaxSuggestions = off_t{64} << 20;  // bytes

/// An open file; if opening failed, errno says why. O_NONBLOCK: a pipe without a reader fails
/// instead of blocking.
struct OpenedToAppend {
  explicit OpenedToAppend(const std::filesystem::path& path)
      : descriptor(
            ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600)) {}
  ~OpenedToAppend() {
    if (descriptor >= 0) ::close(descriptor);
  }
  OpenedToAppend(const OpenedToAppend&) = delete;
  OpenedToAppend& operator=(const OpenedToAppend&) = delete;

  const int descriptor;
};

}  // namespace

SuggestionFile::SuggestionFile(const std::filesystem::path& file) : path_(file) {
  if (OpenedToAppend(path_).descriptor >= 0) return;
  throw Error(file.string() + ": cannot be written: " + std::strerror(errno) +
              "; use another file for --suggestions");
}

void SuggestionFile::add(const std::string& line) {
  const auto bytes = line + "\n";
  const std::lock_guard<std::mutex> lock(mutex_);
  const OpenedToAppend file(path_);
  const off_t size = file.descriptor < 0 ? 0 : ::lseek(file.descriptor, 0, SEEK_END);
  if (size + static_cast<off_t>(bytes.size()) > kMaxSuggestions) {
    throw HttpError(503, "the file of suggestions is full", std::chrono::hours(24));
  }
  const ssize_t written =
      file.descriptor < 0 ? -1 : ::write(file.descriptor, bytes.data(), bytes.size());
  if (written == static_cast<ssize_t>(bytes.size())) return;
  log_error("--suggestions: cannot be written: {}", std::strerror(written < 0 ? errno : ENOSPC));
  if (written > 0 && ::ftruncate(file.descriptor, size) != 0) {
    log_error("--suggestions: has half a line");
  }
  throw HttpError(503, "the suggestion cannot be stored; try again later");
}

}  // namespace nmt
