#include "explain/segmentation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "checkpoint/stored_model.h"
#include "explain/walks.h"
#include "files/file.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "text/model_description.h"
#include "text/tokenizer_training.h"

namespace nmt {
namespace {

const std::string kSample = NMT_SOURCE_DIR "/data/sample/";

std::string trained_vocabulary(VocabularyType type, bool byte_fallback) {
  TokenizerTraining training;
  training.corpora = {kSample + "valid.en", kSample + "valid.ko"};
  training.vocabulary_size = 1500;
  training.type = type;
  training.byte_fallback = byte_fallback;
  training.character_coverage = 0.99;
  training.placeholders = {SpanKind::kUrl, SpanKind::kEmoji};
  return train_tokenizer(training);
}

const std::string& bpe_vocabulary() {
  static const std::string bytes = trained_vocabulary(VocabularyType::kBpe, false);
  return bytes;
}

std::set<std::string> many_words() {
  std::set<std::string> words = {"ＡＢＣ", "①②",    "é漢字é", "<0x41>",     "😀😀", "a",
                                 "\xFFz",  "<unk>", "ﬁnal",   "aaaaaaaaaa", "…",  "가가가"};
  for (const char* file : {"test.en", "test.ko"}) {
    std::istringstream stream(read_file(kSample + file));
    for (std::string word; stream >> word;) {
      words.insert(word);
      if (words.size() % 3 == 0) words.insert(word + "ß" + word + "漢");
    }
  }
  return words;
}

}  // namespace

TEST_CASE("Words are segmented as SentencePiece segments them", "[explain][pieces]") {
  const auto sample = read_model(NMT_SOURCE_DIR "/models/sample");
  for (const auto& bytes : {sample.source.bytes(), sample.target.bytes(), bpe_vocabulary(),
                            trained_vocabulary(VocabularyType::kBpe, true),
                            trained_vocabulary(VocabularyType::kUnigram, true)}) {
    const auto tokenizer = Tokenizer::from_bytes(bytes, "vocabulary");
    const WordSegmenter segmenter(bytes, "vocabulary");
    size_t merged = 0;
    size_t unknown = 0;
    const auto words = many_words();
    CHECK(words.size() > 500);
    for (const auto& word : words) {
      INFO(word);
      // segment() itself compares its replay with SentencePiece's pieces.
      const auto found = segmenter.segment(word);
      CHECK(found.ids == tokenizer.encode(word));
      merged += found.merges.size() + found.best.size();
      unknown += std::count(found.ids.begin(), found.ids.end(), kUnknownId) > 0 ? 1 : 0;
      std::string joined;
      for (const auto& character : found.characters) joined += character;
      CHECK(joined == found.normalized);
    }
    CHECK(merged > words.size());
    CHECK((unknown > 0) != describe_sentencepiece_model(bytes).byte_fallback);
  }
}

TEST_CASE("Normalization, unknown characters and bytes are shown", "[explain][pieces]") {
  const WordSegmenter plain(bpe_vocabulary(), "vocabulary");
  CHECK(plain.segment("ＡＢＣ").normalized == "▁ABC");
  const auto unknown = plain.segment("a漢字");
  CHECK(unknown.pieces.back() == "漢字");
  CHECK(unknown.ids.back() == kUnknownId);
  const WordSegmenter with_bytes(trained_vocabulary(VocabularyType::kBpe, true), "vocabulary");
  const auto bytes = with_bytes.segment("漢");
  CHECK(bytes.normalized == "▁漢");
  CHECK(bytes.pieces == std::vector<std::string>{"▁", "<0xE6>", "<0xBC>", "<0xA2>"});
  const auto steps = explain_segmentations({unknown, bytes}, true).steps;
  CHECK(contains(steps[0].text.english, "漢字=1. Id 1 is <unk>"));
  CHECK(contains(steps[1].text.english, "become their UTF-8 bytes"));
}

TEST_CASE("Each merge is the best of those possible", "[explain][pieces]") {
  const WordSegmenter segmenter(bpe_vocabulary(), "vocabulary");
  std::map<std::string, double> scores;
  for (const auto& piece : scored_pieces(bpe_vocabulary())) scores[piece.text] = piece.score;
  for (const char* word : {"yesterday", "library.", "읽었어요."}) {
    INFO(word);
    const auto found = segmenter.segment(word);
    auto symbols = found.characters;
    for (const auto& merge : found.merges) {
      for (size_t i = 0; i + 1 < symbols.size(); ++i) {
        const auto pair = scores.find(symbols[i] + symbols[i + 1]);
        if (pair != scores.end()) CHECK(pair->second <= merge.score);
      }
      CHECK(merge.symbols[merge.place] == symbols[merge.place] + symbols[merge.place + 1]);
      CHECK(scores.at(merge.symbols[merge.place]) == merge.score);
      CHECK(merge.symbols.size() + 1 == symbols.size());
      symbols = merge.symbols;
    }
    CHECK(symbols == found.pieces);
  }
}

TEST_CASE("The best paths through the lattice are those of all segmentations",
          "[explain][pieces]") {
  const auto bytes = read_model(NMT_SOURCE_DIR "/models/sample").target.bytes();
  REQUIRE(describe_sentencepiece_model(bytes).type == "unigram");
  std::map<std::string, double> scores;
  double lowest = 0.0;
  for (const auto& piece : scored_pieces(bytes)) {
    scores[piece.text] = piece.score;
    lowest = std::min<double>(lowest, piece.score);
  }
  const auto found = WordSegmenter(bytes, "vocabulary").segment("readingß");
  const auto count = found.characters.size();
  REQUIRE(count == 9);
  std::vector<double> sums;  // of all 2^8 ways to cut, as far as the pieces exist
  for (unsigned cuts = 0; cuts < 1U << (count - 1); ++cuts) {
    double sum = 0.0;
    std::string piece;
    size_t length = 0;
    for (size_t i = 0; i < count; ++i) {
      piece += found.characters[i];
      ++length;
      if (i + 1 < count && (cuts >> i & 1U) == 0) continue;
      const auto score = scores.find(piece);
      if (score != scores.end()) {
        sum += score->second;
      } else {
        sum += length == 1 ? lowest - 10.0 : -INFINITY;
      }
      piece.clear();
      length = 0;
    }
    if (std::isfinite(sum)) sums.push_back(sum);
  }
  std::sort(sums.rbegin(), sums.rend());
  double total = 0.0;
  for (const double sum : sums) total += std::exp(sum);
  REQUIRE(found.best.size() == std::min<size_t>(5, sums.size()));
  for (size_t i = 0; i < found.best.size(); ++i) {
    CHECK(found.best[i].log_probability == Approx(sums[i]).margin(1e-4));
    CHECK(found.best[i].share == Approx(std::exp(sums[i]) / total).margin(1e-4));
  }
}

TEST_CASE("Pieces are text, a page and a picture", "[explain][pieces]") {
  const TemporaryFolder folder;
  SegmentedWord merged;
  merged.word = merged.normalized = "<b>";
  merged.characters = {"<", "b", ">"};
  merged.merges = {{{"<", "b>"}, 1, -3.0}, {{"<b>"}, 0, -7.0}};
  merged.pieces = {"<b>"};
  merged.ids = {9};
  SegmentedWord cut = merged;
  cut.merges.clear();
  cut.best = {{{"<", "b>"}, {-1.0, -2.0}, -3.0, 0.75}, {{"<b>"}, {-4.5}, -4.5, 0.25}};
  const auto merges = explain_segmentations({merged}, true);
  const auto lattice = explain_segmentations({cut}, false);
  const auto text = explanation_text(merges, Language::kEnglish, false);
  CHECK(contains(text, "< [b>]     -3\n  [<b>]      -7\n"));
  CHECK(contains(text, "<b> is normalized to <b> and becomes the pieces <b>=9."));
  CHECK(merges.nodes.size() == 5);
  CHECK(merges.arrows.size() == 4);
  const auto paths = explanation_text(lattice, Language::kEnglish, false);
  CHECK(contains(paths, "< b>: (-1.00) + (-2.00) = -3.00; <b>: (-4.50) = -4.50; Δ log P = 1.50"));
  for (const auto* explanation : {&merges, &lattice}) {
    const auto page = explanation_page(*explanation, Language::kKorean);
    CHECK_FALSE(contains(page, "<b>="));
    CHECK(problems_of_page(folder.write("page.html", page)).empty());
    const auto picture = explanation_picture(*explanation, Language::kEnglish);
    CHECK(problems_of_page(folder.write("picture.svg", picture)).empty());
  }
}

TEST_CASE("What has no segmentation to show is refused", "[explain][pieces]") {
  const WordSegmenter segmenter(bpe_vocabulary(), "vocabulary");
  CHECK(contains(error_of([&] { segmenter.segment(std::string(65, 'a')); }),
                 "has 65 characters; use words of at most 64"));
  CHECK(contains(error_of([&] { segmenter.segment("\u200B"); }), "has no tokens"));
  const std::string of_characters = "\x12\x02\x18\x04";  // TrainerSpec.model_type: CHAR
  CHECK(contains(error_of([&] { WordSegmenter(of_characters, "models/x"); }),
                 "models/x: its vocabulary is of type char"));
}

}  // namespace nmt
