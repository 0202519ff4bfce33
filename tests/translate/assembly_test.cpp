#include "translate/assembly.h"

#include <algorithm>

#include "support/catch.h"
#include "support/sample.h"

namespace nmt {
namespace {

/// A line in parts of one word each, or in one part.
SourceLine line_of(const std::string& text, const Tokenizer& tokenizer, bool in_parts = false) {
  SourceLine line;
  line.tokens = tokenizer.encode(text);
  line.words = words_of_text(text, line.tokens, tokenizer);
  line.parts.assign(in_parts ? line.words.texts.size() : 1, {});
  for (size_t t = 0; t < line.tokens.size(); ++t) {
    line.parts[in_parts ? line.words.of_token[t] : 0].tokens.push_back(line.tokens[t]);
  }
  for (size_t i = 0; i < line.parts.size(); ++i) {
    line.parts[i].before = i == 0 ? "" : "\t";
    line.parts[i].limit = 100;
    line.parts[i].first_word = i;
  }
  if (!in_parts) line.parts[0].text = text;
  return line;
}

/// Each token with log-probability −1, all attention on the source token that `looks_at` says.
Hypothesis hypothesis_of(const std::vector<int32_t>& tokens, size_t source_length,
                         const std::vector<size_t>& looks_at) {
  Hypothesis hypothesis;
  hypothesis.tokens = tokens;
  hypothesis.token_log_probabilities.assign(tokens.size() + 1, -1.0F);
  hypothesis.log_probability = -static_cast<double>(tokens.size() + 1);
  hypothesis.attention.assign(tokens.size() + 1, std::vector<float>(source_length, 0.0F));
  for (size_t t = 0; t <= tokens.size(); ++t) hypothesis.attention[t][looks_at[t]] = 1.0F;
  return hypothesis;
}

AssemblyContext context_of(const Tokenizer& tokenizer) {
  static const Protection no_terms(sample_tokenizers(), {});
  static const KnownScripts scripts(sample_tokenizers().target);
  return {{tokenizer, tokenizer}, no_terms, scripts};
}

}  // namespace

TEST_CASE("An unknown piece becomes the source word with most attention", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("木 I", tokenizer);
  const auto last = line.tokens.size() - 1;
  std::vector<int32_t> tokens = tokenizer.encode("I");
  REQUIRE(tokens.size() == 1);
  tokens.push_back(line.tokens[0]);  // U+2581 alone
  tokens.push_back(kUnknownId);
  const std::vector<std::vector<Hypothesis>> found = {
      {hypothesis_of(tokens, line.tokens.size(), {last, 0, 1, last})}};
  TranslationOptions options;
  REQUIRE(assemble(line, found, context_of(tokenizer), options).text != "I 木");
  line.parts[0].names = {{0, "木"}};
  REQUIRE(assemble(line, found, context_of(tokenizer), options).text == "I 木");
  options.words = true;
  const auto best = assemble(line, found, context_of(tokenizer), options).candidates.front();
  REQUIRE(best.words == std::vector<std::string>{"I", "木"});
  REQUIRE(best.word_log_probabilities == std::vector<double>{-1.0, -2.0, -1.0});
  REQUIRE(best.alignment[0].source == 1);
  REQUIRE(best.alignment[1].source == 0);
  REQUIRE(best.warnings.size() == 2);  // of unknown characters and of their script
}

TEST_CASE("The marks around unknown pieces stay; several words for one name become one",
          "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto point = tokenizer.encode("novel.").back();
  const auto text_of = [&](const std::string& source, std::vector<UnknownName> names,
                           std::vector<std::pair<int32_t, size_t>> written) {
    auto line = line_of(source, tokenizer);
    line.parts[0].names = std::move(names);
    std::vector<int32_t> tokens;
    std::vector<size_t> looks_at;
    for (const auto& [token, word] : written) {
      const auto& of_token = line.words.of_token;
      tokens.push_back(token);
      looks_at.push_back(static_cast<size_t>(std::find(of_token.begin(), of_token.end(), word) -
                                             of_token.begin()));
    }
    looks_at.push_back(0);
    TranslationOptions options;
    options.words = true;
    return assemble(line, {{hypothesis_of(tokens, line.tokens.size(), looks_at)}},
                    context_of(tokenizer), options)
        .text;
  };
  const auto i = tokenizer.encode("I").front();
  const auto space = tokenizer.encode("木").front();  // U+2581 alone
  const auto unknown = kUnknownId;
  CHECK(text_of("I 木.", {{1, "木"}}, {{i, 0}, {space, 1}, {unknown, 1}, {point, 1}}) == "I 木.");
  CHECK(text_of("I 木", {{1, "木"}},
                {{i, 0}, {space, 1}, {unknown, 1}, {space, 1}, {unknown, 1}, {point, 1}}) ==
        "I 木.");
  // The model took the mark for a part of the name.
  CHECK(text_of("I 木!", {{1, "木"}}, {{i, 0}, {space, 1}, {unknown, 1}}) == "I 木!");
  CHECK(text_of("I 木.", {}, {{i, 0}, {space, 1}, {unknown, 1}, {point, 1}}) == "I 木.");
  // A word that the model knows is not copied if another is unknown.
  const std::vector<UnknownName> names = {{1, "木"}, {2, "水"}};
  CHECK(text_of("I 木 水 I", names, {{i, 0}, {space, 3}, {unknown, 3}, {space, 2}, {unknown, 2}}) ==
        "I 木 水");
  CHECK(text_of("I 木 I", {{1, "木"}},
                {{i, 0}, {space, 0}, {unknown, 0}, {space, 1}, {unknown, 1}}) == "I 木");
}

TEST_CASE("Spaces that the model writes twice are one", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto line = line_of("dog", tokenizer);
  auto tokens = tokenizer.encode("book");
  tokens.push_back(tokenizer.encode("木").front());  // U+2581 alone
  for (const int32_t token : tokenizer.encode("cup")) tokens.push_back(token);
  REQUIRE(tokenizer.decode(tokens) == "book  cup");
  const auto hypothesis =
      hypothesis_of(tokens, line.tokens.size(), std::vector<size_t>(tokens.size() + 1, 0));
  CHECK(assemble(line, {{hypothesis}}, context_of(tokenizer), {}).text == "book cup");
}

TEST_CASE("A term stays where the model wrote an unknown piece for its word", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("木 I", tokenizer);
  line.parts[0].names = {{0, "木"}};
  line.parts[0].replacements = {{Replacement::Kind::kTerm, 0, 0, "old tree"}};
  auto tokens = tokenizer.encode("I");
  tokens.push_back(line.tokens[0]);  // U+2581 alone
  tokens.push_back(kUnknownId);
  tokens.push_back(tokenizer.encode("novel.").back());
  REQUIRE(tokenizer.piece(tokens.back()) == ".");
  const auto last = line.tokens.size() - 1;
  TranslationOptions options;
  const auto text = [&](const std::vector<size_t>& looks_at) {
    const auto hypothesis = hypothesis_of(tokens, line.tokens.size(), looks_at);
    return assemble(line, {{hypothesis}}, context_of(tokenizer), options).text;
  };
  CHECK(text({last, 0, 1, 1, last}) == "I old tree.");
  // Nor is a name copied for a term's word that the model wrote otherwise.
  tokens = tokenizer.encode("I books");
  std::vector<size_t> looks_at(tokens.size() + 1, 0);
  looks_at.front() = last;
  CHECK(text(looks_at) == "I old tree");
}

TEST_CASE("A term replaces no word that does not attend to its source", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("books dog", tokenizer);
  line.parts[0].replacements = {{Replacement::Kind::kTerm, 0, 0, "novels"}};
  const auto tokens = tokenizer.encode("a dog");  // "a" is common, "dog" is not
  const auto words = merge_pieces(tokens, tokenizer).of_token;
  const auto last = line.tokens.size() - 1;
  auto hypothesis =
      hypothesis_of(tokens, line.tokens.size(), std::vector<size_t>(tokens.size() + 1, last));
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (words[t] > 0) continue;
    hypothesis.attention[t][0] = 0.4F;
    hypothesis.attention[t][last] = 0.6F;
  }
  TranslationOptions options;
  CHECK(assemble(line, {{hypothesis}}, context_of(tokenizer), options).text == "novels dog");
}

TEST_CASE("A term of several words is as many words", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("books dog", tokenizer);
  line.parts[0].replacements = {{Replacement::Kind::kTerm, 0, 0, "scarlet parka"}};
  const auto tokens = tokenizer.encode("cup dog");
  const auto words = merge_pieces(tokens, tokenizer).of_token;
  std::vector<size_t> looks_at;
  for (const size_t word : words) looks_at.push_back(word == 0 ? 0 : line.tokens.size() - 1);
  looks_at.push_back(0);
  TranslationOptions options;
  options.words = true;
  const auto best = assemble(line, {{hypothesis_of(tokens, line.tokens.size(), looks_at)}},
                             context_of(tokenizer), options)
                        .candidates.front();
  REQUIRE(best.text == "scarlet parka dog");
  REQUIRE(best.words == std::vector<std::string>{"scarlet", "parka", "dog"});
  const auto first = std::count(words.begin(), words.end(), size_t{0});
  const auto second = std::count(words.begin(), words.end(), size_t{1});
  REQUIRE(best.word_log_probabilities == std::vector<double>{-static_cast<double>(first), 0.0,
                                                             -static_cast<double>(second), -1.0});
  REQUIRE(best.word_attention.size() == 3);
  REQUIRE(best.alignment.size() == 3);
  for (const auto& [source, target] : best.alignment) CHECK(source == (target < 2 ? 0 : 1));
}

TEST_CASE("Words of a line in parts are aligned with the whole line's", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto line = line_of("books dog books", tokenizer, true);
  const auto dog = tokenizer.encode("dog");
  std::vector<std::vector<Hypothesis>> found;
  for (const auto& part : line.parts) {
    found.push_back(
        {hypothesis_of(dog, part.tokens.size(), std::vector<size_t>(dog.size() + 1, 0))});
  }
  TranslationOptions options;
  options.words = true;
  options.attention = true;
  const auto translation = assemble(line, found, context_of(tokenizer), options);
  const auto& best = translation.candidates.front();
  REQUIRE(translation.source_words == std::vector<std::string>{"books", "dog", "books"});
  REQUIRE(best.text == "dog\tdog\tdog");
  REQUIRE(best.words.size() == 3);
  REQUIRE(best.word_log_probabilities.size() == 4);
  REQUIRE(best.word_log_probabilities.back() == -3.0);
  for (size_t i = 0; i < 3; ++i) {
    REQUIRE(best.alignment[i].source == static_cast<int64_t>(i));
    REQUIRE(best.word_attention[i][i] == Approx(1.0));
  }
  // A row for each token and one for the last end, over the tokens of the whole line.
  REQUIRE(best.tokens.size() == 3 * dog.size());
  REQUIRE(best.attention.size() == best.tokens.size() + 1);
  REQUIRE(best.token_log_probabilities.size() == best.tokens.size() + 1);
  REQUIRE(best.token_log_probabilities.back() == -3.0);
  const auto first_of = [&](size_t part) {
    size_t first = 0;
    for (size_t i = 0; i < part; ++i) first += line.parts[i].tokens.size();
    return first;
  };
  for (size_t row = 0; row < best.attention.size(); ++row) {
    REQUIRE(best.attention[row].size() == line.tokens.size());
    const size_t part = std::min<size_t>(row / dog.size(), 2);
    REQUIRE(best.attention[row][first_of(part)] == 1.0F);
  }
}

TEST_CASE("An address that the source has no space before gets one, an emoji does not",
          "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("dog", tokenizer);
  line.parts.resize(3);
  const auto cup = tokenizer.encode("cup");
  const auto hypothesis =
      hypothesis_of(cup, line.tokens.size(), std::vector<size_t>(cup.size() + 1, 0));
  const auto text_with = [&](const std::string& second, const std::string& third) {
    line.parts[1].verbatim = second;
    line.parts[2].verbatim = third;
    const std::vector<std::vector<Hypothesis>> found = {
        {hypothesis}, {Hypothesis()}, {Hypothesis()}};
    return assemble(line, found, context_of(tokenizer), {}).text;
  };
  CHECK(text_with("https://a.org", "👍") == "cup https://a.org👍");
  CHECK(text_with("👍", "https://a.org") == "cup👍https://a.org");  // as the source has both
  CHECK(text_with("123", "---") == "cup 123---");
  CHECK(gap_before_verbatim("杯子", line, 1).empty());
  line.parts[1].before = "\t";
  CHECK(text_with("https://a.org", "👍") == "cup\thttps://a.org👍");
}

TEST_CASE("Without attention, text that is taken over is not the only one aligned", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("dog", tokenizer);
  line.words.texts.emplace_back("😀");
  line.parts.emplace_back();
  line.parts.back().verbatim = "😀";
  line.parts.back().first_word = 1;
  const auto cup = tokenizer.encode("cup");
  auto hypothesis = hypothesis_of(cup, line.tokens.size(), std::vector<size_t>(cup.size() + 1, 0));
  hypothesis.attention.clear();
  TranslationOptions options;
  options.words = true;
  const auto best = assemble(line, {{hypothesis}, {Hypothesis()}}, context_of(tokenizer), options)
                        .candidates.front();
  REQUIRE(best.words == std::vector<std::string>{"cup", "😀"});
  REQUIRE(best.word_attention.empty());
  REQUIRE(best.alignment.empty());
}

TEST_CASE("A sentence without translation has no confidence; its names are kept", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("☃", tokenizer);
  line.parts[0].names = {{0, "☃", true}};
  const std::vector<std::vector<Hypothesis>> found = {{hypothesis_of({}, line.tokens.size(), {0})}};
  TranslationOptions options;
  options.words = true;
  const Calibration calibration;
  auto context = context_of(tokenizer);
  context.calibration = &calibration;
  const auto best = assemble(line, found, context, options).candidates.front();
  REQUIRE(best.text == "☃");
  REQUIRE(best.words == std::vector<std::string>{"☃"});
  REQUIRE(best.alignment.size() == 1);
  REQUIRE(best.confidence == 0.0);
}

TEST_CASE("Where the model says nothing, names and addresses stand in their order", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("☃ x y", tokenizer);
  line.parts[0].names = {{0, "☃", true}};
  line.parts[0].replacements = {{Replacement::Kind::kInserted, 1, 1, "https://a.b"}};
  const std::vector<std::vector<Hypothesis>> found = {{hypothesis_of({}, line.tokens.size(), {0})}};
  TranslationOptions options;
  for (const bool words : {false, true}) {
    options.words = words;
    const auto best = assemble(line, found, context_of(tokenizer), options).candidates.front();
    REQUIRE(best.text == "☃ https://a.b");
    REQUIRE(best.words.size() == (words ? 2 : 0));
    if (words) REQUIRE(best.alignment[1].source == 1);
  }
}

TEST_CASE("A sentence for which the model has no words stays as it is", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto line = line_of("I read.", tokenizer);
  TranslationOptions options;
  for (const auto& tokens : {std::vector<int32_t>{}, tokenizer.encode(".")}) {
    const std::vector<size_t> looks_at(tokens.size() + 1, 0);
    const std::vector<std::vector<Hypothesis>> found = {
        {hypothesis_of(tokens, line.tokens.size(), looks_at)}};
    for (const bool words : {false, true}) {
      options.words = words;
      const auto best = assemble(line, found, context_of(tokenizer), options).candidates.front();
      CHECK(best.text == "I read.");
      CHECK(best.untranslated);
      if (!words) continue;
      CHECK(best.words == std::vector<std::string>{"I", "read."});
      REQUIRE(best.alignment.size() == 2);
      CHECK(best.alignment[1].source == 1);
      CHECK(best.warnings ==
            std::vector<std::string>{"empty: the model found no words for I read."});
    }
  }
  for (const bool samples : {false, true}) {
    options = {};
    options.sample = samples;
    options.copy_unknown = samples;
    const std::vector<std::vector<Hypothesis>> found = {
        {hypothesis_of({}, line.tokens.size(), {0})}};
    CHECK(assemble(line, found, context_of(tokenizer), options).text.empty());
  }
  SourceLine unread;  // letters that the tokenizer drops
  unread.parts.emplace_back();
  unread.parts[0].text = "\u3164";
  options = {};
  options.words = true;
  CHECK(assemble(unread, {{Hypothesis()}}, context_of(tokenizer), options).text.empty());
  const auto marks = line_of("?", tokenizer);
  const std::vector<std::vector<Hypothesis>> found = {
      {hypothesis_of(tokenizer.encode("."), marks.tokens.size(), {0, 0, 0})}};
  CHECK(assemble(marks, found, context_of(tokenizer), {}).text == ".");
}

TEST_CASE("A list of translations has the source in the first place only", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto line = line_of("dog", tokenizer);
  const auto empty = hypothesis_of({}, line.tokens.size(), {0});
  const auto cup = hypothesis_of(tokenizer.encode("cup"), line.tokens.size(), {0, 0, 0});
  TranslationOptions options;
  options.n_best = 2;
  const auto listed = assemble(line, {{cup, empty}}, context_of(tokenizer), options);
  REQUIRE(listed.candidates.size() == 1);
  CHECK(listed.text == "cup");
  // As with --n-best 1.
  CHECK(assemble(line, {{empty, cup}}, context_of(tokenizer), options).text == "dog");
}

TEST_CASE("Translations with one text are listed once", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto line = line_of("dog", tokenizer);
  const auto whole = tokenizer.encode("book");
  auto other = whole;  // another segmentation
  for (uint64_t seed = 1; other == whole; ++seed) other = tokenizer.sample("book", 0.1, seed);
  std::vector<Hypothesis> list;
  for (const auto& tokens : {whole, other, tokenizer.encode("cup")}) {
    list.push_back(hypothesis_of(tokens, line.tokens.size(), std::vector<size_t>(9, 0)));
  }
  TranslationOptions options;
  options.n_best = 3;
  const auto texts_of = [&] {
    std::vector<std::string> texts;
    const auto translation = assemble(line, {list}, context_of(tokenizer), options);
    for (const auto& candidate : translation.candidates) texts.push_back(candidate.text);
    return texts;
  };
  REQUIRE(texts_of() == std::vector<std::string>{"book", "cup"});
  options.distinct = false;
  REQUIRE(texts_of() == std::vector<std::string>{"book", "book", "cup"});
  options.distinct = true;
  options.sample = true;  // samples stay independent
  REQUIRE(texts_of().size() == 3);
}

TEST_CASE("A sample of a line joins independent samples of its parts", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const auto line = line_of("books dog", tokenizer, true);
  constexpr size_t kSamples = 64;
  std::vector<std::vector<Hypothesis>> found;
  for (const auto& part : line.parts) {
    auto& samples = found.emplace_back();
    for (size_t rank = 0; rank < kSamples; ++rank) {
      const auto tokens = tokenizer.encode(rank < kSamples / 2 ? "book" : "cup");
      samples.push_back(
          hypothesis_of(tokens, part.tokens.size(), std::vector<size_t>(tokens.size() + 1, 0)));
      samples.back().score = -static_cast<double>(rank);
    }
  }
  TranslationOptions options;
  options.sample = true;
  const auto translation = assemble(line, found, context_of(tokenizer), options);
  const auto& candidates = translation.candidates;
  REQUIRE(candidates.size() == kSamples);
  REQUIRE(translation.text == candidates.front().text);
  size_t alike = 0;
  size_t books = 0;
  for (size_t k = 0; k < kSamples; ++k) {
    const auto& text = candidates[k].text;
    if (text == "book\tbook" || text == "cup\tcup") ++alike;
    if (text.rfind("book", 0) == 0) ++books;
    if (k > 0) REQUIRE(candidates[k - 1].score >= candidates[k].score);
  }
  REQUIRE(books == kSamples / 2);
  REQUIRE(alike > kSamples / 8);
  REQUIRE(alike < kSamples * 7 / 8);
}

TEST_CASE("The n best translations of a line combine those of its parts", "[translate]") {
  const auto scored = [](const std::vector<double>& scores) {
    std::vector<Hypothesis> list(scores.size());
    for (size_t i = 0; i < scores.size(); ++i) list[i].score = scores[i];
    return list;
  };
  using Ranks = std::vector<std::vector<size_t>>;
  // Sums −3, −4, −5.5, −6.5 of the first two lists; the third has one hypothesis.
  const std::vector<std::vector<Hypothesis>> lists = {scored({-1, -3.5}), scored({-2, -3}),
                                                      scored({0})};
  REQUIRE(best_combinations(lists, 1) == Ranks{{0, 0, 0}});
  REQUIRE(best_combinations(lists, 3) == Ranks{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}});
  REQUIRE(best_combinations(lists, 9).size() == 4);
}

TEST_CASE("The translation of a sentence in capitals is in capitals", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  auto line = line_of("dog", tokenizer);
  line.parts[0].all_caps = true;
  const auto size = line.tokens.size();
  const auto book = tokenizer.encode("a book.");
  const std::vector<std::vector<Hypothesis>> found = {
      {hypothesis_of(book, size, std::vector<size_t>(book.size() + 1, 0))}};
  const auto context = context_of(tokenizer);
  TranslationOptions options;
  REQUIRE(assemble(line, found, context, options).text == "A BOOK.");
  options.words = true;
  const auto translation = assemble(line, found, context, options);
  REQUIRE(translation.text == "A BOOK.");
  REQUIRE(translation.candidates[0].words == std::vector<std::string>{"A", "BOOK."});
  REQUIRE(translation.unknown_words.empty());
}

TEST_CASE("Addresses and terms keep their case in a translation in capitals", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const Protection protection({tokenizer, tokenizer}, {});
  const KnownScripts scripts(tokenizer);
  const auto text_with = [&](const Replacement& replacement) {
    auto line = line_of("dog", tokenizer);
    line.parts[0].all_caps = true;
    line.parts[0].replacements = {replacement};
    const auto size = line.tokens.size();
    const auto book = tokenizer.encode("a book.");
    const std::vector<std::vector<Hypothesis>> found = {
        {hypothesis_of(book, size, std::vector<size_t>(book.size() + 1, 0))}};
    const AssemblyContext context{{tokenizer, tokenizer}, protection, scripts};
    return assemble(line, found, context, {}).text;
  };
  using Kind = Replacement::Kind;
  REQUIRE(text_with({Kind::kInserted, 0, 0, "https://a.org/b"}) == "https://a.org/b A BOOK.");
  REQUIRE(text_with({Kind::kTerm, 0, 0, "iPhone"}) == "A iPhone.");
}

}  // namespace nmt
