#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace nmt {

/// A connection to 127.0.0.1 that can do what no HTTP library does.
class RawClient {
 public:
  RawClient() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    timeval limit{};
    limit.tv_sec = 60;  // so that a test fails instead of waiting forever
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  }
  explicit RawClient(int port) : RawClient() { connect(port); }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connect(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    return connected_;
  }
  bool connected() const { return connected_; }

  bool send(const std::string& bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
      const auto count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<size_t>(count);
    }
    return true;
  }

  /// Sends nothing more, as shutdown(2) does; may still receive.
  void end_sending() { ::shutdown(socket_, SHUT_WR); }

  /// Lets the destructor reset the connection instead of ending it.
  void reset_on_close() {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  }

  std::string receive() {
    char bytes[4096];
    const auto count = ::recv(socket_, bytes, sizeof(bytes), 0);
    return count > 0 ? std::string(bytes, static_cast<size_t>(count)) : "";
  }

  /// Until `end` has come or the server closes the connection.
  std::string receive_until(const std::string& end) {
    std::string all;
    while (all.find(end) == std::string::npos) {
      const auto more = receive();
      if (more.empty()) break;
      all += more;
    }
    return all;
  }

  /// Until the server closes the connection.
  std::string receive_all() {
    std::string all;
    for (auto more = receive(); !more.empty(); more = receive()) all += more;
    return all;
  }

 private:
  int socket_;
  bool connected_ = false;
};

}  // namespace nmt
