#include "translate/unknown_words.h"

#include "support/catch.h"
#include "support/sample.h"
#include "text/sentence_splitter.h"
#include "translate/trained_tokenizer.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

const Tokenizer& korean() {
  static const auto tokenizer = sample_tokenizers().source;
  return tokenizer;
}

std::vector<UnknownName> names_in(const std::string& text) {
  const auto tokens = korean().encode(text);
  const auto english = sample_tokenizers().target;
  return find_unknown_names(tokens, words_of_text(text, tokens, korean()), korean(),
                            {KnownScripts(korean()), KnownScripts(english)});
}

SourceMeasures measures_of(const std::string& text) {
  const auto tokens = korean().encode(text);
  return measure_source(tokens, words_of_text(text, tokens, korean()), korean(),
                        KnownScripts(korean()));
}

/// Words that attend to one source word each, of `num_sources`; the model was sure of none.
TargetWords translation_of(const Texts& words, const std::vector<size_t>& sources,
                           size_t num_sources) {
  TargetWords target;
  target.texts = words;
  for (const size_t source : sources) {
    target.log_probabilities.push_back(-2.0);
    target.attention.emplace_back(num_sources, 0.0F);
    target.attention.back()[source] = 1.0F;
  }
  return target;
}

}  // namespace

TEST_CASE("Symbols that a vocabulary has do not separate sentences", "[translate]") {
  const auto unknown = unknown_joining_symbols(bpe_tokenizer("Tom & Anna + Ben", 60));
  CHECK(unknown.find_first_of(U"&+") == std::u32string::npos);
  CHECK(unknown.find_first_of(U"/") != std::u32string::npos);
  CHECK(unknown.size() == kJoiningSymbols.size() - 2);
}

TEST_CASE("A name in unknown letters is found without what is written to it", "[translate]") {
  const auto names = names_in("저는 Łukasz를, (東京)에서 ☃ 만났어요.");
  REQUIRE(names.size() == 2);
  CHECK(names[0].word == 1);
  CHECK(names[0].text == "Łukasz");
  CHECK(names[1].word == 2);
  CHECK(names[1].text == "東京");
  CHECK(names_in("저는 책을 읽어요. 봤").empty());  // a rare syllable
  CHECK(names_in("").empty());
}

TEST_CASE("A name includes the whole number that is written to it", "[translate]") {
  const auto name_in = [](const std::string& word) {
    const auto names = names_in("저는 " + word + " 샀어요.");
    return names.size() == 1 ? names[0].text : "";
  };
  CHECK(name_in("3.5kg를") == "3.5kg");
  CHECK(name_in("1,500km") == "1,500km");
  CHECK(name_in("2024-05-06T") == "2024-05-06T");
  CHECK(name_in("A4.5를") == "A4.5");
  CHECK(name_in("3.kg") == "kg");
  CHECK(name_in("kg,") == "kg");
  std::string version;
  while (version.size() < 10'000) version += "1.";
  const auto name = name_in(version + "5kg");  // may be written once per part of the line
  CHECK(name.size() > 60);
  CHECK(name.size() < 70);
}

TEST_CASE("A name includes the single marks within it", "[translate]") {
  const auto name_in = [](const std::string& word) {
    const auto names = names_in("저는 " + word + " 봤어요.");
    return names.size() == 1 ? names[0].text : "";
  };
  for (const std::string name :
       {"Jean-Luc", "O'Brien", "O’Brien", "COVID-19", "F-16", "Node.js", "README.md", "TCP/IP",
        "AT&T", "minsu_kim", "C++", "C#", "#BTS", "@minsu_kim", "Łukasz·Müller", "東京タワー"}) {
    CHECK(name_in(name) == name);
    CHECK(name_in(name + "를") == name);
    CHECK(name_in("(" + name + ")는,") == name);
  }
  CHECK(name_in("Łukasz--Anna") == "Łukasz");
  CHECK(name_in("N\u0303an") == name_in("\u00D1an"));  // decomposed
  CHECK(name_in("\u00D1an") == "\u00D1an");
  CHECK(name_in("(፳፫)") == "፳፫");  // a numeral
  CHECK(name_in("፳፫를").empty());
  CHECK(name_in("①東京에서") == "①東京");
  CHECK(name_in("Łukasz-봤") == "Łukasz");
  CHECK(name_in("Łukasz...") == "Łukasz");
}

TEST_CASE("In the model's own script, only capitals continue a name after a mark", "[translate]") {
  const auto english = sample_tokenizers().target;
  const auto name_in = [&](const std::string& text) {
    const auto tokens = english.encode(text);
    const auto names = find_unknown_names(tokens, words_of_text(text, tokens, english), english,
                                          {KnownScripts(english), KnownScripts(english)});
    return names.size() == 1 ? names[0].text : "";
  };
  CHECK(name_in("Łukasz-Minsu.") == "Łukasz-Minsu");
  CHECK(name_in("Minsu-Łukasz") == "Minsu-Łukasz");
  CHECK(name_in("Łukasz's") == "Łukasz");
  CHECK(name_in("l'Łukasz") == "Łukasz");
}

TEST_CASE("A name within a sentence without spaces is left to the model", "[translate]") {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "他叫我。\n";
  TokenizerTraining training;
  training.vocabulary_size = 30;
  const auto chinese = trained_tokenizer(lines, training);
  const auto names_of = [&](const std::string& text) {
    const auto tokens = chinese.encode(text);
    return find_unknown_names(tokens, words_of_text(text, tokens, chinese), chinese,
                              {KnownScripts(chinese), KnownScripts(chinese)});
  };
  CHECK(names_of("他叫Иван。").empty());
  CHECK(names_of("他 叫 Иван。").size() == 1);
}

TEST_CASE("A long word is examined once, however many unknown pieces it has", "[translate]") {
  std::string word;
  for (int i = 0; i < 40000; ++i) word += "책☃";
  CHECK(names_in(word).empty());
  CHECK(names_in(word + " Łukasz").size() == 1);
}

TEST_CASE("A name replaces the words that attend to it, and keeps their punctuation",
          "[translate]") {
  auto target = translation_of({"I", "met", "a", "teacher."}, {0, 2, 1, 1}, 3);
  REQUIRE(copy_names({{1, "Łukasz"}}, target));
  CHECK(target.texts == Texts{"I", "met", "Łukasz."});
  CHECK(target.attention.size() == 3);
  CHECK(target.log_probabilities == std::vector<double>{-2.0, -2.0, -4.0});  // of "a teacher."
  CHECK_FALSE(copy_names({{1, "Łukasz"}}, target));                          // it is there

  auto sure = translation_of({"talk", "to", "\"others\"."}, {0, 1, 1}, 2);
  sure.log_probabilities[1] = -0.1;
  sure.attention[1][1] = 0.9F;
  REQUIRE(copy_names({{1, "Łukasz"}}, sure));
  CHECK(sure.texts == Texts{"talk", "to", "\"Łukasz\"."});

  auto guessed = translation_of({"at", "Christmas"}, {0, 1}, 2);
  guessed.log_probabilities[1] = -0.1;
  CHECK_FALSE(copy_names({{1, "Noël", false}}, guessed));
  CHECK(copy_names({{1, "Noël", true}}, guessed));
}

TEST_CASE(
    "A name that the source has twice is written twice only where the model has a word for it",
    "[translate]") {
  const std::vector<UnknownName> names = {{0, "Łukasz"}, {2, "Łukasz"}};
  auto twice = translation_of({"He", "met", "him."}, {0, 1, 2}, 3);
  REQUIRE(copy_names(names, twice));
  CHECK(twice.texts == Texts{"Łukasz", "met", "Łukasz."});
  CHECK_FALSE(copy_names(names, twice));
  auto once = translation_of({"He", "sleeps."}, {0, 1}, 3);
  REQUIRE(copy_names(names, once));
  CHECK(once.texts == Texts{"Łukasz", "sleeps."});
}

TEST_CASE("A mark that begins or ends a name is not doubled", "[translate]") {
  auto target = translation_of({"I", "like", "#", "C+."}, {0, 0, 1, 2}, 3);
  REQUIRE(copy_names({{1, "#BTS"}, {2, "C++"}}, target));
  CHECK(target.texts == Texts{"I", "like", "#BTS", "C++."});
}

TEST_CASE("A name that no word attends to follows what precedes it", "[translate]") {
  auto target = translation_of({"A", "man", "sleeps."}, {0, 1, 3}, 4);
  REQUIRE(copy_names({{2, "Łukasz"}}, target));
  CHECK(target.texts == Texts{"A", "man", "Łukasz", "sleeps."});
  auto last = translation_of({"A", "man."}, {0, 0}, 2);
  REQUIRE(copy_names({{1, "Łukasz"}}, last));
  CHECK(last.texts == Texts{"A", "man", "Łukasz."});
  auto first = translation_of({"sleeps."}, {1}, 2);
  REQUIRE(copy_names({{0, "Łukasz"}}, first));
  CHECK(first.texts == Texts{"Łukasz", "sleeps."});
}

TEST_CASE("A name after a URL, address or emoji leaves that whole", "[translate]") {
  const auto copied_after = [](const std::string& word) {
    auto target = translation_of({"I", word, "read."}, {0, 1, 3}, 4);
    REQUIRE(copy_names({{2, "Łukasz"}}, target));
    return target.texts[1] + " " + target.texts[2];
  };
  CHECK(copied_after("https://a.org/b/") == "https://a.org/b/ Łukasz");
  CHECK(copied_after("https://a.org/B_(c)") == "https://a.org/B_(c) Łukasz");
  CHECK(copied_after("(a@b.org)") == "(a@b.org) Łukasz");
  CHECK(copied_after("👨‍👩‍👧") == "👨‍👩‍👧 Łukasz");
  CHECK(copied_after("https://a.org/b/.") == "https://a.org/b/ Łukasz.");
}

TEST_CASE("A name that begins with a number replaces it", "[translate]") {
  auto target = translation_of({"I", "walked", "1,500", "or", "5,", "now."}, {0, 2, 2, 2, 1, 1}, 3);
  REQUIRE(copy_names({{1, "1,500km"}}, target));
  CHECK(target.texts == Texts{"I", "walked", "1,500km", "or", "5,", "now."});
  auto twice = translation_of({"5", "or", "−5."}, {0, 1, 2}, 3);
  REQUIRE(copy_names({{2, "5kg"}}, twice));
  CHECK(twice.texts == Texts{"5", "or", "−5kg."});
  auto other = translation_of({"at", "50."}, {1, 0}, 2);
  REQUIRE(copy_names({{0, "5kg"}}, other));
  CHECK(other.texts == Texts{"at", "5kg."});
}

TEST_CASE("Of words that attend equally to a name, it replaces the first", "[translate]") {
  auto target = translation_of({"go", "to", "it."}, {0, 0, 0}, 1);
  for (auto& log_probability : target.log_probabilities) log_probability = -0.1;
  target.attention[0][0] = 0.9999999F;
  REQUIRE(copy_names({{0, "www"}}, target));
  CHECK(target.texts == Texts{"www", "to", "it."});
}

TEST_CASE("Only the names of the part are copied; none without attention", "[translate]") {
  auto target = translation_of({"x"}, {0}, 2);
  target.first_source = 5;
  CHECK_FALSE(copy_names({{4, "A"}, {7, "B"}}, target));
  REQUIRE(copy_names({{6, "C"}}, target));
  CHECK(target.texts == Texts{"x", "C"});
  TargetWords blind{{"x"}, {-1.0}, {}, 0};
  CHECK_FALSE(copy_names({{0, "A"}}, blind));
}

TEST_CASE("Unknown pieces and foreign scripts are measured", "[translate]") {
  const auto known = measures_of("저는 책을 읽어요.");
  CHECK(known.unknown_words.empty());
  CHECK(known.unknown_share == 0.0);
  CHECK(known.foreign.share == 0.0);
  const auto mixed = measures_of("저는 東京 책을 읽어요.");
  CHECK(mixed.unknown_words == Texts{"東京"});
  CHECK(mixed.unknown_share > 0.0);
  CHECK(mixed.foreign.share == 2.0 / 9);
  CHECK(mixed.foreign.script == Script::kHan);
  CHECK(measures_of("Привет мир").foreign.share == 1.0);
  CHECK(measures_of("123 !").foreign.share == 0.0);
  CHECK(measures_of("").unknown_share == 0.0);
}

TEST_CASE("Words that the model does not read are not foreign", "[translate]") {
  const std::string text = "저는 책을 읽어요.";
  const auto tokens = korean().encode(text);
  auto words = words_of_text(text, tokens, korean());
  words.texts.emplace_back("https://example.org");
  CHECK(measure_source(tokens, words, korean(), KnownScripts(korean())).foreign.share == 0.0);
  CHECK(measures_of("https://example.org").foreign.share == 1.0);
}

}  // namespace nmt
