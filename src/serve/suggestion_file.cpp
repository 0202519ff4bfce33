#include "serve/suggestion_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "errors/error.h"
#include "errors/log.h"
#include "http/http_message.h"

namespace nmt {
namespace {

constexpr off_t kMaxSuggestions = off_t{64} << 20;  // bytes

}  // namespace

SuggestionFile::SuggestionFile(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ >= 0) return;
  throw Error(file.string() + ": cannot be written: " + std::strerror(errno) +
              "; use another file for --suggestions");
}

SuggestionFile::~SuggestionFile() { ::close(file_); }

void SuggestionFile::add(const std::string& line) {
  const auto bytes = line + "\n";
  const std::lock_guard<std::mutex> lock(mutex_);
  const off_t size = ::lseek(file_, 0, SEEK_END);
  if (size + static_cast<off_t>(bytes.size()) > kMaxSuggestions) {
    throw HttpError(503, "no more suggestions can be stored; try again another day");
  }
  if (::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) return;
  log_error("--suggestions: cannot be written: {}", std::strerror(errno));
  if (::ftruncate(file_, size) != 0) log_error("--suggestions: has half a line");
  throw HttpError(503, "the suggestion cannot be stored; try again later");
}

}  // namespace nmt
