#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checkpoint/model_parts.h"
#include "checkpoint/safetensors_header.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "errors/error.h"

// The way a packed model goes when it is loaded, up to its tensors. The checksum is left out: it
// would let nothing through that is worth trying.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto header = nmt::parse_safetensors_header(bytes, "file");
    const auto parts = nmt::packed_parts(header, bytes, "file");
    nmt::Settings settings;
    nmt::apply_yaml(settings, parts.settings, "file: config.yaml", nmt::SettingsFrom::kModel);
    nmt::validate_model(settings);
  } catch (const nmt::Error&) {
  }
  return 0;
}
