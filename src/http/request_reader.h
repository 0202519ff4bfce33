#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/http_message.h"

namespace nmt {

/// Reads the requests of one connection from its bytes, in whatever pieces they arrive. Includes
/// Boost.Beast: for http_server.cpp only.
class RequestReader {
 public:
  /// Bytes of the request line and headers, and of the body.
  RequestReader(size_t max_header, size_t max_body)
      : max_header_(max_header), max_body_(max_body) {}

  void append(std::string_view bytes);

  /// Returns true once a request is complete. Throws HttpError for one that cannot be served, after
  /// which the rest of the connection has no meaning.
  bool read();

  /// Whether the client waits for "100 Continue" before it sends the body; true once per request.
  bool takes_continue();

  /// The request that read() found or refused, without peer and id; empty where its header is not
  /// complete. What follows is the next request.
  HttpRequest take();

  /// Of that request; as for HTTP/1.1 before there was one.
  bool keeps_alive() const { return keeps_alive_; }
  bool takes_chunks() const { return takes_chunks_; }

  /// Bytes of the request that is being read, and those held back; 0 between requests.
  size_t received() const { return received_; }
  size_t buffered() const { return input_.size() + received_; }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  void require_plain_framing();
  void require_one_host();
  void limit_body();

  const size_t max_header_;
  const size_t max_body_;
  std::string input_;  // not parsed yet
  size_t received_ = 0;
  std::optional<Parser> parser_;
  bool awaits_continue_ = false;
  bool keeps_alive_ = true;
  bool takes_chunks_ = true;
};

}  // namespace nmt
