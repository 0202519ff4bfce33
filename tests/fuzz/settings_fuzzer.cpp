#include <cstddef>
#include <cstdint>
#include <string>

#include "config/settings_io.h"
#include "config/validate.h"
#include "errors/error.h"

// Any text is settings that can be written and read again, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nmt::Settings settings;
  try {
    nmt::apply_yaml(settings, std::string(reinterpret_cast<const char*>(data), size), "file");
  } catch (const nmt::Error&) {
    return 0;
  }
  const auto yaml = nmt::to_yaml(settings, /*with_comments=*/false);
  nmt::Settings again;
  nmt::apply_yaml(again, yaml, "file");  // an Error here is a finding
  if (nmt::to_yaml(again, /*with_comments=*/false) != yaml) __builtin_trap();
  try {
    nmt::validate(settings);
  } catch (const nmt::Error&) {
  }
  return 0;
}
