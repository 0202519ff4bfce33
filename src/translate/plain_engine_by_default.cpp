#include "translate/engine.h"

// For tests, which have no main of ours that could do it.
namespace {
[[maybe_unused]] const bool kRegistered = [] {
  nmt::set_plain_engine_factory(nmt::make_linked_plain_engine);
  return true;
}();
}  // namespace
