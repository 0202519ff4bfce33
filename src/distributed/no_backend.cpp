// Replaces gloo_backend.cpp in builds without Gloo (GLOO_INCLUDE_DIR).

#include "distributed/collective_backend.h"
#include "errors/error.h"

namespace nmt {

std::unique_ptr<CollectiveBackend> connect_backend(const RankInfo&,
                                                   std::function<void(const std::string&)>) {
  throw Error(
      "this nmt was built without Gloo, which several processes need; install libgloo-dev and "
      "rebuild, or train with one process");
}

std::string backend_name() { return ""; }

}  // namespace nmt
