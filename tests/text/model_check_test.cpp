#include "text/model_check.h"

#include <string>

#include "errors/error.h"
#include "numbers/random.h"
#include "support/catch.h"
#include "text/sample_text.h"
#include "text/tokenizer.h"

namespace nmt {
namespace {

/// Where the trie of the character map begins: behind the rule's name, the field and two sizes.
size_t trie_begin(const std::string& model, const std::string& rule) {
  size_t at = model.find(rule) + rule.size();
  REQUIRE(model[at++] == '\x12');
  while ((model[at] & 0x80) != 0) ++at;
  return at + 1 + sizeof(uint32_t);
}

}  // namespace

TEST_CASE("Every rule of SentencePiece has a sound character map", "[text]") {
  for (const char* rule : {"nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"}) {
    INFO(rule);
    REQUIRE(has_sound_character_map(train_sample("bpe", 391, true, rule)));
  }
}

TEST_CASE("A map whose offsets lead out of it is refused, or does no harm", "[text]") {
  const auto model = train_sample("unigram", 97);
  const size_t begin = trie_begin(model, "nmt_nfkc");
  auto hostile = model;
  hostile[begin + 3] = '\x70';  // the root's offset is far away
  REQUIRE_FALSE(has_sound_character_map(hostile));
  REQUIRE_THROWS(Tokenizer::from_bytes(hostile, "x"));
  Random random(3, 1);
  for (int trial = 0; trial < 60; ++trial) {
    auto damaged = model;
    for (uint64_t count = 1 + random.below(64); count > 0; --count) {
      damaged[begin + random.below(damaged.size() - begin)] = static_cast<char>(random.below(256));
    }
    if (!has_sound_character_map(damaged)) continue;
    try {
      Tokenizer::from_bytes(damaged, "x").encode("번역하는 ﬁｱ① café naïve 12");
    } catch (const Error&) {
    }
  }
}

TEST_CASE("A cut or unfinished message is refused", "[text]") {
  const auto model = train_sample("bpe", 97, false, "identity");
  REQUIRE(has_sound_character_map(model));
  REQUIRE_FALSE(has_sound_character_map(model.substr(0, model.size() - 1)));
  REQUIRE_FALSE(has_sound_character_map(model + '\x0B'));  // a group begins
}

}  // namespace nmt
