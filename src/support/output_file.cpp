#include "support/output_file.h"

#include <cerrno>
#include <cstring>
#include <iostream>

#include "support/error.h"

namespace nmt {

OutputFile::OutputFile(const std::filesystem::path& path) {
  if (path.empty() || path == "-") return;
  path_ = path;
  partial_ = path;
  partial_ += ".partial";
  errno = 0;
  file_.open(partial_, std::ios::binary | std::ios::trunc);
  if (!file_) throw Error(path.string() + ": cannot be written: " + std::strerror(errno));
}

OutputFile::~OutputFile() = default;

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
  file_.close();
  std::error_code error;
  if (file_) std::filesystem::rename(partial_, path_, error);
  if (!file_ || error) throw Error(path_.string() + ": cannot be written: " + error.message());
}

}  // namespace nmt
