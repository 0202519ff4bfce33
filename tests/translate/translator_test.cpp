#include "translate/translator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "checkpoint/calibration.h"
#include "checkpoint/model_parts.h"
#include "support/catch.h"
#include "support/comma_locale.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "translate/engine_device.h"

namespace nmt {
namespace {

const std::string kModel = std::string(NMT_SOURCE_DIR) + "/models/sample";

Translator sample_translator() { return Translator({{kModel}, test_device_name(), 1}); }

void require_identical(const Translation& a, const Translation& b) {
  REQUIRE(a.text == b.text);
  const auto& first = a.candidates.front();
  const auto& second = b.candidates.front();
  REQUIRE(first.score == second.score);
  REQUIRE(first.token_log_probabilities == second.token_log_probabilities);
}

}  // namespace

TEST_CASE("The sample model translates sentences it never saw", "[translate]") {
  const auto translations =
      sample_translator().translate({"저는 책을 읽어요.", "민수는 커피를 마셨어요?"});
  REQUIRE(translations[0].text == "I read a book.");
  REQUIRE(translations[1].text == "Did Minsu drink coffee?");
}

TEST_CASE("A calibrated model reports its confidence, of a line the mean over its parts",
          "[translate]") {
  const TemporaryFolder folder;
  std::filesystem::copy(kModel, folder.path(), std::filesystem::copy_options::recursive);
  Calibration calibration;
  calibration.sentences = 100;
  calibration.intercept = 2.0;
  calibration.features[0] = {-0.1, 0.5, 1.5};
  auto parts = read_parts({folder.path()}, 2);
  parts.calibration = calibration_json(calibration);
  write_parts({folder.path()}, parts);
  const auto expected = [](const TranslationCandidate& candidate) {
    double sum = 0.0;
    for (const double value : candidate.token_log_probabilities) sum += value;
    const double mean = sum / static_cast<double>(candidate.token_log_probabilities.size());
    return 1 / (1 + std::exp(-(2.0 + 1.5 * (mean + 0.1) / 0.5)));
  };
  const Translator translator({{folder.path()}, "cpu", 1});
  const std::string first = "저는 책을 읽어요.";
  const std::string second = "민수는 매일 커피를 마시고 물도 마셔요.";
  const auto single = translator.translate({first, second, ""});
  for (size_t i = 0; i < 2; ++i) {
    const auto& best = single[i].candidates.front();
    REQUIRE(best.confidence.has_value());
    CHECK(std::abs(*best.confidence - expected(best)) < 1e-6);
  }
  CHECK_FALSE(single[2].candidates.front().confidence.has_value());
  TranslationOptions options;
  options.max_source_length =
      1 + std::max(single[0].source_tokens.size(), single[1].source_tokens.size());
  const auto joined = translator.translate({first + " " + second}, options)[0];
  const auto weight = [&](size_t i) { return static_cast<double>(single[i].source_tokens.size()); };
  const double mean = (weight(0) * *single[0].candidates.front().confidence +
                       weight(1) * *single[1].candidates.front().confidence) /
                      (weight(0) + weight(1));
  CHECK(std::abs(*joined.candidates.front().confidence - mean) < 1e-6);

  std::filesystem::remove(folder / "confidence.json");
  CHECK_FALSE(
      Translator({{folder.path()}, "cpu", 1}).translate({first})[0].candidates[0].confidence);
  CHECK_FALSE(Translator({{folder.path(), kModel}, "cpu", 1})
                  .translate({first})[0]
                  .candidates[0]
                  .confidence.has_value());
}

TEST_CASE("A symbol that the model has never seen takes no words with it", "[translate]") {
  const auto translator = sample_translator();
  const auto translated = [&](const TranslationConstraints& constraints) {
    return translator.translate({"민수는 책을 읽어요 & 민수는 커피를 마셔요."}, {}, {constraints})
        .front()
        .text;
  };
  const std::string expected = "Minsu reads a book. & Minsu drinks coffee.";
  CHECK(translated({}) == expected);
  // The beginning of a translation is divided alike; a word of it may be anywhere in the line.
  CHECK(translated({"Minsu reads a book. & Minsu", {}}) == expected);
  CHECK(translated({"Minsu reads & Minsu", {}}) == "Minsu reads & Minsu drinks coffee.");
  CHECK(translated({"", {"coffee"}}).find('&') == std::string::npos);
  CHECK(translated({"", {"coffee"}}).find("coffee") != std::string::npos);
}

TEST_CASE("Callers share the threads, and wait where there are more of them", "[translate]") {
  const auto callers = [](int threads, int wanted,
                          TranslationEngine engine = TranslationEngine::kAuto) {
    TranslatorOptions options{{kModel}, "cpu", threads, engine};
    options.callers = wanted;
    return Translator(options).callers();
  };
  REQUIRE(callers(2, 1) == 1);
  REQUIRE(callers(3, 2) == 2);
  REQUIRE(callers(3, 0) == 3);
  REQUIRE(callers(2, 5) == 2);
  REQUIRE(callers(2, 2, TranslationEngine::kPlain) == 1);

  TranslatorOptions shared{{kModel}, "cpu", 3};
  shared.callers = 2;
  const Translator translator(shared);
  const auto sources = sample_lines("test.ko", 20);
  const auto expected = sample_translator().translate(sources);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto found = translator.translate(sources);
      for (size_t k = 0; k < sources.size(); ++k) {
        if (found[k].text != expected[k].text) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  REQUIRE(wrong == 0);
}

TEST_CASE("No bit of a translation depends on the batch, the order or earlier lines",
          "[translate]") {
  const auto sources = sample_lines("test.ko", 150);
  const std::vector<std::string> reversed(sources.rbegin(), sources.rend());
  for (const auto precision : {TranslationPrecision::kFloat32, TranslationPrecision::kInt8}) {
    for (const int64_t beam_size : {1, 5}) {
      INFO("int8 " << (precision == TranslationPrecision::kInt8) << ", beam " << beam_size);
      const Translator translator({{kModel}, "cpu", 1, TranslationEngine::kFused, precision});
      TranslationOptions options;
      options.beam_size = beam_size;
      options.batch_size = 7;
      const auto together = translator.translate(sources, options);
      options.batch_size = 64;
      const auto backwards = Translator({{kModel}, "cpu", 2, TranslationEngine::kFused, precision})
                                 .translate(reversed, options);
      for (size_t i = 0; i < sources.size(); ++i) {
        require_identical(together[i], backwards[sources.size() - 1 - i]);
        if (i % 10 == 0)
          require_identical(together[i], translator.translate({sources[i]}, options)[0]);
      }
    }
  }
}

TEST_CASE("No bit of a score depends on the batch, the threads or earlier work", "[translate]") {
  const auto sources = sample_lines("test.ko", 60);
  const auto targets = sample_lines("test.en", 60);
  const auto expected = Translator({{kModel}, "cpu", 1}).score(sources, targets);
  for (const int threads : {1, 2, 3}) {
    INFO(threads);
    const Translator translator({{kModel}, "cpu", threads});
    translator.translate(sample_lines("test.ko", 20));
    const auto again = translator.score(sources, targets, 7);
    for (size_t i = 0; i < sources.size(); ++i) {
      REQUIRE(again[i].log_probability == expected[i].log_probability);
      if (i % 10 == 0) {
        REQUIRE(translator.score({sources[i]}, {targets[i]})[0].log_probability ==
                expected[i].log_probability);
      }
    }
  }
}

TEST_CASE("Each engine and precision scores by itself", "[translate]") {
  const auto sources = sample_lines("test.ko", 30);
  const auto targets = sample_lines("test.en", 30);
  const auto scores = [&](TranslationEngine engine, TranslationPrecision precision) {
    return Translator({{kModel}, device_of(engine), 2, engine, precision}).score(sources, targets);
  };
  const auto plain = scores(TranslationEngine::kPlain, TranslationPrecision::kFloat32);
  const auto fused = scores(TranslationEngine::kFused, TranslationPrecision::kFloat32);
  const auto int8 = scores(TranslationEngine::kFused, TranslationPrecision::kInt8);
  bool differ = false;
  for (size_t i = 0; i < plain.size(); ++i) {
    REQUIRE(fused[i].log_probability ==
            Approx(plain[i].log_probability).epsilon(1e-4).margin(1e-4));
    REQUIRE(int8[i].log_probability == Approx(fused[i].log_probability).epsilon(0.1).margin(1));
    REQUIRE(int8[i].num_tokens == fused[i].num_tokens);
    differ = differ || int8[i].log_probability != fused[i].log_probability;
  }
  REQUIRE(differ);
}

TEST_CASE("A candidate's log-probability is its score as a given pair", "[translate]") {
  const auto translator = sample_translator();
  const auto sources = sample_lines("test.ko", 20);
  TranslationOptions options;
  options.n_best = 1;
  std::vector<std::string> texts;
  const auto translations = translator.translate(sources, options);
  for (const auto& translation : translations) texts.push_back(translation.text);
  const auto scores = translator.score(sources, texts);
  int64_t same_pieces = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto& best = translations[i].candidates[0];
    if (scores[i].num_tokens != static_cast<int64_t>(best.tokens.size()) + 1) continue;
    ++same_pieces;
    REQUIRE(scores[i].log_probability == Approx(best.log_probability).margin(1e-3));
  }
  REQUIRE(same_pieces > 15);
}

TEST_CASE("Odd lines get one translation each", "[translate]") {
  const auto translator = sample_translator();
  const std::string long_line = [] {
    std::string line;
    for (int i = 0; i < 300; ++i) line += "저는 책을 읽어요. ";
    return line;
  }();
  const auto translations =
      translator.translate({"", "   ", "\xFF\xFE", "🙂🙂", long_line, std::string(1, '\0')});
  REQUIRE(translations.size() == 6);
  REQUIRE(translations[0].text.empty());
  REQUIRE(translations[1].text.empty());
  REQUIRE(translations[1].candidates.size() == 1);
  // 300 sentences in, about 300 out: nothing was cut off.
  const auto& text = translations[4].text;
  REQUIRE(std::count(text.begin(), text.end(), '.') > 290);
  REQUIRE(translator.translate({}).empty());
}

TEST_CASE("n-best candidates differ and are ranked", "[translate]") {
  TranslationOptions options;
  options.beam_size = 6;
  options.n_best = 6;
  for (const auto& translation :
       sample_translator().translate(sample_lines("test.ko", 10), options)) {
    REQUIRE(translation.candidates.size() == 6);
    for (size_t i = 1; i < 6; ++i) {
      REQUIRE(translation.candidates[i - 1].score >= translation.candidates[i].score);
      REQUIRE(translation.candidates[i - 1].tokens != translation.candidates[i].tokens);
    }
  }
}

TEST_CASE("A line has all its samples, also where the model reads no token of a part",
          "[translate]") {
  const std::string zero_width_space = "\u200b";  // which normalization removes
  TranslationOptions options;
  options.sample = true;
  options.n_best = 5;
  for (const auto engine : {TranslationEngine::kFused, TranslationEngine::kPlain}) {
    const Translator translator({{kModel}, device_of(engine), 1, engine});
    const auto found =
        translator.translate({"저는 책을 읽어요! " + zero_width_space,
                              zero_width_space + "! 저는 책을 읽어요.", "😀 저는 책을 읽어요."},
                             options);
    for (const auto& translation : found) REQUIRE(translation.candidates.size() == 5);
    for (const auto& sample : found[2].candidates) REQUIRE(sample.text.rfind("😀", 0) == 0);
  }
}

TEST_CASE("Attention of unequal lines in a batch is as wide as each source", "[translate]") {
  const auto sources = sample_lines("test.ko", 8);
  TranslationOptions options;
  options.attention = options.words = true;
  for (const auto engine : {TranslationEngine::kFused, TranslationEngine::kPlain}) {
    const Translator translator({{kModel}, device_of(engine), 1, engine});
    for (const auto& translation : translator.translate(sources, options)) {
      for (const auto& row : translation.candidates[0].attention) {
        REQUIRE(row.size() == translation.source_tokens.size());
      }
    }
    for (const auto& translation : translator.force_decode(sources, sources, options)) {
      for (const auto& row : translation.candidates[0].attention) {
        REQUIRE(row.size() == translation.source_tokens.size());
      }
    }
  }
}

TEST_CASE("Attention has a row for each token and the end, and sums to one", "[translate]") {
  TranslationOptions options;
  options.attention = true;
  auto sources = sample_lines("test.ko", 8);
  sources.emplace_back("저는 책을 읽어요. 😀");  // which the model does not read
  for (const auto& translation : sample_translator().translate(sources, options)) {
    const auto& best = translation.candidates[0];
    REQUIRE(best.attention.size() == best.tokens.size() + 1);
    for (const auto& row : best.attention) {
      REQUIRE(row.size() >= translation.source_tokens.size());
      double sum = 0.0;
      for (size_t i = 0; i < translation.source_tokens.size(); ++i)
        sum += static_cast<double>(row[i]);
      REQUIRE(sum == Approx(1.0).epsilon(1e-4));
    }
  }
}

TEST_CASE("An ensemble of a model with itself is that model", "[translate]") {
  const Translator twice({{kModel, kModel}, test_device_name(), 1});
  const auto sources = sample_lines("test.ko", 10);
  const auto expected = sample_translator().translate(sources);
  const auto found = twice.translate(sources);
  for (size_t i = 0; i < sources.size(); ++i) {
    REQUIRE(found[i].text == expected[i].text);
    REQUIRE(found[i].candidates[0].score == Approx(expected[i].candidates[0].score).epsilon(1e-3));
  }
}

TEST_CASE("Greedy search copies the same names with and without scores", "[translate]") {
  std::vector<std::string> lines;
  for (const auto& source : sample_lines("test.ko", 20)) {
    lines.push_back("Łukasz는 東京" + source.substr(std::min(source.find(' '), source.size())));
  }
  TranslationOptions options;
  options.beam_size = 1;
  const auto expected = sample_translator().translate(lines, options);
  options.scores = false;
  for (const auto engine : {TranslationEngine::kFused, TranslationEngine::kPlain}) {
    const auto found =
        Translator({{kModel}, device_of(engine), 1, engine}).translate(lines, options);
    for (size_t i = 0; i < lines.size(); ++i) {
      REQUIRE(found[i].text == expected[i].text);
      // Words that the model is unsure of give way to a name.
      REQUIRE(found[i].candidates[0].log_probability ==
              Approx(expected[i].candidates[0].log_probability).margin(1e-3));
    }
  }
}

TEST_CASE("A name changes no other sentence of its line", "[translate]") {
  const auto translator = sample_translator();
  TranslationOptions greedy;
  greedy.beam_size = 1;
  const std::string name = "저는 Łukasz를 만났어요.";
  for (const std::string odd :
       {"걅의 생일은 십일월 육일이에요.", "튋나는 겨떕에 솽리 냉장콮를 닫썱니다."}) {
    for (const auto& line : {odd + " " + name, name + " " + odd}) {
      const auto alone = translator.translate(
          {line.substr(0, line.find(". ") + 1), line.substr(line.find(". ") + 2)}, greedy);
      const auto both = alone[0].text + " " + alone[1].text;
      CHECK(translator.translate({line}, greedy).front().text == both);
      CHECK(translator.translate(line, greedy, {}, {}).text == both);
    }
  }
}

TEST_CASE("Scores of empty lines make sense", "[translate]") {
  const auto scores = sample_translator().score({"", "", "저는 책을 읽어요."}, {"", "a", ""});
  REQUIRE(scores[0].log_probability == 0.0);
  REQUIRE(std::isinf(scores[1].log_probability));
  REQUIRE(scores[2].log_probability < -1.0);
  REQUIRE(scores[2].num_tokens == 1);
}

TEST_CASE("A host program's locale changes nothing", "[translate]") {
  const auto sources = sample_lines("test.ko", 4);
  TranslationOptions options;
  options.words = true;
  const auto expected = sample_translator().translate(sources, options);
  const CommaLocale german;
  if (!german.works()) SKIP("localedef cannot make de_DE.UTF-8 here");
  const auto found = sample_translator().translate(sources, options);
  for (size_t i = 0; i < sources.size(); ++i) require_identical(found[i], expected[i]);
}

TEST_CASE("Options out of range and missing models are clear errors", "[translate]") {
  REQUIRE(
      contains(error_of([] { Translator({{"nowhere"}}); }), "nowhere: no such model directory"));
  REQUIRE(contains(error_of([] { Translator({{kModel}, "gpu"}); }), "cpu, cuda or cuda:N"));
  const auto translator = sample_translator();
  const auto problem = [&](auto&& change) {
    TranslationOptions options;
    change(options);
    return error_of([&] { translator.translate({"가"}, options); });
  };
  REQUIRE(contains(problem([](auto& o) { o.beam_size = 0; }),
                   "beam_size: 0 is out of range; use 1 to 1000"));
  REQUIRE(contains(problem([](auto& o) { o.min_length = o.max_length + 1; }),
                   "min_length: 513 is above max_length 512; lower it"));
  REQUIRE(contains(problem([](auto& o) { o.n_best = 9; }), "n_best"));
  REQUIRE(contains(problem([](auto& o) { o.temperature = 0.5; }),
                   "temperature: 0.5 has no effect without sample; set sample, or leave it at 1"));
  REQUIRE(contains(problem([](auto& o) { o.top_k = 3; }), "top_k: 3 has no effect without sample"));
  REQUIRE(contains(problem([](auto& o) { o.top_p = 0.9; }), "top_p: 0.9 has no effect without"));
  TranslatorOptions weighted{{kModel}};
  weighted.language_model_weight = 0.5;
  REQUIRE(contains(error_of([&] { Translator{weighted}; }),
                   "language_model_weight: has no effect without language_model"));
  weighted.language_model_weight = 200.0;
  REQUIRE(contains(error_of([&] { Translator{weighted}; }),
                   "language_model_weight: 200.000000 is out of range"));
  REQUIRE(contains(error_of([&] { translator.score({"a"}, {}); }),
                   "sources: 1 line, but 0 in targets"));
  for (const int64_t size : {int64_t{-1}, int64_t{0}, int64_t{100001}}) {
    REQUIRE(contains(error_of([&] { translator.score({"가"}, {"a"}, size); }),
                     "is out of range; use 1 to 100000"));
  }
}

}  // namespace nmt
