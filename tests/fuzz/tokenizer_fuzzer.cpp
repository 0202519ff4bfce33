#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/model_check.h"
#include "text/model_description.h"

// What looks into a SentencePiece model before SentencePiece does.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  nmt::has_sound_character_map(bytes);
  nmt::describe_sentencepiece_model(bytes);
  return 0;
}
