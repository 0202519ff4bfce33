#include "files/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "files/file.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kBufferBytes = 1 << 18;
constexpr size_t kBytesPerNul = 100;  // no text has more NUL bytes,
constexpr size_t kDamagedBytes = 2;   // except a very short one

}  // namespace

LineReader::LineReader(const std::filesystem::path& path)
    : name_(shown_name(path)), file_(path), buffer_(kBufferBytes) {}

Error LineReader::read_error(const Error& reason) const {
  const auto origin = first_byte_ > 0 ? " from byte " + std::to_string(first_byte_) : "";
  return Error(name_ + ": line " + std::to_string(line_number_ + 1) + origin +
               ": cannot be read: " + reason.what());
}

bool LineReader::fill() {
  begin_ = end_ = 0;
  try {
    end_ = file_.read(buffer_.data(), buffer_.size());
  } catch (const Error& error) {
    throw read_error(error);
  }
  return end_ > 0;
}

bool LineReader::is_compressed() {
  try {
    return file_.is_compressed();
  } catch (const Error& error) {
    throw read_error(error);
  }
}

void LineReader::skip_to(int64_t byte) {
  try {
    file_.skip_to(byte);
  } catch (const Error& error) {
    throw Error(name_ + ": cannot be read from byte " + std::to_string(byte) + ": " + error.what());
  }
  position_ = byte;
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

std::string_view LineReader::require_text() {
  if (begin_ == end_) fill();
  const std::string_view bytes(buffer_.data() + begin_, end_ - begin_);
  const auto refuse = [&](const std::string& reason) { throw Error(name_ + ": " + reason); };
  constexpr std::pair<std::string_view, const char*> kOtherFiles[] = {
      {"PK\3\4",
       "a ZIP archive, not text; convert it to text (nmt translate reads .docx and .odt files)"},
      {"%PDF-", "a PDF, not text; convert it to text"},
      {"\xD0\xCF\x11\xE0",
       "a file of an old office program such as .doc, not text; save it as text or .docx"},
      {"\xFD\x37zXZ", "compressed, but not with gzip; decompress it with xz -d"},
      {"\x28\xB5\x2F\xFD", "compressed, but not with gzip; decompress it with zstd -d"},
      {"BZh91AY&SY", "compressed, but not with gzip; decompress it with bzip2 -d"}};
  for (const auto& [begin, problem] : kOtherFiles) {
    if (begins_with(bytes, begin)) refuse(problem);
  }
  if (is_wide_text(bytes)) {
    refuse("UTF-16 or UTF-32, not UTF-8; convert it, for example with " +
           std::string(kWideConversion));
  }
  if (bytes.find('\n') == std::string_view::npos &&
      std::count(bytes.begin(), bytes.end(), '\r') > 1) {
    refuse("its lines end with CR alone; convert it, for example with tr '\\r' '\\n'");
  }
  // A few NUL bytes, like other invalid UTF-8, are damage in a text and only cause a warning.
  const auto nul_bytes = static_cast<size_t>(std::count(bytes.begin(), bytes.end(), '\0'));
  if (nul_bytes > kDamagedBytes && nul_bytes * kBytesPerNul > bytes.size()) {
    refuse("has many NUL bytes, so it is binary or UTF-16; convert it to text in UTF-8");
  }
  return bytes;
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

void LineReader::skip_to_line_from(int64_t byte) {
  skip_to(byte - 1);
  first_byte_ = byte - 1;
  std::string begun_before;
  next(begun_before);
  line_number_ = 0;
  first_byte_ = position_;
}

void LineReader::go_on_after(int64_t line_number, int64_t position) {
  skip_to(position);
  line_number_ = line_number;
}

int64_t text_size(const std::filesystem::path& path) {
  LineReader reader(path);
  if (!reader.is_compressed()) return static_cast<int64_t>(std::filesystem::file_size(path));
  for (std::string line; reader.next(line);) {
  }
  return reader.position();
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  LineReader reader(path);
  reader.require_text();
  const auto name = shown_name(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    require_utf8(line, name, reader.line_number());
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
