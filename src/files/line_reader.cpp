#include "files/line_reader.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "errors/error.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kBufferBytes = 1 << 18;

gzFile open_gz(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    throw Error(path.string() + ": is a folder, not a text file");
  }
  return gzopen(path.c_str(), "rb");
}

bool begins_as_gzip(const std::vector<char>& bytes) {
  return bytes[0] == '\x1F' && bytes[1] == '\x8B';
}

// The last eight bytes of a gzip file, checksum and length, are 0 if its text is empty.
bool ends_as_empty_gzip(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return true;  // a pipe cannot be read twice
  std::array<char, 8> end{};
  std::ifstream file(path, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  file.read(end.data(), end.size());
  return file && end == std::array<char, 8>{};
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path)
    : name_(path == "-" ? "standard input" : path.string()), buffer_(kBufferBytes) {
  if (path == "-") return;
  errno = 0;
  file_ = open_gz(path);
  if (file_ == nullptr) throw Error(name_ + ": cannot be read: " + std::strerror(errno));
}

LineReader::~LineReader() {
  if (file_ != nullptr) gzclose_r(file_);
}

// zlib waits until its buffer is full; read() returns what a terminal or pipe has so far.
size_t LineReader::read_standard_input() {
  ssize_t bytes = 0;
  do {
    bytes = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) throw Error(name_ + ": cannot be read: " + std::strerror(errno));
  return static_cast<size_t>(bytes);
}

Error LineReader::read_error(const std::string& reason) const {
  const auto origin = first_byte_ > 0 ? " from byte " + std::to_string(first_byte_) : "";
  return Error(name_ + ": line " + std::to_string(line_number_ + 1) + origin +
               ": cannot be read: " + reason);
}

// Text before a failure is returned first. zlib reports the failure together with that text, and
// since version 1.3.2 only then.
size_t LineReader::read_file() {
  if (!failure_.empty()) throw read_error(failure_);
  const int bytes = gzread(file_, buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int code = Z_OK;
  const char* reason = gzerror(file_, &code);
  if (bytes < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    failure_ = code == Z_ERRNO ? std::strerror(errno) : reason;
    if (bytes <= 0) throw read_error(failure_);
  }
  // Since version 1.3.2 zlib takes a damaged header for text, damage right after one for the end.
  if (position_ == 0 && bytes > 1 && !is_compressed() && begins_as_gzip(buffer_)) {
    throw read_error("damaged gzip header");
  }
  if (position_ == 0 && bytes == 0 && is_compressed() && !ends_as_empty_gzip(name_)) {
    throw read_error("damaged gzip data");
  }
  return static_cast<size_t>(bytes);
}

bool LineReader::fill() {
  begin_ = end_ = 0;
  end_ = file_ == nullptr ? read_standard_input() : read_file();
  return end_ > 0;
}

bool LineReader::next(std::string& line) {
  line.clear();
  bool any = false;
  while (begin_ < end_ || fill()) {
    any = true;
    const char* start = buffer_.data() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(start, '\n', end_ - begin_));
    const char* stop = newline != nullptr ? newline : buffer_.data() + end_;
    line.append(start, stop);
    const size_t taken = static_cast<size_t>(stop - start) + (newline != nullptr ? 1 : 0);
    begin_ += taken;
    position_ += static_cast<int64_t>(taken);
    if (newline != nullptr) break;
  }
  if (!any) return false;
  ++line_number_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line_number_ == 1 && first_byte_ == 0 && line.compare(0, 3, "\xEF\xBB\xBF") == 0)
    line.erase(0, 3);
  return true;
}

std::string_view LineReader::next_block() {
  if (begin_ == end_ && !fill()) return {};
  const std::string_view block(buffer_.data() + begin_, end_ - begin_);
  position_ += static_cast<int64_t>(block.size());
  begin_ = end_;
  return block;
}

std::string LineReader::rest() {
  std::string text;
  for (auto block = next_block(); !block.empty(); block = next_block()) text += block;
  return text;
}

bool LineReader::is_compressed() const { return file_ != nullptr && gzdirect(file_) == 0; }

void LineReader::skip_to_line_from(int64_t byte) {
  is_compressed();  // makes zlib detect the format and read uncompressed text from there
  if (gzseek(file_, byte - 1, SEEK_SET) < 0) throw Error(name_ + ": has no byte to begin at");
  begin_ = end_ = 0;
  position_ = first_byte_ = byte - 1;
  std::string begun_before;
  next(begun_before);
  line_number_ = 0;
  first_byte_ = position_;
}

int64_t text_size(const std::filesystem::path& path) {
  LineReader reader(path);
  if (!reader.is_compressed()) return static_cast<int64_t>(std::filesystem::file_size(path));
  for (std::string line; reader.next(line);) {
  }
  return reader.position();
}

void LineReader::go_on_after(int64_t line_number, int64_t offset) {
  is_compressed();  // makes zlib detect the format
  if (gzseek(file_, offset, SEEK_SET) != offset) {
    throw Error(name_ + ": has no byte " + std::to_string(offset) + " to resume from");
  }
  line_number_ = line_number;
  position_ = offset;
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    require_utf8(line, path.string(), reader.line_number());
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> part_of_lines(const std::vector<std::string>& lines, size_t first,
                                       size_t count) {
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(std::min(count, lines.size() - first))};
}

}  // namespace nmt
