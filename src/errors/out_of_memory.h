#pragma once

#include <string_view>

namespace nmt {

/// Whether an exception's message says that memory ran out, of the CPU or of a GPU: LibTorch and
/// CUDA's libraries have no type of exception in common.
inline bool is_out_of_memory(std::string_view message) {
  for (const std::string_view text :
       {"bad_alloc", "can't allocate memory", "out of memory", "STATUS_ALLOC_FAILED"}) {
    if (message.find(text) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace nmt
