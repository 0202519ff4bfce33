#include "text/model_check.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "text/protobuf.h"

namespace nmt {
namespace {

// Field numbers of sentencepiece_model.proto.
constexpr uint64_t kNormalizerSpec = 3;
constexpr uint64_t kDenormalizerSpec = 5;
constexpr uint64_t kCharacterMap = 2;

// Maximum bytes of a replacement; the longest in Unicode's rules has 33.
constexpr size_t kLongestReplacement = 256;

uint32_t read_uint32(const char* bytes) {
  uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));  // the map is little-endian, and so are we
  return value;
}

/// A unit of a double array as darts-clone lays it out (github.com/s-yata/darts-clone).
struct Unit {
  uint32_t bits;
  bool is_value() const { return (bits >> 31) != 0; }
  bool has_leaf() const { return ((bits >> 8) & 1) != 0; }
  uint32_t value() const { return bits & 0x7FFFFFFF; }
  uint32_t offset() const { return (bits >> 10) << ((bits & (1U << 9)) >> 6); }
};

/// From unit i the next byte leads to one of 256 units, and a leaf to a text in `replacements`.
/// Checks that all of these exist.
bool is_sound_trie(const std::vector<Unit>& units, std::string_view replacements) {
  for (uint32_t i = 0; i < units.size(); ++i) {
    const Unit unit = units[i];
    if (unit.is_value()) continue;  // never extended
    const uint32_t next = i ^ unit.offset();
    if ((next | 0xFF) >= units.size()) return false;
    if (!unit.has_leaf()) continue;
    const uint32_t begin = units[next].value();
    if (begin >= replacements.size()) return false;
    const auto text = replacements.substr(begin, kLongestReplacement);
    if (text.find('\0') == std::string_view::npos) return false;
  }
  return true;
}

/// Layout: uint32 size of the trie in bytes; the trie; the replacements, each ending with NUL.
bool is_sound_map(std::string_view map) {
  if (map.empty()) return true;  // nothing is replaced
  if (map.size() < sizeof(uint32_t)) return false;
  const size_t trie_bytes = read_uint32(map.data());
  map.remove_prefix(sizeof(uint32_t));
  if (trie_bytes == 0 || trie_bytes % sizeof(uint32_t) != 0 || trie_bytes > map.size())
    return false;
  std::vector<Unit> units;
  for (size_t at = 0; at < trie_bytes; at += sizeof(uint32_t)) {
    units.push_back({read_uint32(map.data() + at)});
  }
  return !units.front().is_value() && is_sound_trie(units, map.substr(trie_bytes));
}

}  // namespace

bool has_sound_character_map(std::string_view model) {
  bool sound = true;
  const bool whole = for_each_field(model, [&](const ProtobufField& section) {
    if (section.number != kNormalizerSpec && section.number != kDenormalizerSpec) return;
    sound = for_each_field(section.bytes,
                           [&](const ProtobufField& field) {
                             if (field.number == kCharacterMap && !is_sound_map(field.bytes))
                               sound = false;
                           }) &&
            sound;
  });
  return whole && sound;
}

}  // namespace nmt
