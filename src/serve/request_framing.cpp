#include "serve/request_framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace nmt {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr size_t kLongestChunkLine = 256;

bool same_name(std::string_view name, std::string_view lower_case) {
  return std::equal(
      name.begin(), name.end(), lower_case.begin(), lower_case.end(),
      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool parse_size(std::string_view digits, int base, size_t& size) {
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, size, base);
  return !digits.empty() && parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

RequestFraming::Progress RequestFraming::refuse(int status, const char* reason) {
  status_ = status;
  reason_ = reason;
  return Progress::kRefused;
}

RequestFraming::Progress RequestFraming::advance(std::string_view bytes,
                                                 const RequestLimits& limits) {
  if (status_ != 0) return Progress::kRefused;
  if (body_ == 0) {
    const auto progress = read_head(bytes, limits);
    if (progress != Progress::kWhole) return progress;
  }
  if (chunked_) return read_chunks(bytes, limits);
  return bytes.size() < end_ ? Progress::kMore : Progress::kWhole;
}

RequestFraming::Progress RequestFraming::read_head(std::string_view bytes,
                                                   const RequestLimits& limits) {
  const size_t head_end = bytes.find("\r\n\r\n", scanned_ < 3 ? 0 : scanned_ - 3);
  scanned_ = bytes.size();
  if (std::min(head_end, bytes.size()) > limits.max_head) {
    return refuse(431, "the request's headers are too long");
  }
  if (head_end == std::string_view::npos) return Progress::kMore;
  body_ = head_end + 4;
  for (size_t at = bytes.find(kLineEnd) + 2; at < head_end + 2;) {
    const size_t line_end = bytes.find(kLineEnd, at);
    const auto line = bytes.substr(at, line_end - at);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return refuse(400, "a header has no ':'");
    const auto name = line.substr(0, colon);
    if (same_name(name, "expect")) expectation_ = at;
    if (!read_header(name, trimmed(line.substr(colon + 1)))) return Progress::kRefused;
    at = line_end + 2;
  }
  if (chunked_ && has_length_)
    return refuse(400, "a body has a length or comes in chunks, not both");
  if (content_length_ > limits.max_body) return refuse(413, "the request's body is too long");
  end_ = body_ + content_length_;
  return Progress::kWhole;
}

bool RequestFraming::read_header(std::string_view name, std::string_view value) {
  if (same_name(name, "transfer-encoding")) {
    chunked_ = same_name(value, "chunked");
    if (!chunked_) refuse(501, "of transfer encodings only chunked is understood");
  } else if (same_name(name, "content-length")) {
    const bool repeated = has_length_;
    has_length_ = true;
    if (repeated || !parse_size(value, 10, content_length_)) {
      refuse(400, "Content-Length has to be one number");
    }
  } else if (same_name(name, "content-encoding")) {
    // A small body that grows without end when it is unpacked.
    if (!same_name(value, "identity")) refuse(415, "send the body as it is, not compressed");
  }
  return status_ == 0;
}

RequestFraming::Progress RequestFraming::read_chunks(std::string_view bytes,
                                                     const RequestLimits& limits) {
  while (end_ < bytes.size()) {
    const size_t line_end = bytes.find(kLineEnd, end_);
    const size_t line_size = std::min(line_end, bytes.size()) - end_;
    if (line_size > kLongestChunkLine) return refuse(400, "a chunk's size is not one");
    if (line_end == std::string_view::npos) return Progress::kMore;
    const auto line = bytes.substr(end_, line_size);
    if (last_chunk_seen_) {  // trailers, then an empty line
      end_ = line_end + 2;
      if (end_ - body_ > limits.max_body + limits.max_head) return refuse(413, "too long");
      if (line.empty()) return Progress::kWhole;
      continue;
    }
    size_t size = 0;
    if (!parse_size(trimmed(line.substr(0, line.find(';'))), 16, size)) {
      return refuse(400, "a chunk's size is not one");
    }
    content_length_ += std::min(size, limits.max_body + 1);
    // What frames many small chunks may not be much more than what they hold.
    const bool padded = line_end - body_ > 8 * limits.max_body + limits.max_head;
    if (content_length_ > limits.max_body || padded) {
      return refuse(413, "the request's body is too long");
    }
    last_chunk_seen_ = size == 0;
    end_ = line_end + 2 + (size == 0 ? 0 : size + 2);
  }
  return Progress::kMore;
}

}  // namespace nmt
