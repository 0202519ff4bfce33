#include <cstddef>
#include <cstdint>
#include <string>

#include "errors/error.h"
#include "markup/made_translation.h"

// Any text is a document of that format or an Error. With each sentence as its own translation, a
// document keeps all letters; with the words reversed, what comes out can be read again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto format = *nmt::parse_choice<nmt::DocumentFormat>(NMT_FORMAT);
  std::string reversed;
  try {
    reversed = nmt::translate_made(text, format, nmt::reversed);
  } catch (const nmt::Error&) {
    return 0;
  }
  nmt::translate_made(reversed, format, nmt::reversed);  // an Error here is a finding
  return 0;
}
