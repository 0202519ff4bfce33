#include "translate/engine.h"

#include "errors/error.h"

namespace nmt {
namespace {

PlainEngineFactory factory = nullptr;

}  // namespace

void set_plain_engine_factory(PlainEngineFactory plain_engine_factory) {
  factory = plain_engine_factory;
}

std::unique_ptr<Engine> make_plain_engine(const EngineModels& models, const std::string& device,
                                          int threads) {
  if (factory == nullptr) {
    throw Error(
        "the plain engine needs LibTorch, which is not linked here or not set with "
        "set_plain_engine_factory()");
  }
  return factory(models, device, threads);
}

}  // namespace nmt
