// In place of gloo_connection.cpp, where LibTorch comes without what that needs.

#include "distributed/connection.h"
#include "errors/error.h"

namespace nmt {

std::unique_ptr<Connection> connect(const ProcessPlace&, std::function<void(const std::string&)>) {
  throw Error(
      "this nmt was built without Gloo, which several processes need: install libgloo-dev and "
      "build "
      "it again, or train with one process");
}

std::string connection_name() { return ""; }

}  // namespace nmt
