// What a user asks of a translation beside the source, with the sample model.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/line_reader.h"
#include "translate/translator.h"

namespace nmt {
namespace {

Translator translator_of(const std::string& engine) {
  return Translator({{std::string(NMT_SOURCE_DIR) + "/models/sample"}, "cpu", 1, engine});
}

std::vector<std::string> test_sources(size_t count) {
  auto lines = read_lines(std::string(NMT_SOURCE_DIR) + "/data/sample/test.ko");
  lines.resize(count);
  return lines;
}

bool repeats(const std::vector<std::string>& tokens, size_t n) {
  std::set<std::vector<std::string>> seen;
  for (size_t i = 0; i + n <= tokens.size(); ++i) {
    const auto first = tokens.begin() + static_cast<int64_t>(i);
    if (!seen.insert({first, first + static_cast<int64_t>(n)}).second) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Scores of words add up to the translation's, alignments cover it", "[translate]") {
  TranslationOptions options;
  options.words = true;
  options.n_best = 3;
  for (const auto& translation : translator_of("auto").translate(test_sources(12), options)) {
    for (const auto& candidate : translation.candidates) {
      std::string text;
      for (const auto& word : candidate.words) text += (text.empty() ? "" : " ") + word;
      REQUIRE(text == candidate.text);
      const auto& scores = candidate.word_log_probabilities;
      REQUIRE(scores.size() == candidate.words.size() + 1);
      REQUIRE(std::accumulate(scores.begin(), scores.end(), 0.0) ==
              Approx(candidate.log_probability).margin(1e-4));
      REQUIRE(candidate.alignment.size() == candidate.words.size());
      for (const auto& row : candidate.word_attention) {
        REQUIRE(row.size() == translation.source_words.size());
        REQUIRE(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1.0).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("Alignments tell which word is which", "[translate]") {
  TranslationOptions options;
  options.words = true;
  const auto translation = translator_of("auto").translate({"저는 책을 읽어요."}, options).front();
  REQUIRE(translation.text == "I read a book.");
  REQUIRE(translation.source_words == std::vector<std::string>{"저는", "책을", "읽어요."});
  const auto& links = translation.candidates.front().alignment;
  REQUIRE(links[0].source == 0);
  REQUIRE(links[3].source == 1);
}

TEST_CASE("Translations begin as they have to, with the model's own scores", "[translate]") {
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    const std::vector<std::string> sources(4, "저는 책을 읽어요.");
    const auto found =
        translator.translate(sources, {}, {{"", {}}, {"I read", {}}, {"You", {}}, {"I rea", {}}});
    REQUIRE(found[0].text == "I read a book.");
    REQUIRE(found[1].text == "I read a book.");
    REQUIRE(found[1].candidates[0].log_probability ==
            Approx(found[0].candidates[0].log_probability).margin(1e-3));
    REQUIRE(found[2].text.rfind("You", 0) == 0);
    REQUIRE(found[3].text.rfind("I rea", 0) == 0);
    std::vector<std::string> texts;
    for (const auto& translation : found) texts.push_back(translation.text);
    const auto scores = translator.score(sources, texts);
    REQUIRE(scores[2].log_probability ==
            Approx(found[2].candidates[0].log_probability).margin(1e-3));
  }
}

TEST_CASE("Ensembles and both engines keep to a guide alike", "[translate]") {
  const auto path = std::string(NMT_SOURCE_DIR) + "/models/sample";
  const auto sources = test_sources(4);
  TranslationOptions options;
  options.no_repeat_ngram = 3;
  options.coverage_penalty = 0.1;
  options.words = true;
  const std::vector<TranslationGuide> guides(sources.size(), {"The", {"river"}});
  const auto expected = translator_of("fused").translate(sources, options, guides);
  const auto plain = translator_of("plain").translate(sources, options, guides);
  const auto ensemble = Translator({{path, path}, "cpu", 1}).translate(sources, options, guides);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const auto* other : {&plain[i], &ensemble[i]}) {
      REQUIRE(other->text == expected[i].text);
      const auto& best = other->candidates.front();
      REQUIRE(best.score == Approx(expected[i].candidates.front().score).epsilon(1e-3));
      REQUIRE(best.warnings == expected[i].candidates.front().warnings);
    }
  }
}

TEST_CASE("Constraints stand in every candidate of every line", "[translate]") {
  for (const char* engine : {"fused", "plain"}) {
    const auto sources = test_sources(6);
    TranslationOptions options;
    options.n_best = 3;
    const std::vector<TranslationGuide> guides(sources.size(), {"", {"yesterday", "the park"}});
    for (const auto& translation : translator_of(engine).translate(sources, options, guides)) {
      for (const auto& candidate : translation.candidates) {
        INFO(candidate.text);
        REQUIRE(contains(candidate.text, "yesterday"));
        REQUIRE(contains(candidate.text, "the park"));
      }
    }
  }
}

TEST_CASE("No n-gram comes twice when it may not", "[translate]") {
  TranslationOptions options;
  options.min_length = 25;  // the model would have to repeat itself
  const auto translator = translator_of("auto");
  const auto sources = test_sources(8);
  bool did_repeat = false;
  for (const auto& translation : translator.translate(sources, options)) {
    did_repeat = did_repeat || repeats(translation.candidates[0].tokens, 2);
  }
  REQUIRE(did_repeat);
  options.no_repeat_ngram = 2;
  for (const auto& translation : translator.translate(sources, options)) {
    REQUIRE_FALSE(repeats(translation.candidates[0].tokens, 2));
  }
}

TEST_CASE("What looks wrong is said", "[translate]") {
  TranslationOptions options;
  options.words = true;
  const auto translator = translator_of("auto");
  const auto warnings = [&](const char* source) {
    return translator.translate({source}, options).front().candidates.front().warnings;
  };
  REQUIRE(warnings("저는 책을 읽어요.").empty());
  options.max_length = 2;
  const auto found = warnings("저는 도서관에서 책을 읽었어요.");
  REQUIRE_FALSE(found.empty());
  REQUIRE(contains(found.front(), "length: ended at the greatest length, 2 tokens"));
}

TEST_CASE("Diverse groups make n-best lists differ more", "[translate]") {
  const auto translator = translator_of("auto");
  TranslationOptions options;
  options.beam_size = 6;
  options.n_best = 6;
  const auto first_words = [&] {
    size_t count = 0;
    for (const auto& translation : translator.translate(test_sources(10), options)) {
      std::set<std::string> words;
      for (const auto& candidate : translation.candidates) words.insert(candidate.tokens.front());
      count += words.size();
    }
    return count;
  };
  const size_t usual = first_words();
  options.diverse_groups = 3;
  options.diversity_strength = 3.0;
  REQUIRE(first_words() > usual);
}

TEST_CASE("Guides that cannot be followed are clear errors", "[translate]") {
  const auto translator = translator_of("auto");
  const auto problem = [&](const TranslationOptions& options,
                           const std::vector<TranslationGuide>& guides) {
    return error_of([&] { translator.translate({"가"}, options, guides); });
  };
  TranslationOptions options;
  REQUIRE(contains(problem(options, {{"a", {}}, {"b", {}}}), "1 lines and 2 guides"));
  REQUIRE(contains(problem(options, {{"☃", {}}}), "prefix '☃' has characters"));
  REQUIRE(contains(problem(options, {{"", {"☃"}}}), "constraint '☃' has characters"));
  std::string endless;
  for (int i = 0; i < 3000; ++i) endless += "I ";
  REQUIRE(
      contains(problem(options, {{endless, {}}}), "a prefix with its constraints: 3000 tokens"));
  REQUIRE(contains(error_of([&] {
                     translator.translate({endless}, {}, {{"I", {}}});
                   }),
                   "at most 2000 are taken"));
  options.diverse_groups = 2;
  REQUIRE(contains(problem(options, {}), "multiple of the number of diverse groups"));
  options.beam_size = 4;
  REQUIRE(contains(problem(options, {{"", {"a"}}}), "do not go together"));
  options = {};
  options.sample = true;
  REQUIRE(contains(problem(options, {{"a", {}}}), "sampling takes no prefixes"));
  options.coverage_penalty = 1.0;
  REQUIRE(contains(problem(options, {}), "sampling takes no no-repeat-ngram"));
}

}  // namespace nmt
