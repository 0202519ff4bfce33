// What a user asks of a translation beside the source, with the sample model.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include "support/catch.h"
#include "support/english_model.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "support/write_checksums.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"
#include "translate/alternatives.h"
#include "translate/constraint_encoder.h"
#include "translate/constraint_plan.h"
#include "translate/engine_device.h"
#include "translate/translator.h"
#include "translate/translator_choices.h"
#include "unicode/letter_case.h"

namespace nmt {
namespace {

Translator translator_of(const std::string& engine) {
  const auto kind = parse_choice<TranslationEngine>(engine).value();
  return Translator({{std::string(NMT_SOURCE_DIR) + "/models/sample"}, device_of(kind), 1, kind});
}

bool repeats(const std::vector<std::string>& tokens, size_t n) {
  std::set<std::vector<std::string>> seen;
  for (size_t i = 0; i + n <= tokens.size(); ++i) {
    const auto first = tokens.begin() + static_cast<int64_t>(i);
    if (!seen.insert({first, first + static_cast<int64_t>(n)}).second) return true;
  }
  return false;
}

/// Finds nothing and keeps the constraints.
struct AskedEngine : Engine {
  std::vector<std::vector<Hypothesis>> search(const TokenLists& /*sources*/, int64_t /*batch_size*/,
                                              const SearchOptions& /*options*/,
                                              const ConstraintList& constraint_list) override {
    constraints = constraint_list.front();
    return {{Hypothesis()}};
  }
  std::vector<double> score(const TokenLists& /*sources*/, const TokenLists& /*targets*/,
                            int64_t /*batch_size*/) override {
    return {};
  }
  DecodingConstraints constraints;
};

}  // namespace

TEST_CASE("A prefix is read in the form that its sentence is read in", "[translate]") {
  const auto target = sample_tokenizers().target;
  const ConstraintEncoder encoder(target);
  const auto planned = [&](const std::string& prefix, SourceLine& line) {
    line.parts = {{{5}}};
    line.parts[0].replacements = {{Replacement::Kind::kFirstMarks, 0, 0, "("},
                                  {Replacement::Kind::kLowerCase, 0, 0, ""}};
    return plan_constraints({prefix, {}}, line, encoder, {}, {}).front().prefix;
  };
  SourceLine line;
  CHECK(planned("(the book ", line) == target.encode("The book"));
  CHECK(line.parts[0].replacements.size() == 2);
  CHECK(planned(" ", line).empty());
  CHECK(line.parts[0].replacements.size() == 2);
  CHECK(planned("the ", line) == target.encode("The"));  // without the bracket
  CHECK(line.parts[0].replacements.front().kind == Replacement::Kind::kLowerCase);
  CHECK(planned("The ", line) == target.encode("The"));  // and with a capital
  CHECK(line.parts[0].replacements.empty());
}

TEST_CASE("Scores of words add up to the translation's, alignments cover it", "[translate]") {
  TranslationOptions options;
  options.words = true;
  options.n_best = 3;
  for (const auto& translation :
       translator_of("auto").translate(sample_lines("test.ko", 12), options)) {
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

TEST_CASE("What a user began is finished: by whole words, parts of words and Hangul",
          "[translate]") {
  const std::string source = "저는 책을 읽어요.";
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    for (const int64_t beam_size : {1, 5}) {
      TranslationOptions options;
      options.beam_size = beam_size;
      const auto finished = [&](const std::string& prefix) {
        return translator.translate({source}, options, {{prefix, {}}}).front().text;
      };
      REQUIRE(finished("I r") == "I read a book.");
      REQUIRE(finished("I re") == "I read a book.");
      REQUIRE(finished("I read a boo") == "I read a book.");
      REQUIRE(finished("I read a book.") == "I read a book.");
      REQUIRE(finished("  I   read ") == "I read a book.");
      REQUIRE(finished(" ") == "I read a book.");
      for (const char* odd : {"Th", "The ri", "xyzzy", "I read a bookish", "W"}) {
        INFO(odd << " -> " << finished(odd));
        REQUIRE(finished(odd).rfind(odd, 0) == 0);
      }
      const auto closed = finished("I rea ");  // no longer the beginning of "read"
      INFO(closed);
      REQUIRE(closed.rfind("I rea ", 0) == 0);
      REQUIRE(closed.size() > 6);
    }
  }
}

TEST_CASE("A beginning that is open may lead to every word that begins so", "[translate]") {
  const auto translator = translator_of("auto");
  TranslationOptions options;
  options.beam_size = options.n_best = 30;
  std::set<std::string> words;
  options.words = true;
  const auto translations = translator.translate({"저는 책을 읽어요."}, options, {{"I b", {}}});
  for (const auto& candidate : translations.front().candidates) {
    REQUIRE(candidate.words.at(1).rfind("b", 0) == 0);
    words.insert(candidate.words.at(1));
  }
  REQUIRE(words.size() >= 4);
}

TEST_CASE("Beginnings in Hangul are finished by characters", "[translate]") {
  // The sample model with a Korean vocabulary on the target side: it talks nonsense, and what is
  // asked of it is its beginning alone.
  const std::filesystem::path root = NMT_SOURCE_DIR;
  TemporaryFolder folder;
  for (const char* file : {"config.yaml", "model.safetensors", "source.spm", "training.json"}) {
    std::filesystem::copy_file(root / "models/sample" / file, folder / file);
  }
  TokenizerTraining training;
  training.corpora = {root / "data/sample/train.ko"};
  training.vocabulary_size =
      Tokenizer::from_file(root / "models/sample/target.spm").vocabulary_size();
  training.byte_fallback = true;
  folder.write("target.spm", train_tokenizer(training));
  write_checksums(folder.path());
  for (const char* engine : {"fused", "plain"}) {
    const auto kind = parse_choice<TranslationEngine>(engine).value();
    const Translator translator({{folder.path()}, device_of(kind), 1, kind});
    for (const char* beginning :
         {"저는 도", "저는 도서관에서 ", "책", "읽었", "☃", "책 ☃☃", "<0"}) {
      const auto found = translator.translate({"저는 책을 읽어요."}, {}, {{beginning, {}}}).front();
      INFO(beginning << " -> " << found.text);
      REQUIRE(found.text.rfind(beginning, 0) == 0);
    }
  }
  // Alternatives differ in one token, though several bytes spell a space, too.
  const auto target = Tokenizer::from_file(folder / "target.spm");
  const ConstraintEncoder encoder(target);
  const auto begun = encoder.encode({"책 ", {}});
  REQUIRE(begun.partial_word.max_tokens() == 3);
  AskedEngine engine;
  likeliest_beginnings(engine, {5}, begun, 3);
  const auto& word = engine.constraints.partial_word;
  REQUIRE(word.max_tokens() == 1);
  for (const auto& piece : word.pieces.front()) {
    REQUIRE(target.piece(piece.token).rfind("\u2581", 0) == 0);
  }
}

TEST_CASE("Alternatives are different words, likeliest first, each with its translation",
          "[translate]") {
  const std::string source = "저는 책을 읽어요.";
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    const auto found = translator.alternatives(source, "I", 4);
    REQUIRE(found.size() == 4);
    REQUIRE(found[0].word == "read");
    REQUIRE(found[0].text == "I read a book.");
    std::set<std::string> words;
    double sum = 0.0;
    for (size_t i = 0; i < found.size(); ++i) {
      words.insert(found[i].word);
      sum += found[i].probability;
      REQUIRE(found[i].text.rfind("I " + found[i].word, 0) == 0);
      if (i > 0) REQUIRE(found[i].probability <= found[i - 1].probability);
    }
    REQUIRE(words.size() == 4);
    REQUIRE(sum <= 1.0 + 1e-4);
    const auto first = translator.alternatives(source, "", 2);
    REQUIRE(first.at(0).word == "I");
    REQUIRE(first.at(1).word != "I");
    TranslationOptions options;
    options.words = true;
    const auto whole = translator.translate({source}, options).front().candidates.front();
    REQUIRE(found[0].probability == Approx(std::exp(whole.word_log_probabilities[1])).margin(1e-4));
    REQUIRE(translator.alternatives("", "I", 3).empty());
    REQUIRE(contains(error_of([&] { translator.alternatives(source, "☃", 3); }), "does not know"));
    REQUIRE(error_of([&] { translator.alternatives(source, "\xFF", 3); }) ==
            "the prefix is not valid UTF-8");
    REQUIRE(contains(error_of([&] { translator.alternatives(source, "I", 0); }), "use 1 to 100"));
  }
}

TEST_CASE("Alternatives for a sentence in capitals are those of the ordinary one", "[translate]") {
  const TemporaryFolder folder;
  const auto model = write_english_model(folder.path());
  const Translator translator({{model}, "cpu", 1});
  const auto best = [&](const std::string& line, const std::string& prefix) {
    return translator.alternatives(line, prefix, 3).at(0);
  };
  const std::string line = "I read a book with Minsu in the library.";
  for (const std::string prefix : {"", "I", "I read", "I read a book"}) {
    CAPTURE(prefix);
    const auto expected = best(line, prefix);
    const auto found = best(to_upper(line), to_upper(prefix));
    CHECK(found.word == to_upper(expected.word));
    CHECK(found.text == to_upper(expected.text));
    CHECK(found.probability == Approx(expected.probability));
    const auto item = best("- " + to_upper(line), "- " + to_upper(prefix));
    CHECK(item.word == found.word);
    CHECK(item.text == "- " + found.text);
    CHECK(item.probability == Approx(expected.probability));
  }
  const auto expected = best("The teacher reads a book", "The");
  const auto found = best("The Teacher Reads A Book", "The");
  CHECK(found.word == expected.word);
  CHECK(found.probability == Approx(expected.probability));
}

TEST_CASE("Who watches sees the translation grow", "[translate]") {
  const std::string source = "저는 도서관에서 책을 읽었어요.";
  const auto translator = translator_of("fused");
  for (const int64_t beam_size : {1, 5}) {
    TranslationOptions options;
    options.beam_size = beam_size;
    options.scores = beam_size > 1;
    for (const char* prefix : {"", "I re"}) {
      std::vector<std::string> told;
      const auto found = translator.translate(
          source, options, {prefix, {}}, [&](const std::string& text) { told.push_back(text); });
      REQUIRE(found.text == translator.translate({source}, options, {{prefix, {}}})[0].text);
      REQUIRE(told.size() > 4);
      REQUIRE(told.back() == found.text);
      for (size_t i = 1; i < told.size(); ++i) REQUIRE(told[i] != told[i - 1]);
    }
  }
  TranslationOptions greedy;
  greedy.beam_size = 1;  // with scores, its beam also has continuations of what has ended
  translator.translate("저는 책을 읽었어요.", greedy, {}, [](const std::string& text) {
    REQUIRE(std::string("I read a book.").rfind(text, 0) == 0);
  });
  TranslationOptions options;
  options.max_source_length = 4;  // in parts
  std::vector<std::string> told;
  const auto watch = [&](const std::string& text) { told.push_back(text); };
  const auto found = translator.translate(source, options, {}, watch);
  REQUIRE(found.text == translator.translate({source}, options)[0].text);
  REQUIRE(told.back() == found.text);
  told.clear();
  const auto plain = translator_of("plain").translate(source, {}, {}, watch);
  REQUIRE(plain.text == told.back());
  REQUIRE(told.size() == 1);
  REQUIRE(translator.translate(source, {}, {}, TextWatch()).text == plain.text);
  std::vector<std::string> of_nothing;
  translator.translate("", {}, {}, [&](const std::string& text) { of_nothing.push_back(text); });
  REQUIRE(of_nothing == std::vector<std::string>{""});
  const auto refuse = [](const std::string&) { throw Error("enough"); };
  REQUIRE(error_of([&] { translator.translate(source, {}, {}, refuse); }) == "enough");
  REQUIRE(translator.translate({source})[0].text == told.back());
}

TEST_CASE("Ensembles and both engines keep to a constraints alike", "[translate]") {
  const auto path = std::string(NMT_SOURCE_DIR) + "/models/sample";
  const auto sources = sample_lines("test.ko", 4);
  TranslationOptions options;
  options.no_repeat_ngram = 3;
  options.coverage_penalty = 0.1;
  options.words = true;
  const std::vector<TranslationConstraints> constraint_list(sources.size(), {"The", {"river"}});
  const auto expected = translator_of("fused").translate(sources, options, constraint_list);
  const auto plain = translator_of("plain").translate(sources, options, constraint_list);
  const auto ensemble =
      Translator({{path, path}, "cpu", 1}).translate(sources, options, constraint_list);
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
    const auto sources = sample_lines("test.ko", 6);
    TranslationOptions options;
    options.n_best = 3;
    const std::vector<TranslationConstraints> constraint_list(sources.size(),
                                                              {"", {"yesterday", "the park"}});
    for (const auto& translation :
         translator_of(engine).translate(sources, options, constraint_list)) {
      for (const auto& candidate : translation.candidates) {
        INFO(candidate.text);
        REQUIRE(contains(candidate.text, "yesterday"));
        REQUIRE(contains(candidate.text, "the park"));
      }
    }
  }
}

TEST_CASE("A required word is no part of another, and not after the sentence", "[translate]") {
  const std::string source = "동현은 도서관에 가요.";
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    for (const std::string word : {"want", "read", "art"}) {
      const auto text = translator.translate({source}, {}, {{"", {word}}}).front().text;
      INFO(text);
      const auto at = (" " + text + " ").find(" " + word);
      REQUIRE(at != std::string::npos);
      REQUIRE(std::string(" .?!,").find((text + " ")[at + word.size()]) != std::string::npos);
      REQUIRE_FALSE(contains(text, ". " + word));
    }
  }
}

TEST_CASE("No n-gram comes twice when it may not", "[translate]") {
  TranslationOptions options;
  options.min_length = 25;  // the model would have to repeat itself
  const auto translator = translator_of("auto");
  const auto sources = sample_lines("test.ko", 8);
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
  REQUIRE(contains(found.front(), "length: cut at the maximum length, 2 tokens"));
}

TEST_CASE("Diverse groups make n-best lists differ more", "[translate]") {
  const auto translator = translator_of("auto");
  TranslationOptions options;
  options.beam_size = 6;
  options.n_best = 6;
  const auto first_words = [&] {
    size_t count = 0;
    for (const auto& translation : translator.translate(sample_lines("test.ko", 10), options)) {
      std::set<std::string> words;
      for (const auto& candidate : translation.candidates) {
        words.insert(candidate.tokens.empty() ? "" : candidate.tokens.front());
      }
      count += words.size();
    }
    return count;
  };
  const size_t usual = first_words();
  options.diverse_groups = 3;
  options.diversity_strength = 3.0;
  REQUIRE(first_words() > usual);
}

TEST_CASE("Constraints of a line hold for its sentences together", "[translate]") {
  const std::string line = "저는 책을 읽어요.  민수는 커피를 마셔요. 우리는 학교에 가요.";
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    TranslationOptions options;
    options.words = true;
    const auto translate = [&](const std::string& prefix, const std::vector<std::string>& phrases) {
      return translator.translate({line}, options, {{prefix, phrases}}).front();
    };
    const auto free = translator.translate({line}, options).front();
    REQUIRE(std::count(free.text.begin(), free.text.end(), '.') == 3);
    // The prefix's sentences are the first translations, whole; its white space is kept.
    const auto begun = translate("We read the book.\tMinsu", {}).text;
    REQUIRE(begun.rfind("We read the book.\tMinsu", 0) == 0);
    REQUIRE(std::count(begun.begin(), begun.end(), '.') == 3);
    const auto next = translate("We read the book. ", {}).text;
    REQUIRE(next == "We read the book. " + free.text.substr(free.text.find("  ") + 2));
    REQUIRE(translate("We read the book. ", {}).candidates.front().warnings.empty());
    // More sentences than the line has: the last part takes the rest.
    REQUIRE(translate("A. B. C. D. E", {}).text.rfind("A. B. C. D. E", 0) == 0);
    // A phrase goes where it costs least: "tea" belongs to the sentence about coffee.
    const auto tea = translate("", {"tea", "library"});
    const auto sentence_of = [&](const std::string& word) {
      const auto at = static_cast<std::ptrdiff_t>(tea.text.find(word));
      return std::count(tea.text.begin(), tea.text.begin() + at, '.');
    };
    REQUIRE(contains(tea.text, "library"));
    REQUIRE(sentence_of("tea") == 1);
    REQUIRE(tea.source_words.size() == 9);
    const auto& links = tea.candidates.front().alignment;
    REQUIRE(links.front().source < 3);  // words 0 to 2 are the first sentence
    REQUIRE(links.back().source >= 6);
    // Other words for the first one of the second sentence.
    const auto others = translator.alternatives(line, "I read a book.", 3, options);
    REQUIRE_FALSE(others.empty());
    for (const auto& other : others) {
      REQUIRE(other.text.rfind("I read a book. " + other.word, 0) == 0);
    }
    const auto closed = translator.alternatives(line, "I read a book. ", 3, options);
    REQUIRE(closed.size() == others.size());
    for (size_t i = 0; i < others.size(); ++i) CHECK(closed[i].text == others[i].text);
  }
}

TEST_CASE("A sentence of a prefix is a whole sentence of the line, however long", "[translate]") {
  const std::string line = "저는 도서관에서 책을 읽었어요. 민수는 커피를 마셔요.";
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    TranslationOptions options;
    options.words = true;
    const auto translate = [&] {
      return translator.translate({line}, options, {{"We read. ", {}}}).front();
    };
    const auto alternatives = [&] {
      std::vector<std::string> texts;
      for (const auto& one : translator.alternatives(line, "We read.", 3, options)) {
        texts.push_back(one.text);
      }
      return texts;
    };
    const auto expected = translate();
    const auto others = alternatives();
    REQUIRE(others.size() == 3);
    options.max_source_length = 2;  // where no prefix is given
    const auto found = translate();
    REQUIRE(found.text == expected.text);
    REQUIRE(found.candidates.front().warnings == expected.candidates.front().warnings);
    REQUIRE(alternatives() == others);
  }
}

TEST_CASE("A prefix holds for what the model translates, past emoji that it does not read",
          "[translate]") {
  const std::string line = "😀 저는 책을 읽어요. 👍 민수는 커피를 마셔요.";
  for (const char* engine : {"fused", "plain"}) {
    const auto translator = translator_of(engine);
    const auto begun = [&](const std::string& source, const std::string& prefix) {
      return translator.translate({source}, {}, {{prefix, {}}}).front().text;
    };
    for (const char* prefix : {"You", "😀 You", " 😀 You"}) {
      INFO(prefix << " -> " << begun("😀 저는 책을 읽어요.", prefix));
      REQUIRE(begun("😀 저는 책을 읽어요.", prefix).rfind("😀 You", 0) == 0);
    }
    REQUIRE(begun("😀 저는 책을 읽어요.", "😀") == "😀 I read a book.");
    REQUIRE(begun(line, "We read. You").rfind("😀 We read. 👍 You", 0) == 0);
    REQUIRE(begun(line, "😀 We read. 👍 You").rfind("😀 We read. 👍 You", 0) == 0);
    for (const char* prefix : {"I", "😀 I"}) {
      const auto others = translator.alternatives("😀 저는 책을 읽어요.", prefix, 3);
      REQUIRE(others.size() == 3);
      REQUIRE(others[0].word == "read");
      for (const auto& other : others) REQUIRE(other.text.rfind("😀 I " + other.word, 0) == 0);
    }
    const auto next = translator.alternatives(line, "I read a book.", 3);
    REQUIRE_FALSE(next.empty());
    for (const auto& other : next) {
      REQUIRE(other.text.rfind("😀 I read a book. 👍 " + other.word, 0) == 0);
    }
  }
}

TEST_CASE("Terms and addresses leave a prefix and constraints as they are", "[translate]") {
  const TemporaryFolder folder;
  TranslatorOptions options{{std::string(NMT_SOURCE_DIR) + "/models/sample"}, "cpu", 1};
  options.terms = folder.write("terms", "도서관\tbibliotheca\n");
  const Translator translator(options);
  const std::string library = "저는 도서관에서 책을 읽어요.";
  const auto translate = [&](const std::string& line, const TranslationConstraints& constraints) {
    return translator.translate({line}, {}, {constraints}).front().text;
  };
  REQUIRE(translate(library, {}) == "I read a book in the bibliotheca.");
  const std::string prefix = "I read a book in the library";
  REQUIRE(translate(library, {prefix, {}}).rfind(prefix, 0) == 0);
  REQUIRE(contains(translate(library, {"", {"the library"}}), "the library"));
  const std::string address = "저는 (http://a.b/c) 책을 읽어요.";
  REQUIRE(translate(address, {"I read a ", {}}) == "I read a (http://a.b/c) book.");
  REQUIRE(translate(address + " 민수는 커피를 마셔요.", {"I read. ", {}}).rfind("I read. M", 0) ==
          0);
  const auto others = translator.alternatives(address, "I read a", 3);
  REQUIRE_FALSE(others.empty());
  REQUIRE(others[0].word == "book");
  for (const auto& other : others) REQUIRE(other.text.rfind("I read a " + other.word, 0) == 0);
}

TEST_CASE("Guides that cannot be followed are clear errors", "[translate]") {
  const auto translator = translator_of("auto");
  const auto problem = [&](const TranslationOptions& options,
                           const std::vector<TranslationConstraints>& constraint_list) {
    return error_of([&] { translator.translate({"가"}, options, constraint_list); });
  };
  TranslationOptions options;
  REQUIRE(contains(problem(options, {{"a", {}}, {"b", {}}}), "constraints: 2 sets for 1 line"));
  REQUIRE(contains(problem(options, {{"☃", {}}}), "prefix '☃' has characters"));
  REQUIRE(contains(problem(options, {{"", {"☃"}}}), "constraint '☃' has characters"));
  std::string endless;
  for (int i = 0; i < 3000; ++i) endless += "I ";
  REQUIRE(
      contains(problem(options, {{endless, {}}}), "a prefix with its constraints: 3000 tokens"));
  options.diverse_groups = 2;
  REQUIRE(contains(problem(options, {}), "diverse_groups: 2 does not divide beam_size"));
  options.beam_size = 4;
  REQUIRE(contains(problem(options, {{"", {"a"}}}), "constraints: do not combine"));
  options = {};
  options.sample = true;
  REQUIRE(contains(problem(options, {{"a", {}}}), "sample: does not combine with prefixes"));
  CHECK(translator.translate({"가"}, options, {TranslationConstraints()}).size() == 1);
  options.coverage_penalty = 1.0;
  REQUIRE(contains(problem(options, {}), "sample: does not combine with no_repeat_ngram"));
}

}  // namespace nmt
