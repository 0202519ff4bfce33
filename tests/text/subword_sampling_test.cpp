// Probabilities worked by hand from the definitions of BPE-dropout and subword regularization.
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.h"
#include "text/bpe_dropout.h"
#include "text/byte_pieces.h"
#include "text/piece_table.h"
#include "text/sample_text.h"
#include "text/tokenizer.h"
#include "text/unigram_sampling.h"

using nmt::Atoms;
using nmt::PieceTable;
using nmt::PieceType;
using nmt::Random;

namespace {

using Segmentation = std::vector<std::string_view>;
using Sample = std::vector<std::string_view>(const Atoms&, const PieceTable&, double, Random&);

constexpr int kDraws = 20000;
constexpr double kTolerance = 0.015;  // four standard deviations of a probability of 1/2

std::map<std::string, double> probabilities(Sample* sample, const PieceTable& pieces,
                                            const std::string& text, double strength) {
  const auto atoms = pieces.atoms({text});
  std::map<std::string, double> shares;
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    Random random(seed, 0);
    std::string joined;
    for (const auto piece : sample(atoms, pieces, strength, random)) {
      joined += (joined.empty() ? "" : "|") + std::string(piece);
    }
    shares[joined] += 1.0 / kDraws;
  }
  return shares;
}

}  // namespace

TEST_CASE("BPE-dropout skips each merge with its probability", "[text]") {
  const PieceTable pieces({{"a"}, {"b"}, {"c"}, {"ab", -1.0}, {"bc", -2.0}, {"abc", -3.0}});
  // ab is tried first. If it is made (1 - p), abc is tried next; bc is outdated. If not (p), bc is
  // tried and, if it is made, a + bc.
  const double p = 0.3;
  const auto shares = probabilities(nmt::bpe_dropout, pieces, "abc", p);
  const auto at = [&](const std::string& text) { return shares.count(text) ? shares.at(text) : 0; };
  CHECK(shares.size() == 4);
  CHECK(std::abs(at("abc") - ((1 - p) * (1 - p) + p * (1 - p) * (1 - p))) < kTolerance);
  CHECK(std::abs(at("ab|c") - (1 - p) * p) < kTolerance);
  CHECK(std::abs(at("a|bc") - p * (1 - p) * p) < kTolerance);
  CHECK(std::abs(at("a|b|c") - p * p) < kTolerance);
  CHECK(probabilities(nmt::bpe_dropout, pieces, "abc", 0.0).size() == 1);
  CHECK(probabilities(nmt::bpe_dropout, pieces, "abc", 1.0).count("a|b|c") == 1);
}

TEST_CASE("Of equal merges the leftmost comes first", "[text]") {
  const PieceTable pieces({{"a"}, {"aa", -1.0}});
  CHECK(probabilities(nmt::bpe_dropout, pieces, "aaa", 0.0).count("aa|a") == 1);
}

TEST_CASE("Subword regularization draws by the product of probabilities to a power", "[text]") {
  const PieceTable pieces({{"a", -1.0}, {"b", -2.0}, {"aa", -1.5}, {"ab", -2.5}, {"aac", -9.0}});
  for (const double power : {0.1, 0.5, 1.0}) {
    const double single = std::exp(-4.0 * power);
    const double pair = std::exp(-3.5 * power);
    const auto shares = probabilities(nmt::sample_unigram, pieces, "aab", power);
    CHECK(shares.size() == 3);
    CHECK(std::abs(shares.at("a|a|b") - single / (single + 2 * pair)) < kTolerance);
    CHECK(std::abs(shares.at("aa|b") - pair / (single + 2 * pair)) < kTolerance);
    CHECK(std::abs(shares.at("a|ab") - pair / (single + 2 * pair)) < kTolerance);
  }
  // The lowest score is -9, so an unknown character has -19.
  const auto shares = probabilities(nmt::sample_unigram, pieces, "aac", 0.1);
  const double whole = std::exp(-0.9);
  const double two = std::exp(-2.05);
  const double three = std::exp(-2.1);
  CHECK(std::abs(shares.at("aac") - whole / (whole + two + three)) < kTolerance);
  CHECK(std::abs(shares.at("aa|c") - two / (whole + two + three)) < kTolerance);
}

TEST_CASE("A symbol that the user defined is never divided or joined", "[text]") {
  std::vector<nmt::ModelPiece> list = {{"<"}, {"1"}, {">"}, {"a"}, {"<1"}, {"a<1>"}};
  list.push_back({"<1>", 0.0, PieceType::kUserDefined});
  const PieceTable pieces(list);
  const auto atoms = pieces.atoms({"a", "<1>", "a<1"});
  REQUIRE(atoms.size() == 5);
  Random random(1, 0);
  const Segmentation joined = {"a", "<1>", "a", "<1"};
  CHECK(nmt::bpe_dropout(atoms, pieces, 0.0, random) == joined);
  for (int draw = 0; draw < 100; ++draw) {
    CHECK(nmt::sample_unigram(atoms, pieces, 0.01, random)[1] == "<1>");
  }
  CHECK(pieces.ids(joined) == std::vector<int32_t>{3, 6, 3, 4});
}

TEST_CASE("Pieces of bytes are written and read", "[text]") {
  CHECK(nmt::byte_piece(0xE2) == "<0xE2>");
  for (int byte = 0; byte < 256; ++byte) {
    const auto read = nmt::byte_of_piece(nmt::byte_piece(static_cast<unsigned char>(byte)));
    CHECK(read == static_cast<char>(byte));
  }
  for (const auto* other : {"", "<0x", "<0xE2", "<0xe2>", "<0xZZ>", "<0x1Z>", "<0xE2>>"}) {
    CHECK(!nmt::byte_of_piece(other));
  }
}

TEST_CASE("Sampling keeps characters that the vocabulary lacks", "[text]") {
  const std::string text = "river 猫犬 é green";
  for (const std::string type : {"unigram", "bpe"}) {
    const auto bytes = nmt::Tokenizer::from_bytes(nmt::train_sample(type, 391, true), "bytes");
    const auto plain = nmt::Tokenizer::from_bytes(nmt::train_sample(type, 97), "plain");
    for (uint64_t seed = 0; seed < 50; ++seed) {
      CHECK(bytes.decode(bytes.sample(text, 0.2, seed)) == text);
      CHECK(plain.decode(plain.sample(text, 0.2, seed)) == plain.decode(plain.encode(text)));
    }
  }
}

TEST_CASE("BPE without dropout is SentencePiece's segmentation", "[text]") {
  const auto model = nmt::train_sample("bpe", 97);
  const auto tokenizer = nmt::Tokenizer::from_bytes(model, "sample");
  const PieceTable pieces(nmt::model_pieces(model));
  for (const auto& sentence : nmt::sample_sentences(200, 3)) {
    std::vector<std::string> best;
    for (const int32_t id : tokenizer.encode(sentence)) best.push_back(tokenizer.piece(id));
    const auto atoms = pieces.atoms(best);
    Random random(1, 0);
    CHECK(pieces.ids(nmt::bpe_dropout(atoms, pieces, 0.0, random)) == tokenizer.encode(sentence));
  }
}
