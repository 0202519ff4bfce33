#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checkpoint/safetensors_header.h"
#include "errors/error.h"
#include "train/runs/run_record.h"

// A training state up to its tensors. The checksum is left out: it would let nothing through that
// is worth trying.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    nmt::parse_run_record(nmt::parse_safetensors_header(bytes, "file").metadata, "file");
  } catch (const nmt::Error&) {
  }
  return 0;
}
