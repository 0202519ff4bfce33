#include <string>
#include <vector>

#include "serve/labelled_model.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "translate/engine_device.h"
#include "translate/translator.h"

namespace nmt {
TEST_CASE("Sentences without letters come back unchanged, whatever the options", "[translate]") {
  for (const auto engine : {TranslationEngine::kFused, TranslationEngine::kPlain}) {
    const Translator translator({{NMT_SOURCE_DIR "/models/sample"}, device_of(engine), 1, engine});
    const std::vector<std::string> lines = {"1",     "---",        "***", "3.14 %", "(3)  – 12:30!",
                                            "a) 42", "\t5\tB) 7\t"};
    for (const bool words : {false, true}) {
      TranslationOptions options;
      options.words = words;
      options.n_best = 3;
      const auto translations = translator.translate(lines, options);
      for (size_t i = 0; i < lines.size(); ++i) {
        CHECK(translations[i].text == lines[i]);
        CHECK(translations[i].passed_through);
        CHECK(translations[i].source_tokens.empty());
        REQUIRE(translations[i].candidates.size() == 1);
        CHECK_FALSE(translations[i].candidates.front().confidence.has_value());
        CHECK(translations[i].candidates.front().warnings.empty());
      }
      const auto mixed =
          translator.translate({"저는 책을 읽어요. 12:30! 저는 책을 읽어요."}, options);
      CHECK(mixed[0].text == "I read a book. 12:30! I read a book.");
      CHECK_FALSE(mixed[0].passed_through);
    }
    // As for a line that the model does not read.
    CHECK(translator.translate({lines[3]}, {}, {{"We ", {"book"}}})[0].text == lines[3]);
    CHECK(translator.alternatives(lines[3], "", 3).empty());
    std::string last;
    translator.translate(lines[4], {}, {}, [&](const std::string& text) { last = text; });
    CHECK(last == lines[4]);
    const std::string line = "저는 책을 읽어요. 12:30! 저는 책을 읽어요.";
    CHECK(translator.translate({line}, {}, {{"We read. 12:30! You", {}}})[0].text.rfind(
              "We read. 12:30! You", 0) == 0);
  }
}

TEST_CASE("A term without letters is translated", "[translate]") {
  const TemporaryFolder folder;
  TranslatorOptions options{{NMT_SOURCE_DIR "/models/sample"}, "cpu", 1};
  options.terms = folder.write("terms", "24/7\taround the clock\n");
  const Translator translator(options);
  const auto translations = translator.translate({"24/7", "24/6"});
  CHECK(translations[0].text.find("around the clock") != std::string::npos);
  CHECK(translations[0].text.find("24/7") == std::string::npos);
  CHECK(translations[1].text == "24/6");
}

TEST_CASE("A model whose source has no letters translates numbers", "[translate]") {
  const Translator translator({{NMT_SOURCE_DIR "/tests/models/version-2"}, "cpu", 1});
  const auto translation = translator.translate({"1 2 3"}).front();
  CHECK(translation.text == "3 2 1");
  CHECK_FALSE(translation.passed_through);
}

TEST_CASE("Sentences in the target language or without letters pass through", "[translate]") {
  const Translator translator({{NMT_SOURCE_DIR "/models/sample"}, "cpu", 1});
  TranslationOptions options;
  options.pass_through = true;
  options.words = true;
  const std::vector<std::string> lines = {"저는 책을 읽어요.",
                                          "Is this  already “English”?",
                                          "저는 책을 읽어요. THAT IS FINE.  저는 책을 읽어요.",
                                          "12:30 – 4!",
                                          "",
                                          "harry@example.org ☃"};
  const auto translations = translator.translate(lines, options);
  REQUIRE(translations[0].text == "I read a book.");
  REQUIRE_FALSE(translations[0].passed_through);
  for (const size_t unchanged : {1, 3, 4, 5}) {
    REQUIRE(translations[unchanged].text == lines[unchanged]);
    REQUIRE(translations[unchanged].passed_through == !lines[unchanged].empty());
  }
  REQUIRE(translations[2].text == "I read a book. THAT IS FINE.  I read a book.");
  REQUIRE_FALSE(translations[2].passed_through);
  const auto& whole = translations[1].candidates.front();
  REQUIRE(whole.words == translations[1].source_words);
  REQUIRE(whole.word_log_probabilities.size() == whole.words.size() + 1);
  for (size_t word = 0; word < whole.words.size(); ++word) {
    REQUIRE(whole.alignment[word].source == whole.alignment[word].target);
    REQUIRE(whole.word_attention[word][word] == 1.0F);
  }
  const auto& mixed = translations[2].candidates.front();
  REQUIRE(mixed.words.size() == 4 + 3 + 4);
  REQUIRE(translations[2].source_words.size() == 3 + 3 + 3);
  const auto is_link = [&](int64_t source, int64_t target) {
    for (const auto& link : mixed.alignment) {
      if (link.target == target) return link.source == source;
    }
    return false;
  };
  for (const int64_t word : {0, 1, 2}) REQUIRE(is_link(3 + word, 4 + word));
  for (const auto& link : mixed.alignment) REQUIRE((link.target >= 7) == (link.source >= 6));

  std::string last;
  const auto watched =
      translator.translate(lines[2], options, {}, [&](const std::string& text) { last = text; });
  REQUIRE(watched.text == translations[2].text);
  REQUIRE(last == watched.text);
  // A constraint is a request to translate.
  REQUIRE(translator.translate({lines[1]}, options, {{"We ", {}}})[0].text.rfind("We ", 0) == 0);
  options.pass_through = false;
  REQUIRE(translator.translate({lines[1]}, options)[0].text != lines[1]);
}

TEST_CASE("Sentences in the target language pass through a model with one vocabulary",
          "[translate]") {
  const std::string joint = NMT_SOURCE_DIR "/tests/models/version-2";
  const std::string english = "This is English already, isn't it?";
  const std::string german = "Das ist noch kein Englisch.";
  TranslationOptions options;
  options.pass_through = true;
  const TemporaryFolder folder;
  const Translator translator({{label_model(folder.path(), "joint", "de", "en", joint)}, "cpu", 1});
  const auto translations =
      translator.translate({english, german, english + " " + german, "1 2 3", ""}, options);
  CHECK(translations[0].text == english);
  CHECK(translations[0].passed_through);
  CHECK(translations[1].text != german);
  CHECK_FALSE(translations[1].passed_through);
  CHECK(translations[2].text.rfind(english, 0) == 0);
  CHECK(translations[2].text.find(german) == std::string::npos);
  CHECK_FALSE(translations[2].passed_through);
  CHECK(translations[3].text == "3 2 1");
  CHECK(translations[4].text.empty());
  // A constraint is a request to translate.
  CHECK(translator.translate({english}, options, {{"2 1", {}}})[0].text.rfind("2 1", 0) == 0);
  options.pass_through = false;
  CHECK(translator.translate({english}, options)[0].text != english);
}

TEST_CASE("Nothing passes through a model whose languages cannot be distinguished", "[translate]") {
  const std::string joint = NMT_SOURCE_DIR "/tests/models/version-2";
  const TemporaryFolder folder;
  TranslationOptions options;
  options.pass_through = true;
  for (const std::filesystem::path& model :
       {std::filesystem::path(joint), label_model(folder.path(), "1", "de", "xx", joint),
        label_model(folder.path(), "2", "src", "de", joint),
        label_model(folder.path(), "3", "de", "de-AT", joint)}) {
    INFO(model.string());
    const Translator translator({{model}, "cpu", 1});
    CHECK(
        contains(error_of([&] { translator.translate({"1 2 3"}, options); }),
                 "pass_through: the model's languages cannot be distinguished; use a model of one "
                 "direction that has two vocabularies, or "));
    CHECK(translator.translate({"1 2 3"})[0].text == "3 2 1");
  }
}

}  // namespace nmt
