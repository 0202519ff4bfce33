#include "http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <cstdint>
#include <limits>
#include <utility>

#include "unicode/substrings.h"

namespace nmt {
namespace {

namespace beast = boost::beast;

constexpr size_t kMaxChunkOverhead = 8;  // bytes on the wire for each allowed byte of a body

std::string to_string(beast::string_view text) { return {text.data(), text.size()}; }

/// RFC 9112, section 3.2.2: a target may be an absolute URL, whose host then replaces the Host
/// header.
void split_absolute_target(HttpRequest& request, std::string& target) {
  const auto scheme_end = target.find("://");
  if (scheme_end == std::string::npos) return;
  const beast::string_view scheme(target.data(), scheme_end);
  if (!beast::iequals(scheme, "http") && !beast::iequals(scheme, "https")) return;
  const auto host = scheme_end + 3;
  const auto host_end = std::min(target.find_first_of("/?#", host), target.size());
  request.headers["host"] = target.substr(host, host_end - host);
  target.erase(0, host_end);
  if (target.rfind('/', 0) != 0) target.insert(0, "/");
}

/// A request without its body.
HttpRequest to_request(const beast::http::request_header<>& from) {
  HttpRequest request;
  request.method = to_string(from.method_string());
  for (const auto& field : from) {
    auto& value = request.headers[to_ascii_lower(to_string(field.name_string()))];
    value += (value.empty() ? "" : ", ") + to_string(field.value());
  }
  auto target = to_string(from.target());
  split_absolute_target(request, target);
  const auto path_end = std::min(target.find_first_of("?#"), target.size());
  request.path = target.substr(0, path_end);
  request.query = target.substr(std::min(path_end + 1, target.size()));
  return request;
}

}  // namespace

void RequestReader::append(std::string_view bytes) {
  input_ += bytes;
  received_ += bytes.size();
}

bool RequestReader::read() {
  if (!parser_) {
    input_.erase(0, input_.find_first_not_of("\r\n"));  // some clients send them after a body
    received_ = input_.size();
    if (input_.empty()) return false;
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(max_header_));
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // see limit_body
  }
  while (!input_.empty() && !parser_->is_done()) {
    using Problem = beast::http::error;
    const bool had_header = parser_->is_header_done();
    boost::system::error_code error;
    const size_t used = parser_->put(boost::asio::buffer(input_), error);
    input_.erase(0, used);
    if (error == Problem::need_more) {  // after the header: a chunk's size line or a trailer
      if (had_header && input_.size() > max_header_)
        throw HttpError(431, "the trailer or a chunk's extension is too long");
      break;
    }
    if (error == Problem::header_limit) throw HttpError(431, "the header is too long");
    if (error == Problem::body_limit) throw HttpError(413, "the body is too long");
    if (error) throw HttpError(400, "not an HTTP request: " + error.message());
    if (!had_header && parser_->is_header_done()) {
      request_ = to_request(parser_->get());  // now: Beast adds trailers to the fields
      require_plain_framing();
      require_one_host();
      limit_body();
      awaits_continue_ = beast::iequals(parser_->get()[beast::http::field::expect], "100-continue");
    }
    if (used == 0) break;
  }
  if (parser_->is_done()) {
    keeps_alive_ = parser_->keep_alive();
    takes_chunks_ = parser_->get().version() >= 11;
    return true;
  }
  if (received_ > kMaxChunkOverhead * max_body_ + max_header_) {
    throw HttpError(413, "the body is too long");
  }
  return false;
}

/// Refuses ambiguous framing (request smuggling; RFC 9112, section 6.1) and compressed bodies.
void RequestReader::require_plain_framing() {
  using Field = beast::http::field;
  const auto& request = parser_->get();
  const auto is_other_than = [&](Field field, const char* value) {
    return request.count(field) > 0 && !beast::iequals(request[field], value);
  };
  if (request.count(Field::content_length) > 1) {
    throw HttpError(400, "Content-Length is repeated");
  }
  if (request.version() < 11 && request.count(Field::transfer_encoding) > 0) {
    throw HttpError(400, "HTTP/1.0 has no Transfer-Encoding");
  }
  if (is_other_than(Field::transfer_encoding, "chunked")) {
    throw HttpError(501, "the only supported transfer encoding is chunked");
  }
  if (is_other_than(Field::content_encoding, "identity")) {
    throw HttpError(415, "send the body uncompressed");
  }
}

/// RFC 9112, section 3.2.
void RequestReader::require_one_host() {
  const auto& request = parser_->get();
  const auto hosts = request.count(beast::http::field::host);
  if (hosts > 1) throw HttpError(400, "Host is repeated");
  if (hosts == 0 && request.version() >= 11) throw HttpError(400, "Host is missing");
}

/// Called only once the header is complete, so that a refusal has its request's route and headers.
void RequestReader::limit_body() {
  if (parser_->content_length().value_or(0) > max_body_) {
    throw HttpError(413, "the body is too long");
  }
  parser_->body_limit(max_body_);
}

bool RequestReader::takes_continue() { return std::exchange(awaits_continue_, false); }

HttpRequest RequestReader::take() {
  auto request = std::exchange(request_, {});
  if (parser_) request.body = std::move(parser_->get().body());
  parser_.reset();
  received_ = 0;
  return request;
}

}  // namespace nmt
