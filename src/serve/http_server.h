#pragma once

#include <httplib.h>

#include <functional>
#include <string>

#include "serve/connection.h"

namespace nmt {

/// cpp-httplib's server without its connections: it parses a request, finds its route and writes
/// the answer; class Connections does the rest. httplib itself has a thread for each connection, so
/// that slow clients would hold up the others.
class HttpServer : public httplib::Server {
 public:
  /// Listens on HOST:PORT; port 0: on a free one. Returns the port. Throws Error.
  int listen_on(const std::string& host, int port);
  int listener() const { return static_cast<int>(svr_sock_.load()); }

  /// Answers the connection's request. Returns whether the client may send another one.
  bool answer(Connection& connection);

 private:
  using Setup = std::function<void(httplib::Request&)>;
  // Of cpp-httplib 0.11 and of 0.18.
  using Process = bool (httplib::Server::*)(httplib::Stream&, bool, bool&, const Setup&);
  using ProcessWithAddresses = bool (httplib::Server::*)(httplib::Stream&, const std::string&, int,
                                                         const std::string&, int, bool, bool&,
                                                         const Setup&);
  bool call(Process process, httplib::Stream& stream, bool& closed);
  bool call(ProcessWithAddresses process, httplib::Stream& stream, bool& closed);
};

}  // namespace nmt
