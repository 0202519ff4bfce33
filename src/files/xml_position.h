#pragma once

#include <expat.h>

#include <cstddef>
#include <cstdint>

namespace nmt {

// The position of expat's parser. From expat 2.9 on, the names of these functions end in 64 and the
// old ones are deprecated.
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define NMT_EXPAT_POSITION(name) XML_GetCurrent##name##64
#else
#define NMT_EXPAT_POSITION(name) XML_GetCurrent##name
#endif

/// Offset of the current token in bytes of the parser's input.
inline size_t xml_token_begin(XML_Parser parser) {
  return static_cast<size_t>(NMT_EXPAT_POSITION(ByteIndex)(parser));
}
inline size_t xml_token_size(XML_Parser parser) {
  return static_cast<size_t>(NMT_EXPAT_POSITION(ByteCount)(parser));
}

/// Current line, from 1.
inline uint64_t xml_line(XML_Parser parser) { return NMT_EXPAT_POSITION(LineNumber)(parser); }
inline uint64_t xml_column(XML_Parser parser) {
  return NMT_EXPAT_POSITION(ColumnNumber)(parser) + 1;
}

#undef NMT_EXPAT_POSITION

}  // namespace nmt
