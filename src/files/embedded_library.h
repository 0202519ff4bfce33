#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "pages/embedded_file.h"

namespace nmt {

/// A shared library that this program carries as bytes, so that it needs no file beside it.
struct EmbeddedLibrary {
  std::string_view name;  // for people, in lists of what is mapped
  std::string_view bytes;
};

/// Opens a library by a path: dlopen or dlmopen with their flags. Null on failure, as those.
using OpenLibrary = std::function<void*(const char* path)>;

/// Loads the library from memory or, where the system does not let it, from a temporary file that
/// is gone again at once. Never unloaded: other threads may still be inside when the process ends.
/// Throws Error that says why neither is possible.
void* load_embedded_library(const EmbeddedLibrary& library, const OpenLibrary& open);

}  // namespace nmt

/// Defines `static nmt::EmbeddedLibrary name()` with the bytes of `file`, a string literal.
#define NMT_EMBED_LIBRARY(name, file)                                    \
  NMT_EMBED_FILE(name##_bytes, file);                                    \
  static nmt::EmbeddedLibrary name() { return {#name, name##_bytes()}; } \
  static_assert(true, "a semicolon follows")
