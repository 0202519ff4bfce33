#include "files/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "errors/error.h"
#include "files/file.h"

namespace nmt {

OutputFile::OutputFile(const std::filesystem::path& path) {
  if (path.empty() || path == "-") return;
  path_ = path;
  if (std::filesystem::is_directory(path)) {
    throw Error(path.string() + ": is a directory; use the name of a file");
  }
  if (!is_written_in_place(path)) {
    partial_ = path;
    partial_ += ".partial";
  }
  if (!partial_.empty()) ::close(open_unfinished(partial_, path));
  errno = 0;
  file_.open(partial_.empty() ? path_ : partial_, std::ios::binary | std::ios::trunc);
  if (!file_) throw Error(path.string() + ": cannot be written: " + std::strerror(errno));
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!finished_ && !partial_.empty()) std::filesystem::remove(partial_, ignored);
}

void OutputFile::write(const std::string& text) {
  std::ostream& stream = path_.empty() ? std::cout : file_;
  errno = 0;
  stream << text << std::flush;
  if (!stream) {
    throw Error((path_.empty() ? "standard output" : path_.string()) +
                ": writing failed: " + std::strerror(errno));
  }
}

void OutputFile::finish() {
  if (path_.empty()) return;
  errno = 0;
  file_.close();
  if (!file_) throw Error(path_.string() + ": cannot be written: " + std::strerror(errno));
  std::error_code error;
  if (!partial_.empty()) std::filesystem::rename(partial_, path_, error);
  if (error) throw Error(path_.string() + ": cannot be written: " + error.message());
  finished_ = true;
}

}  // namespace nmt
