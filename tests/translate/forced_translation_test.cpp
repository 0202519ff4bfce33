#include "translate/forced_translation.h"

#include <cmath>
#include <numeric>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "translate/engine_device.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::string kRoot = NMT_SOURCE_DIR;

Translator sample(TranslationEngine engine,
                  std::vector<std::filesystem::path> models = {kRoot + "/models/sample"}) {
  TranslatorOptions options;
  options.model_dirs = std::move(models);
  options.threads = 1;
  options.engine = engine;
  options.device = device_of(engine);
  return Translator(options);
}

TranslationOptions with_words() {
  TranslationOptions options;
  options.words = options.attention = true;
  return options;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST_CASE("Forced decoding adds up to the score of a pair, in both engines and an ensemble",
          "[translate]") {
  const auto sources = sample_lines("test.ko", 20);
  const auto targets = sample_lines("test.en", 20);
  const std::filesystem::path model = kRoot + "/models/sample";
  const Translator translators[] = {sample(TranslationEngine::kFused),
                                    sample(TranslationEngine::kPlain),
                                    sample(TranslationEngine::kFused, {model, model})};
  for (const auto& translator : translators) {
    const auto scores = translator.score(sources, targets);
    const auto pairs = translator.force_decode(sources, targets, with_words());
    REQUIRE(pairs.size() == sources.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto& pair = pairs[i].candidates.front();
      CHECK(pairs[i].text == targets[i]);
      CHECK(pair.log_probability == Approx(scores[i].log_probability).margin(1e-3));
      CHECK(sum_of(pair.token_log_probabilities) == Approx(pair.log_probability).margin(1e-3));
      CHECK(sum_of(pair.word_log_probabilities) == Approx(pair.log_probability).margin(1e-3));
      CHECK(pair.token_log_probabilities.size() == pair.tokens.size() + 1);
      CHECK(pair.attention.size() == pair.tokens.size() + 1);
      CHECK(pair.word_log_probabilities.size() == pair.words.size() + 1);
      CHECK(pair.alignment.size() == pair.words.size());
    }
  }
}

TEST_CASE("Forced decoding of a translation finds what the search found", "[translate]") {
  const auto translator = sample(TranslationEngine::kFused);
  const auto sources = sample_lines("test.ko", 20);
  const auto found = translator.translate(sources, with_words());
  std::vector<std::string> texts;
  for (const auto& one : found) texts.push_back(one.text);
  const auto forced = translator.force_decode(sources, texts, with_words());
  size_t compared = 0;
  for (size_t i = 0; i < forced.size(); ++i) {
    const auto& expected = found[i].candidates.front();
    const auto& pair = forced[i].candidates.front();
    if (pair.tokens != expected.tokens) continue;  // a search may spell words in other pieces
    ++compared;
    CHECK(pair.words == expected.words);
    CHECK(pair.score == Approx(expected.score).margin(1e-4));
    CHECK(forced[i].source_words == found[i].source_words);
    REQUIRE(pair.alignment.size() == expected.alignment.size());
    for (size_t k = 0; k < pair.alignment.size(); ++k) {
      CHECK(pair.alignment[k].source == expected.alignment[k].source);
      CHECK(pair.alignment[k].target == expected.alignment[k].target);
    }
  }
  CHECK(compared >= 18);
}

TEST_CASE("Forced decoding takes the given targets, also with options of samples and beams",
          "[translate]") {
  const auto sources = sample_lines("test.ko", 3);
  const auto targets = sample_lines("test.en", 3);
  auto options = with_words();
  options.sample = true;
  options.temperature = 0.5;
  options.n_best = 7;
  options.beam_size = 4;
  options.diverse_groups = 2;
  for (const auto engine : {TranslationEngine::kFused, TranslationEngine::kPlain}) {
    const auto translator = sample(engine);
    const auto expected = translator.force_decode(sources, targets, with_words());
    const auto pairs = translator.force_decode(sources, targets, options);
    for (size_t i = 0; i < pairs.size(); ++i) {
      REQUIRE(pairs[i].candidates.size() == 1);
      CHECK(pairs[i].candidates.front().log_probability ==
            Approx(expected[i].candidates.front().log_probability).margin(1e-4));
    }
  }
}

TEST_CASE("Words that the model does not see keep their place in an alignment", "[translate]") {
  const auto translator = sample(TranslationEngine::kFused);
  const std::string text = "저는 책을 읽어요.";
  const std::string unseen = "\u200b";  // a word between spaces, which normalization removes
  const auto pairs = translator.force_decode({text, unseen + " " + text + " " + unseen},
                                             {"I read a book.", "I read a book."}, with_words());
  const auto& plain = pairs[0].candidates.front();
  const auto& surrounded = pairs[1].candidates.front();
  REQUIRE(pairs[1].source_words.size() == 5);
  REQUIRE(plain.alignment.size() == 4);
  REQUIRE(surrounded.alignment.size() == 4);
  for (size_t k = 0; k < plain.alignment.size(); ++k) {
    CHECK(surrounded.alignment[k].source == plain.alignment[k].source + 1);
  }
  for (size_t t = 0; t < plain.word_attention.size(); ++t) {
    const auto& row = surrounded.word_attention[t];
    REQUIRE(row.size() == 5);
    CHECK(row.front() == 0.0F);
    CHECK(row.back() == 0.0F);
    CHECK(std::vector<float>(row.begin() + 1, row.end() - 1) == plain.word_attention[t]);
  }
}

TEST_CASE("Forced decoding takes any text as it is, and an empty line only for an empty one",
          "[translate]") {
  const auto translator = sample(TranslationEngine::kFused);
  const std::vector<std::string> sources = {"저는 책을 읽어요.", "", "", "저는 책을 읽어요."};
  const std::vector<std::string> targets = {"I read 東京 to\u00a0day.", "", "I", ""};
  const auto pairs = translator.force_decode(sources, targets, with_words());
  const auto& unknown = pairs[0].candidates.front();
  CHECK(unknown.text == targets[0]);
  CHECK(unknown.words == std::vector<std::string>{"I", "read", "東京", "to\u00a0day."});
  CHECK(unknown.alignment.size() == 4);
  CHECK(pairs[1].candidates.front().log_probability == 0.0);
  CHECK(std::isinf(pairs[2].candidates.front().log_probability));
  CHECK(pairs[2].candidates.front().words == std::vector<std::string>{"I"});
  CHECK(pairs[3].candidates.front().word_log_probabilities.size() == 1);
  CHECK(pairs[3].candidates.front().log_probability < 0.0);
  const std::string long_text(30000, 'x');
  CHECK(contains(error_of([&] { translator.force_decode({"책"}, {long_text}); }), "line 1: 30"));
  CHECK(contains(error_of([&] { translator.force_decode({"책"}, {}); }), "1 line, but 0 in"));
}

}  // namespace nmt
