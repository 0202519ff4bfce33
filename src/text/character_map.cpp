#include "text/character_map.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace nmt {
namespace {

// Bits of a unit of darts-clone's double array (github.com/s-yata/darts-clone).
constexpr uint32_t kValue = 1U << 31;
constexpr uint32_t kHasLeaf = 1U << 8;
constexpr int kOffsetShift = 10;

constexpr uint32_t kBlock = 256;  // units per node: one for each possible next byte

struct Node {
  std::map<uint8_t, size_t> children;  // nodes
  std::optional<uint32_t> value;       // begin of the replacement
};

std::vector<Node> trie_of(const std::map<std::string, std::string>& replacements,
                          std::string& texts) {
  std::vector<Node> nodes(1);
  for (const auto& [key, replacement] : replacements) {
    size_t node = 0;
    for (const char byte : key) {
      const auto [child, is_new] =
          nodes[node].children.emplace(static_cast<uint8_t>(byte), nodes.size());
      node = child->second;
      if (is_new) nodes.emplace_back();
    }
    nodes[node].value = static_cast<uint32_t>(texts.size());
    texts += replacement + '\0';
  }
  return nodes;
}

/// Each node's children get a block of their own: simple, and small for a few keys.
std::vector<uint32_t> units_of(const std::vector<Node>& nodes) {
  std::vector<uint32_t> units((nodes.size() + 1) * kBlock);
  std::vector<uint32_t> places(nodes.size());  // of each node's unit; the root's is 0
  for (size_t i = 0; i < nodes.size(); ++i) {  // children come after their parents
    const auto block = static_cast<uint32_t>(i + 1) * kBlock;
    const auto& node = nodes[i];
    units[places[i]] |= (places[i] ^ block) << kOffsetShift;
    // NUL leads to the unit of the value. Without a value, the unit gets another label, so NUL
    // leads nowhere.
    units[block] = node.value ? *node.value | kValue : 0xFF;
    if (node.value) units[places[i]] |= kHasLeaf;
    for (const auto& [byte, child] : node.children) {
      places[child] = block ^ byte;
      units[places[child]] = byte;
    }
  }
  return units;
}

std::string little_endian(const uint32_t* numbers, size_t count) {  // as we are
  return {reinterpret_cast<const char*>(numbers), count * sizeof(uint32_t)};
}

}  // namespace

std::string character_map(const std::map<std::string, std::string>& replacements) {
  std::string texts;
  const auto units = units_of(trie_of(replacements, texts));
  const auto bytes = static_cast<uint32_t>(units.size() * sizeof(uint32_t));
  return little_endian(&bytes, 1) + little_endian(units.data(), units.size()) + texts;
}

}  // namespace nmt
