#include "serve/http_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "errors/error.h"

namespace nmt {
namespace {

constexpr int kBacklog = 4096;  // connections that the system keeps until they are accepted

/// Reads a request that has come and hands on what answers it.
class RequestStream : public httplib::Stream {
 public:
  explicit RequestStream(Connection& connection)
      : connection_(connection), unread_(connection.request()) {}

  bool is_readable() const override { return !unread_.empty(); }
  bool is_writable() const override { return !connection_.is_broken(); }

  ssize_t read(char* bytes, size_t size) override {
    const size_t count = unread_.copy(bytes, size);
    unread_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, size_t size) override {
    return connection_.send({bytes, size}) ? static_cast<ssize_t>(size) : -1;
  }

  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  Connection& connection_;
  std::string_view unread_;
};

/// Compressing short answers costs more than it saves, and holds back what is streamed.
void refuse_compression(httplib::Request& request) { request.headers.erase("Accept-Encoding"); }

int port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

int HttpServer::listen_on(const std::string& host, int port) {
  // httplib's own options let several programs listen on one port.
  set_socket_options([](int socket) {
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  });
  errno = 0;
  if (!bind_to_port(host, port)) {
    throw Error(host + ":" + std::to_string(port) +
                ": cannot listen here: " + (errno != 0 ? std::strerror(errno) : "no such address") +
                "; choose another --host or --port");
  }
  ::listen(listener(), kBacklog);  // httplib asks for 5
  const int flags = ::fcntl(listener(), F_GETFL, 0);
  ::fcntl(listener(), F_SETFL, flags | O_NONBLOCK);
  return port_of(listener());
}

bool HttpServer::answer(Connection& connection) {
  RequestStream stream(connection);
  bool closed = false;
  const bool sound = call(&HttpServer::process_request, stream, closed);
  return sound && !closed && connection.status() != 400;
}

bool HttpServer::call(Process process, httplib::Stream& stream, bool& closed) {
  return (this->*process)(stream, false, closed, refuse_compression);
}

bool HttpServer::call(ProcessWithAddresses process, httplib::Stream& stream, bool& closed) {
  return (this->*process)(stream, "", 0, "", 0, false, closed, refuse_compression);
}

}  // namespace nmt
