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

#include "errors/error.h"
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
  if (path.empty() || path == "-") return;
  path_ = path;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(path.string() + ": is a directory; use the name of a file");
  }
  if (!is_written_in_place(path)) {
    target_ = link_target(path);
    partial_ = target_;
    partial_ += ".partial";
  }
  if (!partial_.empty()) create_unfinished(partial_, path);
  const auto& opened = partial_.empty() ? path_ : partial_;
  errno = 0;
  if (is_gzip_name(path)) {
    compressed_ = gzdopen(::open(opened.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC), "wb");
  } else {  // an unfinished file without O_CREAT
    file_.open(opened, std::ios::binary | (partial_.empty() ? std::ios::trunc : std::ios::in));
  }
  if (!file_ || (compressed_ == nullptr && !file_.is_open())) fail("cannot be written");
}

OutputFile::~OutputFile() {
  if (compressed_ != nullptr) gzclose_w(compressed_);
  std::error_code ignored;
  if (!finished_ && !partial_.empty()) std::filesystem::remove(partial_, ignored);
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
  std::ostream& stream = path_.empty() ? std::cout : file_;
  stream << text << std::flush;
  if (!stream) fail("writing failed");
}

void OutputFile::finish() {
  if (path_.empty()) return;
  errno = 0;
  if (compressed_ != nullptr) {
    const int status = gzclose_w(std::exchange(compressed_, nullptr));
    if (status != Z_OK) fail("cannot be written");
  } else {
    file_.close();
    if (!file_) fail("cannot be written");
  }
  std::error_code error;
  if (!partial_.empty()) std::filesystem::rename(partial_, target_, error);
  if (error) throw Error(path_.string() + ": cannot be written: " + error.message());
  finished_ = true;
  log_info("wrote {}", path_.string());
}

}  // namespace nmt
