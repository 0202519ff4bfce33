#include "files/output_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "errors/log.h"
#include "files/file.h"

namespace nmt {

void fail_standard_output(const std::string& problem) {
  const auto message = "standard output: " + problem;
  pollfd output = {STDOUT_FILENO, 0, 0};
  if (::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0) throw ReaderLeft(message);
  throw Error(message);
}

bool is_standard_output(const std::filesystem::path& path) {
  struct stat named {};
  struct stat output {};
  return path == "-" ||
         (::stat(path.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
          named.st_dev == output.st_dev && named.st_ino == output.st_ino);
}

OutputFile::OutputFile(const std::filesystem::path& path) {
  // /dev/stdout may lead to a file that others write, too: it is not to be replaced.
  if (path.empty() || path == "-" || path == "/dev/stdout") return;
  path_ = path;
  require_no_folder(path);
  if (!is_written_in_place(path)) {
    target_ = link_target(path);
    partial_ = target_;
    partial_ += ".partial";
  }
  errno = 0;
  descriptor_ = partial_.empty() ? ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)
                                 : open_unfinished(partial_, path);
  bool opened = descriptor_ >= 0 && (partial_.empty() || ::ftruncate(descriptor_, 0) == 0);
  if (opened && is_gzip_name(path)) {
    compressed_ = gzdopen(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0), "wb");
    opened = compressed_ != nullptr;
  }
  if (!opened) fail("cannot be written");
}

OutputFile::~OutputFile() {
  if (compressed_ != nullptr) gzclose_w(compressed_);
  if (!finished_) discard();
  if (descriptor_ >= 0) ::close(descriptor_);  // unlocks it, so last
}

void OutputFile::discard() const {
  std::error_code ignored;
  if (!partial_.empty()) std::filesystem::remove(partial_, ignored);
}

void OutputFile::fail(const char* problem) const {
  const auto message = std::string(problem) + ": " + std::strerror(errno);
  if (path_.empty()) fail_standard_output(message);
  throw Error(path_.string() + ": " + message);
}

void OutputFile::write(const std::string& text) {
  errno = 0;
  if (compressed_ != nullptr) {
    if (gzfwrite(text.data(), 1, text.size(), compressed_) != text.size()) fail("writing failed");
    return;
  }
  if (path_.empty()) {
    if (!(std::cout << text << std::flush)) fail("writing failed");
    return;
  }
  if (!write_all(descriptor_, text)) fail("writing failed");
}

void OutputFile::finish() {
  if (path_.empty()) return;
  errno = 0;
  const bool written = compressed_ == nullptr
                           ? flush_writes(descriptor_) == 0
                           : gzclose_w(std::exchange(compressed_, nullptr)) == Z_OK;
  if (!written) fail("cannot be written");
  std::error_code error;
  if (!partial_.empty()) std::filesystem::rename(partial_, target_, error);
  if (error) throw Error(path_.string() + ": cannot be written: " + error.message());
  finished_ = true;
  ::close(std::exchange(descriptor_, -1));
  log_info("wrote {}", path_.string());
}

}  // namespace nmt
