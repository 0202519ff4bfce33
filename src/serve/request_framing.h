#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nmt {

struct RequestLimits {
  size_t max_head = 16 << 10;  // bytes of the request line and headers
  size_t max_body = 1 << 20;   // bytes
};

/// Finds the end of an HTTP/1 request among bytes that come bit by bit, so that only whole requests
/// need a thread. Understands no more of a request than where it ends.
class RequestFraming {
 public:
  enum class Progress { kMore, kWhole, kRefused };

  /// `bytes`: all that came since the request began, at least as many as the time before.
  Progress advance(std::string_view bytes, const RequestLimits& limits);

  size_t length() const { return end_; }  // of a whole request
  int status() const { return status_; }  // HTTP's, of a refused one
  const char* reason() const { return reason_; }

  /// Where the header "Expect: 100-continue" stands; 0: nowhere.
  size_t expectation() const { return expectation_; }

 private:
  Progress refuse(int status, const char* reason);
  Progress read_head(std::string_view bytes, const RequestLimits& limits);
  bool read_header(std::string_view name, std::string_view value);
  Progress read_chunks(std::string_view bytes, const RequestLimits& limits);

  size_t scanned_ = 0;  // bytes known not to hold the head's end
  size_t body_ = 0;     // where it begins; 0: the head is not whole yet
  size_t end_ = 0;      // of the request, or of what is known of a chunked one
  bool chunked_ = false;
  bool has_length_ = false;
  bool last_chunk_seen_ = false;
  size_t content_length_ = 0;
  size_t expectation_ = 0;
  int status_ = 0;
  const char* reason_ = "";
};

}  // namespace nmt
