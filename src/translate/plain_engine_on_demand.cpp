#include <dlfcn.h>

#include <string>

#include "errors/error.h"
#include "translate/engine.h"

// For libnmt.so, which loads LibTorch only for what the fused engine does not compute.
namespace nmt {
namespace {

constexpr char kLibrary[] = "libnmt_plain_engine.so";

PlainEngineFactory load_factory() {
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Error(std::string("plain engine: ") + ::dlerror() + "; install the package nmt-torch");
  }
  const auto entry =
      reinterpret_cast<PlainEngineFactory (*)()>(::dlsym(library, NMT_PLAIN_ENGINE_FACTORY));
  if (entry == nullptr) {
    throw Error(std::string(kLibrary) + ": another version; reinstall nmt-torch");
  }
  return entry();
}

std::unique_ptr<Engine> make_loaded_engine(const EngineModels& models, const std::string& device,
                                           int threads) {
  static const PlainEngineFactory factory = load_factory();
  return factory(models, device, threads);
}

[[maybe_unused]] const bool kRegistered = [] {
  set_plain_engine_factory(make_loaded_engine);
  return true;
}();

}  // namespace
}  // namespace nmt
