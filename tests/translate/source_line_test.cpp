#include "translate/source_line.h"

#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"
#include "support/sample.h"
#include "translate/trained_tokenizer.h"

namespace nmt {

TEST_CASE("A long sentence is split and nothing is lost", "[translate]") {
  const auto tokenizer = sample_tokenizers().source;
  const std::string text = "저는 책을 읽어요. 민수는 커피를 마셔요. 우리는 학교에 가요.";
  const auto tokens = tokenizer.encode(text);
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  for (int64_t length = 1; length <= static_cast<int64_t>(tokens.size()); ++length) {
    options.max_source_length = length;
    std::vector<int32_t> joined;
    for (const auto& part :
         make_source_line(text, options, {}, Protection({tokenizer, tokenizer}, {}), tokenizer)
             .parts) {
      REQUIRE(part.tokens.size() <= static_cast<size_t>(length));
      REQUIRE_FALSE(part.tokens.empty());
      joined.insert(joined.end(), part.tokens.begin(), part.tokens.end());
    }
    REQUIRE(joined == tokens);
  }
  options.max_source_length = static_cast<int64_t>(tokens.size()) - 1;
  const auto parts =
      make_source_line(text, options, {}, Protection({tokenizer, tokenizer}, {}), tokenizer).parts;
  REQUIRE(parts.size() == 3);
  REQUIRE(tokenizer.decode(parts[1].tokens) == "민수는 커피를 마셔요.");
}

TEST_CASE("A long sentence is split near its middle, where it has a pause", "[translate]") {
  const auto tokenizer = bpe_tokenizer("We. ;:, D.M.KL", 60);
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  const auto parts_of = [&](const std::string& text) {
    options.max_source_length = static_cast<int64_t>(tokenizer.encode(text).size()) - 1;
    return make_source_line(text, options, {}, Protection({tokenizer, tokenizer}, {}), tokenizer)
        .parts;
  };
  const std::string end = " and we look at a dog and cups.";
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"We read e.g. books and look at dogs,", end},
           {"We, the reader, with Mr. Kim and Dr. Lee,", end},
           {"We read, we read a book;", " a dog, a cup" + end},
           {"We read a dog, the book:", " a cup, a book" + end},
           {"We read, we see a dog.", " We read; a book" + end},
           {"We read the red,blue:green books,", end}}) {
    const auto parts = parts_of(first + second);
    REQUIRE(parts.size() == 2);
    CHECK(tokenizer.decode(parts[0].tokens) == first);
  }
  // Otherwise in halves, rather than a long part and a rest.
  const auto halves =
      parts_of("We look at a dog and a cup and a book and a dog and a cup and a book");
  REQUIRE(halves.size() == 2);
  CHECK(halves[0].tokens.size() < halves[1].tokens.size() + 5);
  CHECK(halves[1].tokens.size() < halves[0].tokens.size() + 5);
}

TEST_CASE("Soft hyphens are not read, and hide no term", "[translate]") {
  const auto tokenizers = sample_tokenizers();
  const Protection protection(tokenizers, {{"책", "volume"}});
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  options.words = true;
  const auto line =
      make_source_line("저\u00AD는 책\u00AD을.", options, {}, protection, tokenizers.source);
  CHECK(line.tokens == tokenizers.source.encode("저는 책을."));
  CHECK(line.words.texts == std::vector<std::string>{"저는", "책을."});
  CHECK(line.parts.front().replacements.size() == 1);
}

TEST_CASE("What is translated by itself follows the options", "[translate]") {
  const auto tokenizer = sample_tokenizers().source;
  TranslationOptions options;
  options.words = true;
  const auto line_of = [&](const std::string& text, LineSplit split) {
    options.split = split;
    return make_source_line(text, options, {}, Protection({tokenizer, tokenizer}, {}), tokenizer);
  };
  const std::string text = "  저는 책을 읽어요.\t 그는 가요?  ";
  const auto line = line_of(text, LineSplit::kSentences);
  REQUIRE(line.parts.size() == 2);
  REQUIRE(line.parts[0].before.empty());
  REQUIRE(line.parts[1].before == "\t ");
  REQUIRE((line.before.empty() && line.after.empty()));
  const auto row = line_of("\t\t저는 책을 읽어요.\t네 \t", LineSplit::kSentences);
  REQUIRE(row.parts[0].before.empty());
  REQUIRE((row.before == "\t\t" && row.after == " \t"));
  REQUIRE(line.words.texts == std::vector<std::string>{"저는", "책을", "읽어요.", "그는", "가요?"});
  REQUIRE(line.words.of_token.size() == line.tokens.size());
  REQUIRE(line.words.of_token[line.parts[0].tokens.size()] == 3);
  REQUIRE(line_of(text, LineSplit::kNone).words.texts == line.words.texts);
  options.max_source_length = 1;
  REQUIRE(line_of(text, LineSplit::kNone).parts.size() == 1);
  std::string endless;
  for (int i = 0; i < 2000; ++i) endless += "저는 ";
  REQUIRE(line_of(endless, LineSplit::kNone).parts.size() > 1);
  std::string sentences;
  for (int i = 0; i < 1000; ++i) sentences += "저는 책을 읽어요. ";
  REQUIRE(line_of(sentences, LineSplit::kNone).parts.size() == 1000);
  for (const std::string nothing : {"", " \t"}) {
    REQUIRE(line_of(nothing, LineSplit::kSentences).parts.size() == 1);
    REQUIRE(line_of(nothing, LineSplit::kSentences).tokens.empty());
    REQUIRE(line_of(nothing, LineSplit::kSentences).before.empty());
  }
}

TEST_CASE("Invisible isolates around a name are not read", "[translate]") {
  const auto tokenizer = sample_tokenizers().source;
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  options.words = true;
  const auto line = make_source_line("저는 \u2068책\u2069을 읽어요.", options, {},
                                     Protection({tokenizer, tokenizer}, {}), tokenizer);
  REQUIRE(line.tokens == tokenizer.encode("저는 책을 읽어요."));
  REQUIRE(line.words.texts.at(1) == "\u2068책\u2069을");
}

TEST_CASE("Invisible characters are read only where words need them", "[translate]") {
  const auto tokenizers = sample_tokenizers();
  TranslationOptions options;
  options.split = LineSplit::kNone;
  const auto tokens_of = [&](const std::string& text, const Tokenizer& tokenizer) {
    return make_source_line(text, options, {}, Protection({tokenizer, tokenizer}, {}), tokenizer)
        .tokens;
  };
  for (const std::string invisible :
       {"\u202A", "\u202E", "\u2060", "\u061C", "\u180E", "\u200D", "\u200E", "\u200B", "\u034F",
        "\uFE0F", "\uFEFF", "\u200B\u2060\u200B"}) {
    CAPTURE(invisible);
    CHECK(tokens_of("저는 책" + invisible + "을 읽어요." + invisible, tokenizers.source) ==
          tokenizers.source.encode("저는 책을 읽어요."));
    CHECK(tokens_of("I re" + invisible + "ad a book." + invisible, tokenizers.target) ==
          tokenizers.target.encode("I read a book."));
  }
  for (const std::string word : {"می\u200Cخواهم", "क्\u200Dष", "ខ្ញុំ\u200Bទៅ", "ᠬᠠᠨ\u180Eᠠ"}) {
    CAPTURE(word);
    const auto tokenizer = bpe_tokenizer(word, 80);
    CHECK(tokens_of(word, tokenizer) == tokenizer.encode(word));
  }
}

TEST_CASE("Capitals are translated as ordinary text; words stay as written", "[translate]") {
  const auto tokenizer = sample_tokenizers().target;
  const Recaser recaser(tokenizer);
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  options.words = true;
  const auto line_of = [&](const std::string& text) {
    return make_source_line(text, options, {}, Protection({tokenizer, tokenizer}, {}), tokenizer,
                            {}, &recaser);
  };
  const auto line = line_of("I READ A BOOK. I read a book. The Teacher Reads A Book.");
  REQUIRE(line.parts.size() == 3);
  REQUIRE(line.parts[0].tokens == tokenizer.encode("I read a book."));
  REQUIRE(line.parts[0].all_caps);
  REQUIRE_FALSE(line.parts[1].all_caps);
  REQUIRE(line.parts[2].tokens == tokenizer.encode("The teacher reads a book."));
  REQUIRE_FALSE(line.parts[2].all_caps);
  REQUIRE(line.words.texts[1] == "READ");
  REQUIRE(line.words.of_token.size() == line.tokens.size());
  options.recase = false;
  REQUIRE(line_of("I READ A BOOK.").tokens == tokenizer.encode("I READ A BOOK."));
}

TEST_CASE("A model of lower-cased text reads lower case; only names that it lacks are copied",
          "[translate]") {
  const auto tokenizer = bpe_tokenizer("in the year there were some of them", 60).in_known_case();
  const VocabularyScripts scripts{KnownScripts(tokenizer), KnownScripts(tokenizer)};
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  options.words = true;
  const auto line = make_source_line("There were SOME, Łukasz Words", options, {},
                                     Protection({tokenizer, tokenizer}, {}), tokenizer);
  REQUIRE(line.tokens == tokenizer.encode("there were some, łukasz words"));
  REQUIRE(line.words.texts ==
          std::vector<std::string>{"There", "were", "SOME,", "Łukasz", "Words"});
  const auto names = find_unknown_names(line.tokens, line.words, tokenizer, scripts);
  REQUIRE(names.size() == 1);
  REQUIRE(names[0].text == "Łukasz");
  const Recaser recaser(tokenizer);
  const auto all_caps =
      make_source_line("THERE WERE SOME", options, {}, Protection({tokenizer, tokenizer}, {}),
                       tokenizer, {}, &recaser);
  REQUIRE(all_caps.tokens == tokenizer.encode("there were some"));
  REQUIRE(all_caps.parts[0].all_caps);
  REQUIRE(tokenizer.sample("SOME", 0.5, 3) == tokenizer.sample("some", 0.5, 3));

  const auto sample = std::string(NMT_SOURCE_DIR) + "/models/sample";
  for (const char* side : {"/source.spm", "/target.spm"}) {  // without case, and with it
    const auto cased = Tokenizer::from_file(sample + side);
    REQUIRE(cased.in_known_case().encode("The Word") == cased.encode("The Word"));
  }
}

}  // namespace nmt
