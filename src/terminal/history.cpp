#include "terminal/history.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <utility>

#include "unicode/characters.h"

namespace nmt {
namespace {

void write_all(const std::filesystem::path& file, int flags, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (descriptor < 0) return;
  [[maybe_unused]] const auto written = ::write(descriptor, text.data(), text.size());
  ::close(descriptor);
}

}  // namespace

std::filesystem::path History::usual_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::filesystem::path(state) / "nmt/history";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".local/state/nmt/history";
}

History::History(std::filesystem::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  std::ifstream stream(file_);
  for (std::string line; std::getline(stream, line);) lines_.push_back(printable(line));
  if (lines_.size() <= 2 * kMaxLines) return;
  lines_.erase(lines_.begin(), lines_.end() - static_cast<std::ptrdiff_t>(kMaxLines));
  std::string kept;
  for (const auto& line : lines_) kept += line + "\n";
  write_all(file_, O_TRUNC, kept);
}

void History::add(const std::string& line) {
  if (line.empty() || (!lines_.empty() && lines_.back() == line)) return;
  lines_.push_back(line);
  if (!file_.empty()) write_all(file_, O_APPEND, line + "\n");
}

}  // namespace nmt
