#include "http/client_stream.h"

#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>

#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"

namespace nmt {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using ErrorCode = ClientStream::ErrorCode;

// With this, a client that sends 100 MB after its response costs little, and one that sends 10 MB
// still receives it.
constexpr size_t kMaxDiscarded = 1 << 20;  // bytes at a time
constexpr std::chrono::milliseconds kPause{50};

constexpr char kCertificateNeeds[] =
    "; it must hold the server's certificate and then those that sign it";
constexpr char kKeyNeeds[] = "; it must hold the certificate's key, without a password";

void warn_if_expired(ssl::context& context, const std::string& path) {
  const X509* certificate = ::SSL_CTX_get0_certificate(context.native_handle());
  if (certificate == nullptr) return;
  if (::X509_cmp_current_time(::X509_get0_notAfter(certificate)) > 0) return;
  log_warning("{}: the certificate has expired; clients will refuse it", path);
}

}  // namespace

ClientStream::TlsContext make_tls_context(const TlsFiles& files) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  auto* const native = context->native_handle();
  ::SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  ::SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  ::SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // most connections are idle
  ErrorCode error;
  // Without a callback OpenSSL would ask for a password on the terminal.
  context->set_password_callback([](size_t, ssl::context::password_purpose) { return ""; }, error);
  context->use_certificate_chain(asio::buffer(read_file(files.certificate)), error);
  if (error)
    throw Error(files.certificate + ": not a certificate in PEM format" + kCertificateNeeds);
  context->use_private_key(asio::buffer(read_file(files.private_key)), ssl::context::pem, error);
  const bool mismatched = error && ERR_GET_REASON(static_cast<unsigned long>(error.value())) ==
                                       X509_R_KEY_VALUES_MISMATCH;
  if (error && !mismatched) {
    throw Error(files.private_key + ": not a private key in PEM format" + kKeyNeeds);
  }
  // Only this detects a key of another type than the certificate's.
  if (mismatched || ::SSL_CTX_check_private_key(native) != 1) {
    throw Error(files.private_key + ": not the key of " + files.certificate + kKeyNeeds);
  }
  warn_if_expired(*context, files.certificate);
  return context;
}

ClientStream::ClientStream(Socket&& socket, TlsContext tls)
    : socket_(std::move(socket)), pause_(socket_.get_executor()), context_(std::move(tls)) {
  if (context_) tls_ = std::make_unique<TlsStream>(socket_, *context_);
}

void ClientStream::start(std::function<void(ErrorCode)> handler) {
  if (!tls_) return handler({});
  tls_->async_handshake(ssl::stream_base::server, std::move(handler));
}

void ClientStream::read_some(asio::mutable_buffer into,
                             std::function<void(ErrorCode, size_t)> handler) {
  if (tls_) return tls_->async_read_some(into, std::move(handler));
  socket_.async_read_some(into, std::move(handler));
}

void ClientStream::write(const std::string& bytes, std::function<void(ErrorCode)> handler) {
  const auto on_written = [handler = std::move(handler)](ErrorCode error, size_t) {
    handler(error);
  };
  if (tls_) return asio::async_write(*tls_, asio::buffer(bytes), on_written);
  asio::async_write(socket_, asio::buffer(bytes), on_written);
}

bool ClientStream::is_end(ErrorCode error) {
  return error == asio::error::eof || error == ssl::error::stream_truncated;
}

void ClientStream::wait_reset(std::function<void(ErrorCode)> handler) {
  socket_.async_wait(Socket::wait_error, std::move(handler));
}

void ClientStream::finish(std::function<void()> handler) {
  const auto finish_socket = [this, handler = std::move(handler)] {
    ErrorCode ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    discard_input(handler);
  };
  if (!tls_) return finish_socket();
  tls_->async_shutdown([finish_socket](ErrorCode) { finish_socket(); });
}

void ClientStream::discard_input(const std::function<void()>& handler) {
  socket_.async_wait(Socket::wait_read, [this, handler](ErrorCode error) {
    // MSG_TRUNC: the kernel drops the bytes instead of copying them.
    const auto count =
        error ? 0
              : ::recv(socket_.native_handle(), nullptr, kMaxDiscarded, MSG_TRUNC | MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return handler();
    pause_.expires_after(kPause);
    pause_.async_wait([this, handler](ErrorCode) { discard_input(handler); });
  });
}

void ClientStream::close() {
  ErrorCode ignored;
  pause_.cancel();
  socket_.close(ignored);
}

}  // namespace nmt
