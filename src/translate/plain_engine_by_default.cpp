#include "translate/engine.h"

// Sets the factory for tests, whose main is not ours.
namespace {
[[maybe_unused]] const bool kRegistered = [] {
  nmt::set_plain_engine_factory(nmt::make_linked_plain_engine);
  return true;
}();
}  // namespace
