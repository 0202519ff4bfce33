#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "checkpoint/safetensors.h"

namespace nmt {

/// Bytes of one element of a safetensors dtype, or 0 for an unknown one.
uint64_t element_size(const std::string& dtype);

/// Parses and checks the start of a file of which `bytes` is the whole content: every number is
/// compared with the file's real size before it is used. `name` is what messages call the file.
SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& name);

}  // namespace nmt
