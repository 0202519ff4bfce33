#include "text/tokenizer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "errors/error.h"
#include "support/catch.h"
#include "text/model_description.h"
#include "text/sample_text.h"

using Catch::Matchers::ContainsSubstring;
using nmt::Tokenizer;

namespace {

Tokenizer sample_tokenizer(const std::string& type, bool byte_fallback = false) {
  return Tokenizer::from_bytes(nmt::train_sample(type, byte_fallback ? 391 : 97, byte_fallback),
                               "sample");
}

}  // namespace

TEST_CASE("Decoding gives the encoded text back", "[text]") {
  for (const std::string type : {"unigram", "bpe"}) {
    const auto tokenizer = sample_tokenizer(type);
    for (const auto& sentence : nmt::sample_sentences(50, 3)) {
      const auto ids = tokenizer.encode(sentence);
      REQUIRE(!ids.empty());
      CHECK(*std::min_element(ids.begin(), ids.end()) > nmt::kEosId);
      CHECK(tokenizer.decode(ids) == sentence);
    }
  }
}

TEST_CASE("Sampled segmentations differ, are longer and decode to the same text", "[text]") {
  for (const std::string type : {"unigram", "bpe"}) {
    const auto tokenizer = sample_tokenizer(type);
    const double strength = type == "bpe" ? 0.2 : 0.02;
    size_t best_pieces = 0;
    size_t sampled_pieces = 0;
    int different = 0;
    for (const auto& sentence : nmt::sample_sentences(50, 3)) {
      const auto best = tokenizer.encode(sentence);
      CHECK(tokenizer.sample(sentence, 0.0, 5) == best);
      for (const uint64_t seed : {1, 2, 3}) {
        const auto sampled = tokenizer.sample(sentence, strength, seed);
        CHECK(tokenizer.decode(sampled) == sentence);
        CHECK(tokenizer.sample(sentence, strength, seed) == sampled);
        if (sampled != tokenizer.sample(sentence, strength, seed + 1)) ++different;
        best_pieces += best.size();
        sampled_pieces += sampled.size();
      }
    }
    CHECK(different > 100);
    CHECK(sampled_pieces > best_pieces);
  }
}

TEST_CASE("BPE-dropout leaves out about as many merges as it is told", "[text]") {
  const auto tokenizer = sample_tokenizer("bpe");
  REQUIRE(tokenizer.encode("river").size() == 1);
  const auto whole = [&](double dropout) {
    int count = 0;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
      count += tokenizer.sample("river", dropout, seed).size() == 1 ? 1 : 0;
    }
    return count / 2000.0;
  };
  // All of the 5 merges that make ▁river of 6 characters are needed, some have a second chance.
  CHECK(whole(0.1) > 0.5);
  CHECK(whole(0.1) < 0.75);
  CHECK(whole(0.5) < 0.15);
}

TEST_CASE("Subword regularization comes nearer to the best segmentation as its power grows",
          "[text]") {
  const auto tokenizer = sample_tokenizer("unigram");
  const auto sentence = nmt::sample_sentences(1, 3).front();
  const auto best = tokenizer.encode(sentence);
  const auto share = [&](double power) {
    int count = 0;
    for (uint64_t seed = 0; seed < 500; ++seed) {
      count += tokenizer.sample(sentence, power, seed) == best ? 1 : 0;
    }
    return count;
  };
  CHECK(share(0.01) < share(0.05));
  CHECK(share(0.05) < share(0.2));
}

TEST_CASE("A model of characters has no segmentations to sample", "[text]") {
  auto model = nmt::train_sample("bpe", 97, false, "identity");
  const auto type = model.rfind("\x18\x02");  // model_type: BPE
  REQUIRE(type != std::string::npos);
  model[type + 1] = 4;  // CHAR
  REQUIRE(nmt::describe_sentencepiece_model(model).type == "char");
  const auto tokenizer = Tokenizer::from_bytes(model, "sample");
  CHECK(tokenizer.sample("river", 0.0, 1) == tokenizer.encode("river"));
  CHECK_THROWS_AS(tokenizer.sample("river", 0.1, 1), nmt::Error);
}

TEST_CASE("A long text has the pieces of its words, known to the model or not", "[text]") {
  const auto tokenizer = sample_tokenizer("unigram");
  std::string text;
  std::vector<int32_t> expected;
  for (const auto& sentence : nmt::sample_sentences(2000, 3)) {
    text += (text.empty() ? "" : " ") + sentence;
    for (const int32_t id : tokenizer.encode(sentence)) expected.push_back(id);
  }
  REQUIRE(text.size() > 40000);
  CHECK(tokenizer.encode(text) == expected);
  CHECK(tokenizer.encode(std::string(1 << 20, 'Q')).size() < 1000);
}

TEST_CASE("Padding, BOS and EOS vanish from decoded text", "[text]") {
  const auto tokenizer = sample_tokenizer("unigram");
  std::vector<int32_t> ids = {nmt::kBosId};
  for (const int32_t id : tokenizer.encode("green river")) ids.push_back(id);
  ids.insert(ids.end(), {nmt::kEosId, nmt::kPadId, nmt::kPadId});
  CHECK(tokenizer.decode(ids) == "green river");
  CHECK(tokenizer.decode({}).empty());
}

TEST_CASE("A character outside the vocabulary is one unknown token", "[text]") {
  const auto tokenizer = sample_tokenizer("unigram");
  const auto ids = tokenizer.encode("river 猫");
  CHECK(std::count(ids.begin(), ids.end(), nmt::kUnknownId) == 1);
  CHECK_THAT(tokenizer.decode(ids), ContainsSubstring(" ⁇ "));
}

TEST_CASE("A vocabulary of lower-cased text reads lower case, unless the user has capitals in it",
          "[text]") {
  const auto lower = sample_tokenizer("bpe");
  const auto known = lower.in_known_case();
  REQUIRE(lower.encode("THE Garden") != lower.encode("the garden"));
  REQUIRE(known.encode("THE Garden") == lower.encode("the garden"));
  REQUIRE(known.sample("THE Garden", 0.5, 3) == lower.sample("the garden", 0.5, 3));
  REQUIRE(known.as_written().encode("THE") == lower.encode("THE"));

  using nmt::PieceType;
  const auto the_with = [&](const std::string& piece, PieceType type = PieceType::kNormal) {
    const auto model = lower.bytes() + nmt::sentence_piece(piece, type);
    return Tokenizer::from_bytes(model, "model").in_known_case().as_read("THE");
  };
  REQUIRE(the_with("<num>", PieceType::kUserDefined) == "the");
  REQUIRE(the_with("<NUM>", PieceType::kUserDefined) == "THE");
  REQUIRE(the_with(std::string(200, 'a') + "｟mrk_case_modifier_C｠") == "THE");
  REQUIRE(the_with("GARDEN") == "THE");
  REQUIRE(the_with("ქართული") == "the");  // whose capitals nobody writes
}

TEST_CASE("An id outside the vocabulary is an Error", "[text]") {
  const auto tokenizer = sample_tokenizer("bpe");
  CHECK_THROWS_AS(tokenizer.decode({tokenizer.vocabulary_size()}), nmt::Error);
  CHECK_THROWS_AS(tokenizer.decode({-1}), nmt::Error);
}

TEST_CASE("Every id has its piece and the model its bytes", "[text]") {
  const std::string model = nmt::train_sample("unigram", 67);
  const auto tokenizer = Tokenizer::from_bytes(model, "sample");
  CHECK(tokenizer.vocabulary_size() == 67);
  CHECK(tokenizer.piece(nmt::kPadId) == "<pad>");
  CHECK(tokenizer.piece(nmt::kUnknownId) == "<unk>");
  CHECK(tokenizer.piece(nmt::kBosId) == "<s>");
  CHECK(tokenizer.piece(nmt::kEosId) == "</s>");
  CHECK(tokenizer.piece(tokenizer.encode("river")[0]).rfind("▁", 0) == 0);
  CHECK(tokenizer.bytes() == model);
}

TEST_CASE("A tokenizer comes back from its file", "[text]") {
  const auto tokenizer = sample_tokenizer("bpe");
  const nmt::TemporaryFile file("model.spm", tokenizer.bytes());
  const auto loaded = Tokenizer::from_file(file.path());
  CHECK(loaded.encode("seven stone") == tokenizer.encode("seven stone"));
}

TEST_CASE("What is no SentencePiece model is refused by name", "[text]") {
  CHECK_THROWS_WITH(Tokenizer::from_bytes("not a model", "odd.spm"), ContainsSubstring("odd.spm"));
  CHECK_THROWS_AS(Tokenizer::from_bytes("", "empty.spm"), nmt::Error);
  CHECK_THROWS_AS(Tokenizer::from_file("/nonexistent/x.spm"), nmt::Error);
  const std::string model = nmt::train_sample("unigram", 97);
  CHECK_THROWS_AS(Tokenizer::from_bytes(model.substr(0, model.size() / 2), "half"), nmt::Error);
}

TEST_CASE("A model with other special ids is refused with the remedy", "[text]") {
  // SentencePiece's own defaults, unknown 0, BOS 1, EOS 2 and no padding, as a bare model: pieces
  // are field 1 with text 1, score 2 (0.0) and type 3 (unknown 2, control 3).
  const auto piece = [](const std::string& text, char type) {
    std::string body = "\x0a" + std::string(1, static_cast<char>(text.size())) + text;
    body += std::string("\x15\0\0\0\0", 5);
    if (type != 1) body += std::string("\x18") + type;
    return "\x0a" + std::string(1, static_cast<char>(body.size())) + body;
  };
  const std::string model = piece("<unk>", 2) + piece("<s>", 3) + piece("</s>", 3) + piece("a", 1);
  CHECK_THROWS_WITH(Tokenizer::from_bytes(model, "foreign.spm"),
                    ContainsSubstring("foreign.spm") && ContainsSubstring("--pad_id=0"));
}
