#include "errors/error.h"
#include "translate/plain_engine.h"

namespace nmt {

// These tests translate by the fused engine alone.
std::unique_ptr<PlainEngine> make_plain_engine(const std::vector<StoredModel>&,
                                               const std::optional<ShallowFusion>&,
                                               const std::string&, int) {
  throw Error("no plain engine here");
}

}  // namespace nmt
