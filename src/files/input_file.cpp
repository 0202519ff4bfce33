#include "files/input_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "errors/error.h"

namespace nmt {
namespace {

constexpr size_t kStoredBytes = 1 << 17;
constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib.h, inflateInit2

int open_to_read(const std::filesystem::path& path) {
  if (path == "-") return STDIN_FILENO;
  if (std::filesystem::is_directory(path)) {
    throw Error(path.string() + ": is a folder, not a text file");
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(path.string() + ": cannot be read: " + std::strerror(errno));
  return file;
}

size_t read_some(int file, char* data, size_t size) {
  ssize_t bytes = 0;
  do {
    bytes = ::read(file, data, size);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) throw Error(std::strerror(errno));
  return static_cast<size_t>(bytes);
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : file_(open_to_read(path)), stored_(kStoredBytes) {}

InputFile::~InputFile() {
  if (gzip_ != nullptr) inflateEnd(gzip_.get());
  if (file_ != STDIN_FILENO) ::close(file_);
}

/// Appends to the stored bytes; false at the end of the file. A terminal says only once that its
/// input has ended.
bool InputFile::read_more() {
  if (begin_ == end_) begin_ = end_ = 0;
  const size_t bytes = ended_ ? 0 : read_some(file_, stored_.data() + end_, stored_.size() - end_);
  end_ += bytes;
  ended_ = bytes == 0;
  return bytes > 0;
}

bool InputFile::is_compressed() {
  if (format_is_known_) return gzip_ != nullptr;
  while ((end_ == 0 || (end_ == 1 && stored_[0] == '\x1F')) && read_more()) {
  }
  format_is_known_ = true;
  if (end_ < 2 || stored_[0] != '\x1F' || stored_[1] != '\x8B') return false;
  gzip_ = std::make_unique<z_stream>();
  if (inflateInit2(gzip_.get(), kGzipOnly) != Z_OK) throw Error("not enough memory");
  return true;
}

/// Whether another member of gzip data follows.
bool InputFile::begin_member() {
  do {
    while (begin_ < end_ && stored_[begin_] == '\0') ++begin_;
  } while (begin_ == end_ && read_more());
  if (begin_ == end_) return false;
  inflateReset(gzip_.get());
  member_ended_ = false;
  return true;
}

size_t InputFile::decompress(char* data, size_t size) {
  const auto count = static_cast<unsigned>(std::min<size_t>(size, 1U << 30));
  for (;;) {
    if (member_ended_ && !begin_member()) return 0;
    gzip_->next_in = reinterpret_cast<Bytef*>(stored_.data() + begin_);
    gzip_->avail_in = static_cast<unsigned>(end_ - begin_);
    gzip_->next_out = reinterpret_cast<Bytef*>(data);
    gzip_->avail_out = count;
    const int code = inflate(gzip_.get(), Z_NO_FLUSH);
    begin_ = end_ - gzip_->avail_in;
    member_ended_ = code == Z_STREAM_END;
    // After damage inflate() returns the same error again.
    if (gzip_->avail_out < count) return count - gzip_->avail_out;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      throw Error(gzip_->msg != nullptr ? gzip_->msg : "damaged gzip data");
    }
    if (!member_ended_ && begin_ == end_ && !read_more()) throw Error("truncated gzip data");
  }
}

size_t InputFile::read(char* data, size_t size) {
  if (is_compressed()) return decompress(data, size);
  if (begin_ == end_ && !read_more()) return 0;
  const size_t bytes = std::min(size, end_ - begin_);
  std::memcpy(data, stored_.data() + begin_, bytes);
  begin_ += bytes;
  return bytes;
}

void InputFile::skip_to(int64_t byte) {
  if (!is_compressed()) {
    if (::lseek(file_, byte, SEEK_SET) < 0) throw Error(std::strerror(errno));
    begin_ = end_ = 0;
    ended_ = false;
    return;
  }
  std::vector<char> skipped(kStoredBytes);
  for (auto left = static_cast<size_t>(byte); left > 0;) {
    const size_t bytes = read(skipped.data(), std::min(left, skipped.size()));
    if (bytes == 0) throw Error("it ends before byte " + std::to_string(byte));
    left -= bytes;
  }
}

}  // namespace nmt
