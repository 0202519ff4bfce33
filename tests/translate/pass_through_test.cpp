#include <string>
#include <vector>

#include "support/catch.h"
#include "translate/translator.h"

namespace nmt {
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

}  // namespace nmt
