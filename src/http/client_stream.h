#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "http/http_server.h"

namespace nmt {

/// The bytes of one connection, encrypted (TLS) or not. Handlers run on the thread of the socket's
/// io_context and must keep this object alive. Includes Boost.Asio: for http_server.cpp only.
class ClientStream {
 public:
  using ErrorCode = boost::system::error_code;
  using Socket = boost::asio::ip::tcp::socket;
  using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

  /// With a null context the bytes are not encrypted.
  ClientStream(Socket&& socket, TlsContext tls);

  /// Negotiates the encryption; call it once, before anything else.
  void start(std::function<void(ErrorCode)> handler);

  void read_some(boost::asio::mutable_buffer into, std::function<void(ErrorCode, size_t)> handler);
  void write(const std::string& bytes, std::function<void(ErrorCode)> handler);

  /// Whether a read failed because the client has closed its sending side. It may still read.
  static bool is_end(ErrorCode error);

  /// Calls the handler once the connection is reset, or with an error when close() comes first.
  void wait_reset(std::function<void(ErrorCode)> handler);

  /// Tells the client that nothing more follows, then reads and discards what it still sends until
  /// it closes: closing at once could destroy a response that the client has not read yet.
  void finish(std::function<void()> handler);

  void close();

 private:
  using TlsStream = boost::asio::ssl::stream<Socket&>;
  void discard_input(const std::function<void()>& handler);

  Socket socket_;
  boost::asio::steady_timer pause_;  // between two portions of discarded input
  TlsContext context_;               // kept while in use, even if replaced
  std::unique_ptr<TlsStream> tls_;   // null: not encrypted
};

/// For TLS 1.2 and 1.3, from a server's certificate chain and private key, both in PEM. Throws
/// Error.
ClientStream::TlsContext make_tls_context(const TlsFiles& files);

}  // namespace nmt
