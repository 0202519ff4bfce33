#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checkpoint/safetensors_header.h"
#include "errors/error.h"

// Any bytes are a sound file, all of whose tensors lie inside of it, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto header = nmt::parse_safetensors_header(bytes, "file");
    for (const auto& entry : header.tensors) {
      if (entry.end < entry.begin || entry.end > size - header.data_begin) __builtin_trap();
    }
    nmt::verify_safetensors(header, bytes, "file");
  } catch (const nmt::Error&) {
  }
  return 0;
}
