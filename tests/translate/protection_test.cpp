#include "translate/protection.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/sample.h"
#include "support/temporary_folder.h"
#include "text/word_vocabulary.h"
#include "translate/source_line.h"
#include "translate/trained_tokenizer.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::string kSampleModel = std::string(NMT_SOURCE_DIR) + "/models/sample";

/// A part's translation: a token is what attends to the source token that `looks_at` says.
std::string restored_text(const Protection& protection, const std::string& sentence,
                          const std::string& translation, const std::vector<size_t>& looks_at,
                          size_t num_source = 6, const GivenTokens& given = {}) {
  const auto tokenizers = sample_tokenizers();
  const auto whole = protection.protect(sentence);
  // Source tokens are words here: only their words count.
  Words source;
  for (size_t word = 0; word < num_source; ++word) {
    source.of_token.push_back(word);
    source.texts.push_back(std::to_string(word));
  }
  const auto tokens = tokenizers.target.encode(translation);
  auto words = merge_pieces(tokens, tokenizers.target);
  std::vector<std::vector<float>> attention;
  for (const size_t word : words.of_token) {
    attention.emplace_back(source.texts.size(), 0.0F);
    attention.back()[looks_at.at(word)] = 1.0F;
  }
  protection.restore(whole.replacements, {attention, source, 0, source.texts.size()}, tokens, words,
                     /*all_caps=*/false, given);
  std::string text;
  for (const auto& word : words.texts) {
    REQUIRE_FALSE(word.empty());
    text += (text.empty() ? "" : " ") + word;
  }
  for (const size_t word : words.of_token) REQUIRE(word < words.texts.size());
  return text;
}

/// The restored translation, each of whose words attends to one word of the source alone.
std::string restored(const Protection& protection, const ProtectedSentence& whole,
                     const Tokenizer& tokenizer, const std::vector<std::string>& source_words,
                     const std::string& translation,
                     const std::function<size_t(size_t)>& looks_at) {
  const size_t num_source = source_words.size();
  Words source{source_words, {}};
  for (size_t i = 0; i < num_source; ++i) source.of_token.push_back(i);
  const auto tokens = tokenizer.encode(translation);
  auto words = merge_pieces(tokens, tokenizer);
  std::vector<std::vector<float>> attention;
  for (const size_t word : words.of_token) {
    attention.emplace_back(num_source, 0.0F);
    // Rounding errors of sums, here in favor of later words, do not count.
    attention.back().at(looks_at(word)) = 1.0F - 1e-6F / static_cast<float>(word + 1);
  }
  protection.restore(whole.replacements, {attention, source, 0, num_source}, tokens, words);
  std::string text;
  for (const auto& word : words.texts) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TEST_CASE("A URL follows the word of the one before it", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const std::string sentence = "민수는 https://example.org/a.b 박물관에서 책을 읽어요.";
  const auto whole = protection.protect(sentence);
  REQUIRE(whole.for_model == "민수는  박물관에서 책을 읽어요.");
  REQUIRE(whole.replacements.size() == 1);
  REQUIRE(whole.replacements[0].first_word == 1);
  REQUIRE(whole.unread == std::vector<size_t>{1});
  REQUIRE(restored_text(protection, sentence, "Minsu reads a book.", {0, 4, 3, 3}) ==
          "Minsu https://example.org/a.b reads a book.");
  REQUIRE(restored_text(protection, sentence, "A book.", {3, 3}) ==
          "https://example.org/a.b A book.");
  // The last follows the last word that the model reads.
  REQUIRE(restored_text(protection, "책을 (https://a.org/b) 읽어요 a@b.org.", "I read a book.",
                        {2, 2, 0, 0}, 3) == "I read a book (https://a.org/b) a@b.org.");
  REQUIRE(protection.protect("책을 a@b.org를 봐요").for_model == "책을 를 봐요");
}

TEST_CASE("A URL or emoji written to a word follows that word", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  CHECK(restored_text(protection, "민수는(https://a.org) 책을 읽어요.", "Minsu reads a book.",
                      {0, 2, 1, 1}, 3) == "Minsu (https://a.org) reads a book.");
  CHECK(restored_text(protection, "민수는 도서관(https://a.org)에서 책을 읽어요.",
                      "Minsu reads in libraries.", {0, 3, 1, 1},
                      4) == "Minsu reads in libraries (https://a.org).");
  CHECK(restored_text(protection, "책을👍 읽어요.", "I read a book.", {0, 1, 0, 0}, 2) ==
        "I read a book 👍.");
  // Nothing but punctuation after it: at the end, whatever the marks attend to.
  CHECK(restored_text(protection, "민수는 책을 😀 https://a.org .", "Minsu a book.", {0, 2, 4}, 5) ==
        "Minsu a book 😀 https://a.org.");
  CHECK(restored_text(protection, "민수는 책을 😀..", "Minsu a book..", {0, 1, 1}, 3) ==
        "Minsu a book 😀..");
  // It is still aligned with the word that it is part of.
  const auto whole = protection.protect("책을👍 읽어요.");
  CHECK(whole.replacements.at(0).first_word == 0);
}

TEST_CASE("What the model does not read is a word of its own, aligned with itself", "[translate]") {
  const Translator translator({{kSampleModel}});
  TranslationOptions options;
  options.words = true;
  using Texts = std::vector<std::string>;
  const auto words_of = [&](const std::string& line) {
    const auto found = translator.translate({line}, options).front();
    const auto& best = found.candidates.front();
    std::string joined;
    for (const auto& word : best.words) joined += (joined.empty() ? "" : " ") + word;
    REQUIRE(found.text == joined);
    REQUIRE(best.word_log_probabilities.size() == best.words.size() + 1);
    REQUIRE(best.word_attention.size() == best.words.size());
    REQUIRE(best.alignment.size() == best.words.size());
    for (const auto& [source, target] : best.alignment) {
      const auto& row = best.word_attention[static_cast<size_t>(target)];
      REQUIRE(row.size() == found.source_words.size());
      const auto& word = best.words[static_cast<size_t>(target)];
      if (word.find("://") == std::string::npos) continue;
      const auto url = word.substr(0, word.find_last_not_of('.') + 1);
      REQUIRE(contains(found.source_words[static_cast<size_t>(source)], url));
      REQUIRE(row[static_cast<size_t>(source)] == 1.0F);
      REQUIRE(best.word_log_probabilities[static_cast<size_t>(target)] == 0.0);
    }
    return best.words;
  };
  REQUIRE(words_of("저는 https://a.b/c 책을 읽어요.") ==
          Texts{"I", "https://a.b/c", "read", "a", "book."});
  REQUIRE(words_of("https://a.b/c https://a.b/d 나는 물을 마셔요.") ==
          Texts{"https://a.b/c", "https://a.b/d", "I", "drink", "water."});
  REQUIRE(words_of("👍 👍 저는 책을 읽어요.") == Texts{"👍", "👍", "I", "read", "a", "book."});
  REQUIRE(words_of("😀 https://a.b/c / https://a.b/d 👍") ==
          Texts{"😀", "https://a.b/c", "/", "https://a.b/d", "👍"});
  REQUIRE(words_of("저는 😀https://a.b/c 책을 읽어요.") ==
          Texts{"I", "😀", "https://a.b/c", "read", "a", "book."});
  REQUIRE(words_of("저는 도서관(https://a.b/c)에서 책을 읽어요. https://a.b/d").back() ==
          "https://a.b/d");
}

TEST_CASE("A name does not replace the URL that is written to it", "[translate]") {
  const Translator translator({{kSampleModel}});
  const auto text = translator.translate({"東京(https://a.b/c)에 갔어요."}).front().text;
  REQUIRE(text.find("東京") != std::string::npos);
  REQUIRE(text.find("https://a.b/c") != std::string::npos);
}

TEST_CASE("A sign that the vocabulary lacks is written back with its number", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const auto signed_numbers = [&](const std::string& sentence) {
    std::vector<std::string> texts;
    for (const auto& one : protection.protect(sentence).replacements) texts.push_back(one.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  REQUIRE(signed_numbers("€29.99, €19.99") == Texts{"€29.99", "€19.99"});
  REQUIRE(signed_numbers("€ 29.99 € 19.99") == Texts{"€ 29.99", "€ 19.99"});
  REQUIRE(signed_numbers("29.99 € 19.99 €.") == Texts{"29.99 €", "19.99 €"});
  REQUIRE(signed_numbers("5 €10 ₩7 3\u00A0₹") == Texts{"5", "€10", "₩7", "3\u00A0₹"});
  REQUIRE(signed_numbers("US$5 50% 4 ‰, 30 °C 7° 2 °Cx ۳۴٪") ==
          Texts{"US$5", "50%", "4 ‰", "30 °C", "7°", "2", "۳۴٪"});
  REQUIRE(signed_numbers("75％ 36.5℃ 3㎏을 9 ㎡") == Texts{"75％", "36.5℃", "3㎏", "9 ㎡"});
  REQUIRE(signed_numbers("€ and 5, € 5€er") == Texts{"5", "€ 5"});
  REQUIRE(signed_numbers("−5 -5°C (+82-2-12) -€5 –5") ==
          Texts{"−5", "-5°C", "(+82-2-12)", "-€5", "–5"});
  REQUIRE(signed_numbers("책-5 5- 6 - 7 5€-8") == Texts{"5", "5", "6", "7", "5€", "8"});

  REQUIRE(protection.protect("책 −7 물").for_model == "책 7 물");
  REQUIRE(restored_text(protection, "책 −7 물", "I read 7 books.", {0, 2, 1, 0}) ==
          "I read −7 books.");
  REQUIRE(protection.protect("책 30°C@b.org 물").for_model == "책 30@b.org 물");
  REQUIRE(protection.protect("책 30°C@b.org").for_model == "책 30");

  const auto whole = protection.protect("책 € 29.99 물 50%");
  REQUIRE(whole.for_model == "책 29.99 물 50");
  REQUIRE(whole.replacements[0].first_word == 1);
  REQUIRE(whole.replacements[0].last_word == 2);
  REQUIRE(whole.unread == std::vector<size_t>{2});
  REQUIRE(whole.replacements[1].first_word == 4);
  REQUIRE(restored_text(protection, "책 € 29.99 물 50%", "I read a book.", {0, 2, 3, 4}) ==
          "I € 29.99 a 50%.");

  // Signs that it has are read, but for "-", which may be a hyphen.
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "it was $ 5 or -5 % of them\n";
  TokenizerTraining training;
  training.vocabulary_size = 30;
  const auto tokenizer = trained_tokenizer(lines, training);
  const Protection knowing({tokenizer, tokenizer}, {});
  REQUIRE(knowing.protect("it was $ 5 or -5 %").for_model == "it was $ 5 or 5 %");
  REQUIRE(knowing.protect("it was €5 or 5 ₩ now").for_model == "it was 5 or 5 now");
  REQUIRE(knowing.protect("it was −5 or +5 now").for_model == "it was 5 or 5 now");
  REQUIRE(knowing.protect("it was 5％ or 5㏄ now").for_model == "it was 5％ or 5㏄ now");
  const auto letters = bpe_tokenizer("it was 5 of them", 80);
  REQUIRE(Protection({letters, letters}, {}).protect("was 5㎏").for_model == "was 5");
}

TEST_CASE("A number of no piece is translated as one that both vocabularies have", "[translate]") {
  // 1999 is a piece of both; 48731 is none.
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("there were 48731 in 1999");
  const auto carrier = whole.replacements[0].carrier;
  REQUIRE(carrier != "1999");
  REQUIRE(tokenizer.encode(carrier).size() == 1);
  REQUIRE(whole.for_model == "there were " + carrier + " in 1999");
  using Kind = Replacement::Kind;
  REQUIRE(whole.replacements[0].kind == Kind::kNewNumber);
  REQUIRE(whole.replacements[1].kind == Kind::kKnownNumber);
  const auto restore = [&](const std::string& translation) {
    const auto looks_at = [](size_t word) { return std::min<size_t>(word, 4); };
    return restored(protection, whole, tokenizer, {"there", "were", "48731", "in", "1999"},
                    translation, looks_at);
  };
  REQUIRE(restore("there were " + carrier + " in 1999") == "there were 48731 in 1999");
  REQUIRE(restore("in 1999 there were " + carrier) == "in 1999 there were 48731");
  REQUIRE(restore("there were " + carrier + " in " + carrier) ==
          "there were 48731 in 1999");  // repaired
  REQUIRE(restore("there were them in 1999") == "there were 48731 in 1999");
}

TEST_CASE("A number does not replace a word that is the translation of another", "[translate]") {
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("were 48731");
  REQUIRE(whole.replacements.size() == 1);
  const auto restore = [&](const std::string& translation, float to_number) {
    const Words source{{"were", "48731"}, {0, 1}};
    const auto tokens = tokenizer.encode(translation);
    auto words = merge_pieces(tokens, tokenizer);
    const std::vector<std::vector<float>> attention(tokens.size(), {1.0F - to_number, to_number});
    protection.restore(whole.replacements, {attention, source, 0, 2}, tokens, words);
    return words.texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(restore("them", 0.4F) == Texts{"them", "48731"});
  CHECK(restore("them", 0.6F) == Texts{"48731"});
}

TEST_CASE("A number in other digits is that number", "[translate]") {
  const Protection unknown(sample_tokenizers(), {});
  CHECK(restored_text(unknown, "책 ４８７３１ 물", "I read books.", {0, 1, 0}) ==
        "I ４８７３１ books.");
  // A vocabulary that normalizes text knows full-width digits as 0 to 9, which the model may write.
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20 or 8 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("there were ８ of them");
  REQUIRE(whole.replacements.size() == 1);
  REQUIRE(whole.replacements[0].kind == Replacement::Kind::kKnownNumber);
  const auto restore = [&](const std::string& translation) {
    const auto looks_at = [](size_t word) { return word; };
    return restored(protection, whole, tokenizer, {"there", "were", "８", "of", "them"},
                    translation, looks_at);
  };
  CHECK(restore("there were 8 of them") == "there were 8 of them");
  CHECK(restore("there were 1999 of them") == "there were ８ of them");
}

TEST_CASE("A wrong number is replaced where it attends to the right one", "[translate]") {
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20 or 8 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("there were 8 of them");
  REQUIRE(whole.replacements.size() == 1);
  REQUIRE(whole.replacements[0].kind == Replacement::Kind::kKnownNumber);
  const auto restore = [&](const std::string& translation) {
    const auto looks_at = [](size_t word) { return word; };
    return restored(protection, whole, tokenizer, {"there", "were", "8", "of", "them"}, translation,
                    looks_at);
  };
  REQUIRE(restore("there were 1999 of them") == "there were 8 of them");
  REQUIRE(restore("there were 88 of them") == "there were 8 of them");
  REQUIRE(restore("1999 of them") == "1999 of them");                    // of another word
  REQUIRE(restore("there were 20 of them") == "there were 20 of them");  // the same hour
}

TEST_CASE("A number that stands for another does not occur twice", "[translate]") {
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20 or 8 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("there were 8 of 7");
  REQUIRE(whole.replacements.size() == 2);
  const auto carrier = whole.replacements[1].carrier;
  REQUIRE(!carrier.empty());
  const auto looks_at = [](size_t word) { return word == 2 ? 4 : word; };
  CHECK(restored(protection, whole, tokenizer, {"there", "were", "8", "of", carrier},
                 "there were " + carrier + " of " + carrier, looks_at) == "there were 7 of 8");
}

TEST_CASE("Placeholders are replaced by what they stand for", "[translate]") {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "see https://a.org now or not\n";
  TokenizerTraining training;
  training.vocabulary_size = 30;
  training.placeholders = {SpanKind::kUrl};
  const auto tokenizer = trained_tokenizer(lines, training);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("see https://b.org/1 or https://b.org/2 now");
  REQUIRE(whole.for_model == "see \uE001 or \uE001 now");
  const auto restore = [&](const std::string& translation, const std::vector<size_t>& places) {
    const auto looks_at = [&](size_t word) { return places.at(word); };
    return restored(protection, whole, tokenizer, {"see", "1", "or", "2", "now"}, translation,
                    looks_at);
  };
  // Attention tells two of a kind apart; what the model left out follows the word before it; what
  // it made up is dropped.
  REQUIRE(restore("now \uE001 or \uE001", {4, 3, 2, 1}) ==
          "now https://b.org/2 or https://b.org/1");
  REQUIRE(restore("see \uE001 or now", {0, 1, 2, 4}) ==
          "see https://b.org/1 or https://b.org/2 now");
  REQUIRE(restore("\uE001 \uE001 \uE001", {1, 3, 0}) == "https://b.org/1 https://b.org/2");
  REQUIRE(restore("\uE001 now \uE001", {1, 4, 1}) == "https://b.org/1 now https://b.org/2");
}

TEST_CASE("Emoji around a sentence are not read by the model", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const auto whole = protection.protect("😀 책을 읽어요.👍");
  REQUIRE(whole.before == "😀");
  REQUIRE(whole.gap == " ");
  REQUIRE(whole.for_model == "책을 읽어요.");
  REQUIRE(whole.after == "👍");
  REQUIRE(protection.protect("https://a.org !").for_model.empty());
  REQUIRE(protection.protect("👍").after == "👍");
}

TEST_CASE("Marks that the vocabulary lacks are kept at the sentence's edges", "[translate]") {
  const Protection protection(sample_tokenizers(), {});  // it knows the marks . and ?
  const auto for_model = [&](const std::string& text) {
    return protection.protect(text).for_model;
  };
  CHECK(for_model("책을 읽어요!") == "책을 읽어요.");
  CHECK(for_model("책을 읽어요;") == "책을 읽어요.");
  CHECK(for_model("책을 읽어요?!") == "책을 읽어요?");
  CHECK(for_model("책을 읽어요!?") == "책을 읽어요?");
  CHECK(for_model("책을 읽어요 !") == "책을 읽어요.");
  CHECK(for_model("\"책을 읽어요.\"") == "책을 읽어요.");
  CHECK(for_model("« 책을 읽어요 »") == "책을 읽어요");
  CHECK(for_model("책을 읽어요") == "책을 읽어요");
  CHECK(for_model("\"책을\" 읽어요") == "\"책을\" 읽어요");
  CHECK(for_model("그는 \"책을 읽어요!\"") == "그는 \"책을 읽어요.\"");
  CHECK(protection.protect("책을 읽어요!", {true, /*form=*/false}).for_model == "책을 읽어요!");

  const auto restored = [&](const std::string& text, const std::string& translation) {
    return restored_text(protection, text, translation, std::vector<size_t>(8, 0), 2);
  };
  CHECK(restored("책을 읽어요!!!", "I read a book.") == "I read a book!!!");
  CHECK(restored("책을 읽어요!", "I read a book") == "I read a book!");
  CHECK(restored("책을 읽어요?!", "Do I read a book?") == "Do I read a book?!");
  CHECK(restored("\"책을 읽어요.\"", "I read a book.") == "\"I read a book.\"");
  CHECK(restored("\"책을 읽어요!\"", "I read a book.") == "\"I read a book!\"");
  CHECK(restored("«책을 읽어요».", "I read a book.") == "«I read a book».");
  CHECK(restored("« 책을 읽어요 »", "I read") == "«I read»");
  CHECK(restored("책을 읽어요 😀!", "I read.") == "I read 😀!");
  GivenTokens given;
  given.prefix = sample_tokenizers().target.encode("I read a book.").size();
  CHECK(restored_text(protection, "책을 읽어요!", "I read a book.", {0, 1, 1, 1}, 2, given) ==
        "I read a book.");

  const Translator translator({{kSampleModel}});
  const auto translated = [&](const std::string& line) {
    return translator.translate({line}).front().text;
  };
  CHECK(translated("저는 책을 읽어요! 저는 책을 읽어요.") == "I read a book! I read a book.");
  CHECK(translated("『저는 책을 읽어요.』") == "『I read a book.』");
}

TEST_CASE("A translation ends and begins as its source does", "[translate]") {
  const Protection protection(sample_tokenizers(), {}, SentenceForm({".", "?"}, false));
  const auto restored = [&](const std::string& text) {
    return restored_text(protection, text, "I read a book.", std::vector<size_t>(8, 0), 2);
  };
  CHECK(restored("책을 읽어요.") == "I read a book.");
  CHECK(restored("책을 읽어요") == "I read a book");
  CHECK(restored("책을 읽어요,") == "I read a book,");
  CHECK(restored("(책을 읽어요)") == "(I read a book)");
  CHECK(restored("책을 읽어요 :)") == "I read a book :)");
  CHECK(restored("책을 읽어요!! :)") == "I read a book!! :)");
  GivenTokens given;
  given.prefix = sample_tokenizers().target.encode("I read a book").size();
  CHECK(restored_text(protection, "책을 읽어요", "I read a book.", {0, 0, 0, 0}, 2, given) ==
        "I read a book");
  given.prefix = sample_tokenizers().target.encode("I read a book.").size();
  CHECK(restored_text(protection, "책을 읽어요", "I read a book.", {0, 0, 0, 0}, 2, given) ==
        "I read a book.");
  CHECK(protection.protect("« 책을 읽어요 »").unread == std::vector<size_t>{0, 3});
  CHECK(protection.protect("저는\u00A0책을 읽어요").unread.empty());
  CHECK(protection.protect("책을 읽어요 (😀)").for_model == "책을 읽어요.");
  CHECK(protection.protect("책을 (https://a.org)").for_model == "책을.");
  const SentenceForm form({".", "?"}, false);
  CHECK(Protection(sample_tokenizers(), {{"책을", "a novel"}}, form).protect("책을").for_model ==
        "책을.");
  CHECK(Protection(sample_tokenizers(), {{"책을", "Yes!"}}, form).protect("책을").for_model ==
        "책을");
  const auto english = sample_tokenizers().target;
  const Protection lower({english, english}, {}, SentenceForm({"."}, true));
  CHECK(lower.protect("she reads a book").for_model == "She reads a book.");
  CHECK(restored_text(lower, "she reads a book.", "She reads.", {0, 0}) == "she reads.");
  CHECK(restored_text(lower, "she reads a book.", "I read.", {0, 0}) == "I read.");
}

TEST_CASE("Names and topics of social media are copied", "[translate]") {
  const Translator translator({{kSampleModel}});
  const auto translated = [&](const std::string& line) {
    return translator.translate({line}).front().text;
  };
  CHECK(translated("#독서 저는 책을 읽어요. #book #책") == "#독서 I read a book. #book #책");
  CHECK(translated("@minsu_1 저는 책을 읽어요.") == "@minsu_1 I read a book.");
  CHECK(translated("@minsu_1: 저는 책을 읽어요.") == "@minsu_1: I read a book.");
  CHECK(translated("@minsu_1, 저는 책을 읽어요.") == "@minsu_1, I read a book.");
  CHECK(translated("@minsu_1 : 저는 책을 읽어요.") == "@minsu_1 : I read a book.");
  CHECK(translated("#책 #book") == "#책 #book");
  const Protection protection(sample_tokenizers(), {});
  CHECK(protection.protect("@minsu님 책을 읽어요").before.empty());
}

TEST_CASE("Blanks and dot leaders are copied", "[translate]") {
  const Translator translator({{kSampleModel}});
  const auto translated = [&](const std::string& line) {
    return translator.translate({line}).front().text;
  };
  CHECK(translated("저는 ______ 책을 읽어요.") == "I ______ read a book.");
  CHECK(translated("________ 저는 책을 읽어요.") == "________ I read a book.");
  CHECK(translated("저는 책을 읽어요.____ ____") == "I read a book.____ ____");
  CHECK(translated("저는 책을 읽어요. .....") == "I read a book. .....");
  CHECK(translated("저는 책을 읽어요 …… 저는 책을 읽어요.").find(" …… I read a book.") !=
        std::string::npos);

  const Protection protection(sample_tokenizers(), {});
  CHECK(protection.protect("이름: ______").for_model == "이름.");
  CHECK(protection.protect("나는……").for_model == "나는……");
  CHECK(protection.protect("저는...").for_model == "저는...");
  const auto tokenizer =
      Tokenizer::from_bytes(word_vocabulary({"▁im", "12"}, SpaceMarks::kSpace, "tokens"), "tokens");
  CHECK(Protection({tokenizer, tokenizer}, {}).protect("im .... x").for_model == "im .... x");
}

TEST_CASE("Measurements are read only with other words", "[translate]") {
  const auto tokenizers = sample_tokenizers();
  const Protection protection(tokenizers, {});
  for (const std::string text : {"12,5 mm", "3 kg.", "12 x 24 cm", "230 V / 50 Hz", "≥ 5 m²"}) {
    CAPTURE(text);
    CHECK(protection.protect(text).for_model.empty());
  }
  CHECK_FALSE(protection.protect("3 kg 책").for_model.empty());
  CHECK_FALSE(protection.protect("3 x 4").for_model.empty());
  CHECK_FALSE(Protection(tokenizers, {{"kg", "kilos"}}).protect("3 kg").for_model.empty());
}

TEST_CASE("The model does not read what is to be copied", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const auto protect = [&](const std::string& text, const std::vector<Extent>& copied) {
    return protection.protect(text, {true, true, copied});
  };
  const auto within = protect("저는 ls -l 책을 읽어요.", {{7, 12}});
  CHECK(within.for_model == "저는  책을 읽어요.");
  CHECK(within.unread == std::vector<size_t>{1, 2});
  REQUIRE(within.replacements.size() == 1);
  CHECK(within.replacements[0].text == "ls -l");
  const auto glued = protect("저는 https://a.org/x,y 책을", {{17, 24}});
  REQUIRE(glued.replacements.size() == 1);
  CHECK(glued.replacements[0].text == "https://a.org/x,y");  // as a whole
  // An address is copied with what is in it.
  const auto address = protect("저는 https://a.org/{x}/y 책을", {{21, 24}});
  REQUIRE(address.replacements.size() == 1);
  CHECK(address.replacements[0].text == "https://a.org/{x}/y");
  // Footnotes and list marks do not divide it.
  CHECK(protect("책을 Yahoo!*읽 책*", {{7, 17}}).for_model == "책을  책*");
  CHECK(protect("책을 읽어요 Yahoo!**", {{17, 24}}).after == "Yahoo!**");
  CHECK(protect("1) 책을 읽어요", {{0, 6}}).before.empty());
  // A number stands for that of a number.
  const auto number = protect("책 %d 권을 읽어요.", {{4, 6}});
  REQUIRE(number.replacements.size() == 1);
  CHECK(number.replacements[0].text == "%d");
  CHECK(number.for_model == "책 " + number.replacements[0].carrier + " 권을 읽어요.");
}

TEST_CASE("Numbers keep signs, and brackets that the vocabulary lacks", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const auto written = [&](const std::string& text) {
    std::string all;
    for (const auto& one : protection.protect(text).replacements) all += one.text + "|";
    return all;
  };
  CHECK(written("저는 (48731) 책을") == "(48731)|");
  CHECK(written("저는 [A4711], 책을") == "[A4711]|");
  CHECK(written("저는(48731) 책을") == "48731|");
  CHECK(written("저는 ± 48731 책을") == "± 48731|");
  CHECK(written("저는 ≥48731 #48732 ~48733 책을") == "≥48731|#48732|~48733|");
}

TEST_CASE("Footnotes after a sentence are not read by the model", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const auto whole = protection.protect("저는 48731 책을 읽어요.[2][13]");
  CHECK(whole.text == "저는 48731 책을 읽어요.");
  CHECK(whole.after == "[2][13]");
  CHECK(whole.last_gap.empty());
  CHECK(whole.replacements.size() == 1);
  CHECK(protection.protect("저는 책을[2]").after == "[2]");  // as any citation
  CHECK(protection.protect("저는 책을[a]").after.empty());
  CHECK(protection.protect("저는 책을 읽어요.*").after == "*");  // and no number or term
  CHECK(protection.protect("저는 책을 읽어요.[a]", {/*list_marks=*/false}).after.empty());

  const Translator translator({{kSampleModel}});
  const std::string line = "저는 책을 읽어요.[2] 민수는 커피를 마셔요.[3]";
  CHECK(translator.translate({line}).front().text == "I read a book.[2] Minsu drinks coffee.[3]");
  for (const std::string mark : {"*", "†", "¹²", "[a]", "(1)", "—", "--"}) {
    CAPTURE(mark);
    const auto notes = "저는 책을 읽어요." + mark + " 민수는 커피를 마셔요." + mark;
    CHECK(translator.translate({notes}).front().text ==
          "I read a book." + mark + " Minsu drinks coffee." + mark);
  }
}

TEST_CASE("List marks are not read by the model", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  const auto whole = protection.protect("1)\t👍 저는 48731 https://a.org");
  REQUIRE(whole.before == "1)\t👍");
  REQUIRE(whole.gap == " ");
  REQUIRE(whole.text == "저는 48731");
  REQUIRE(whole.after == "https://a.org");
  REQUIRE(whole.replacements.size() == 1);
  REQUIRE(whole.replacements[0].first_word == 1);
  REQUIRE(protection.protect("- 저는", {/*list_marks=*/false}).for_model == "- 저는");
  for (const std::string mark : {"-", "☐", "▫"}) {  // the last two are emoji, too
    CAPTURE(mark);
    const auto address = protection.protect(mark + " https://a.org");
    CHECK((address.before == mark && address.after == "https://a.org"));
    CHECK((address.text.empty() && address.for_model.empty()));
    CHECK(address.gap == " ");
  }

  const Translator translator({{kSampleModel}});
  for (const std::string mark :
       {"-", "–", "•", "> >", "1)", "(2)", "a)", "3.", "[1]", "[*]", "†"}) {
    CAPTURE(mark);
    TranslationOptions options;
    options.words = true;
    const auto line = mark + "  저는 책을 읽어요. " + mark + " 민수는 커피를 마셔요.";
    const auto found = translator.translate({line}, options).front();
    CHECK(found.text == mark + "  I read a book. " + mark + " Minsu drinks coffee.");
    const auto& best = found.candidates.front();
    CHECK(best.words.size() == best.word_attention.size());
    CHECK(best.alignment.front().source == 0);
    CHECK(best.alignment.front().target == 0);
  }
  CHECK(translator.translate({"-\n> > "}).front().text == "-\n> >");
  const auto english = sample_tokenizers().target;
  CHECK(Protection({english, english}, {}).protect("1. Minsu reads").before == "1.");
  // A language that capitalizes nouns: "1. Mai" is an ordinal number.
  const auto german = bpe_tokenizer("Der Mann liest. Am 5. Mai war der Hund dort.", 100);
  const Protection cased({german, german}, {});
  CHECK(cased.protect("1. Der Mann").before == "1.");
  CHECK(cased.protect("1. Mai").before.empty());
  // As it is where the user says what the translation is.
  const std::string line = "- 저는 책을 읽어요.";
  CHECK(translator.translate({line}, {}, {{"I read", {}}}).front().text.rfind("I read", 0) == 0);
  // Unless the user repeats them; the model does not know this one.
  const std::string bullets = "• 저는 책을 읽어요. • 민수는 커피를 마셔요.";
  for (const auto* prefix : {"•", "• I", "• I read a book. •", "• I read a book. • Minsu dr"}) {
    CAPTURE(prefix);
    CHECK(translator.translate({bullets}, {}, {{prefix, {}}}).front().text ==
          "• I read a book. • Minsu drinks coffee.");
  }
  CHECK_FALSE(translator.alternatives(bullets, "• I", 3).empty());
  const auto forced = translator.force_decode({line}, {"I read a book."}, {});
  const auto& source = sample_tokenizers().source;
  CHECK(forced.front().source_tokens == source.pieces(source.encode(line)));
}

TEST_CASE("A number is one with its thousands, and stands before its unit", "[translate]") {
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  for (const std::string number : {"4217", "46'639", "46\u00A0639"}) {
    const auto whole = protection.protect("there were " + number + "km in");
    REQUIRE(whole.replacements.size() == 1);
    const auto& replacement = whole.replacements[0];
    CHECK(replacement.text == number);
    CHECK(replacement.kind == Replacement::Kind::kNewNumber);
    CHECK_FALSE(replacement.carrier.empty());
    CHECK(whole.for_model == "there were " + replacement.carrier + "km in");
    CHECK((replacement.first_word == 2 && replacement.last_word == 2));
  }
}

TEST_CASE("Terms are found in decomposed text, and decomposed terms", "[translate]") {
  const std::string decomposed = "\u110E\u1162\u11A8";
  for (const auto& term : {std::string("책"), decomposed}) {
    const Protection protection(sample_tokenizers(), {{term, "volume"}});
    for (const auto& word : {std::string("책"), decomposed}) {
      const auto sentence = "저는 " + word + "을 48731 " + word + "을";
      const auto whole = protection.protect(sentence);
      REQUIRE(whole.replacements.size() == 3);
      CHECK(whole.replacements[1].kind == Replacement::Kind::kTerm);
      CHECK(whole.replacements[1].first_word == 1);
      CHECK(whole.replacements[2].first_word == 3);
      CHECK(whole.replacements[2].last_word == 3);
      CHECK(whole.for_model == sentence);
    }
  }
}

TEST_CASE("Terms replace what attends to them; the longest counts", "[translate]") {
  const Protection protection(sample_tokenizers(), {{"책", "volume"}, {"책 한 권", "one volume"}});
  REQUIRE(restored_text(protection, "저는 책을 읽어요", "I read a book.", {0, 2, 1, 1}) ==
          "I read a volume.");
  REQUIRE(restored_text(protection, "저는 책 한 권을 읽어요", "I read a book.", {0, 4, 1, 3}) ==
          "I read a one volume.");
  REQUIRE(restored_text(protection, "저는 책을 읽어요", "I read a good book.", {0, 2, 1, 1, 1}) ==
          "I read a volume.");
  REQUIRE(protection.protect("공책을 사요").replacements.empty());  // another word
}

TEST_CASE("Words before a term that begins with them are not repeated", "[translate]") {
  const Protection protection(sample_tokenizers(), {{"공원에서", "in the park"}});
  const std::string source = "저는 공원에서 책을 읽어요";
  CHECK(restored_text(protection, source, "I read in the library.", {0, 3, 3, 3, 1}) ==
        "I read in the park.");
  CHECK(restored_text(protection, source, "In the library I read.", {3, 3, 1, 0, 3}) ==
        "In the park I read.");
  CHECK(restored_text(protection, source, "I read the library.", {0, 3, 3, 1}) ==
        "I read the in the park.");
}

TEST_CASE("Raised note marks are written to the word before them", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  CHECK(restored_text(protection, "저는¹ 책을 읽어요.", "I read a book.", {0, 2, 1, 1}) ==
        "I¹ read a book.");
  CHECK(restored_text(protection, "저는 책을²³ 읽어요.", "I read a book, too.", {0, 2, 1, 1, 2}) ==
        "I read a book²³, too.");
}

TEST_CASE("White space within a term is a space", "[translate]") {
  const std::vector<std::string> spaces = {" ", "  ", "\u00A0"};
  for (const auto& in_term : spaces) {
    const Protection protection(sample_tokenizers(), {{"큰" + in_term + "책", "volume"}});
    for (const auto& in_text : spaces) {
      const auto whole = protection.protect("저는 큰" + in_text + "책을 읽어요");
      REQUIRE(whole.replacements.size() == 1);
      CHECK(whole.replacements[0].kind == Replacement::Kind::kTerm);
      CHECK(whole.replacements[0].first_word == 1);
    }
  }
}

TEST_CASE("All apostrophes of a term are the same", "[translate]") {
  for (const std::string in_term : {"'", "\u2019", "\u02BC"}) {
    const Protection protection(sample_tokenizers(), {{"l" + in_term + "eau", "water"}});
    for (const std::string in_text : {"'", "\u2019", "\u02BC"}) {
      const auto whole = protection.protect("저는 l" + in_text + "eau 읽어요");
      REQUIRE(whole.replacements.size() == 1);
      CHECK(whole.replacements[0].text == "water");
      CHECK(whole.replacements[0].last_word == 1);
    }
  }
}

TEST_CASE("No term is found in a compound with a hyphen or slash", "[translate]") {
  const Protection protection(sample_tokenizers(),
                              {{"US", "American"}, {"dog", "canine"}, {"T-shirt", "tee"}});
  for (const char* sentence : {"a US-made cup", "a police-dog", "dog\u2010sled", "dog\u2011sled",
                               "cat/dog", "a baseball-T-shirt"}) {
    CAPTURE(sentence);
    CHECK(protection.protect(sentence).replacements.empty());
  }
  for (const char* sentence :
       {"a T-shirt", "the US - or not", "dog- and cat food", "-dog", "dog."}) {
    CAPTURE(sentence);
    const auto found = protection.protect(sentence).replacements;
    CHECK(std::count_if(found.begin(), found.end(), [](const Replacement& one) {
            return one.kind == Replacement::Kind::kTerm;
          }) == 1);
  }
}

TEST_CASE("A Korean term is found alone or before particles", "[translate]") {
  const Protection protection(sample_tokenizers(), {{"책", "volume"},
                                                    {"물", "liquid"},
                                                    {"차", "tea"},
                                                    {"대학", "college"},
                                                    {"날", "daytime"},
                                                    {"민수", "Minsoo"},
                                                    {"문제", "riddle"}});
  for (const char* sentence :
       {"책",        "책을",       "책이",   "책에서는", "책들까지도", "책이에요.", "책이었어요",
        "책입니다.", "책(冊)은",   "물로",   "물은",     "차가",       "차로",      "차를",
        "차예요",    "책 옆에",    "민수야", "민수씨는", "민수님",     "민수네",    "민수인데",
        "문제이다.", "문제이지만", "책대로", "책이요",   "날이면",     "물로써"}) {
    CAPTURE(sentence);
    CHECK(protection.protect(sentence).replacements.size() == 1);
  }
  for (const char* sentence :
       {"책상", "책상이", "책임", "책은행", "물건을", "물론", "물었다", "물가", "물고기를", "차이",
        "차이가", "대학로", "공책을", "날씨가", "문제아"}) {
    CAPTURE(sentence);
    CHECK(protection.protect(sentence).replacements.empty());
  }
}

TEST_CASE("A term for a name that the model cannot spell is written", "[translate]") {
  const TemporaryFolder folder;
  TranslatorOptions options{{kSampleModel}};
  options.terms = folder.write("terms", "Łukasz\tLuke\n東京\tTokyo\n");
  const Translator translator(options);
  const auto translations =
      translator.translate({"저는 Łukasz를 만났어요.", "저는 東京에 갔어요."});
  CHECK(contains(translations[0].text, "Luke"));
  CHECK_FALSE(contains(translations[0].text, "Łukasz"));
  CHECK(contains(translations[1].text, "Tokyo"));
  CHECK_FALSE(contains(translations[1].text, "東京"));
}

TEST_CASE("A term takes all of an address or number, or none of it", "[translate]") {
  const Protection protection(sample_tokenizers(),
                              {{"support", "help"}, {"50", "fifty"}, {"책 2019", "Book 2019"}});
  using Kind = Replacement::Kind;
  const auto part = protection.protect("저는 support@firma.de 책 50,000 읽어요");
  REQUIRE(part.replacements.size() == 2);
  REQUIRE(part.replacements[0].kind == Kind::kInserted);
  REQUIRE(part.replacements[1].kind == Kind::kNewNumber);
  const auto whole = protection.protect("저는 책 2019 읽어요");
  REQUIRE(whole.for_model == "저는 책 2019 읽어요");
  REQUIRE(whole.replacements.size() == 1);
  REQUIRE(whole.replacements[0].kind == Kind::kTerm);
  REQUIRE(whole.replacements[0].first_word == 1);
  REQUIRE(whole.replacements[0].last_word == 2);
  REQUIRE(restored_text(protection, "저는 책 2019 읽어요", "I read a book.", {0, 3, 1, 2}, 4) ==
          "I read a Book 2019.");
}

TEST_CASE("A no-break space is within a word", "[translate]") {
  const auto tokenizers = sample_tokenizers();
  const Protection protection(tokenizers, {{"책", "volume"}});
  TranslationOptions options;
  options.split = LineSplit::kSentences;
  const auto line = make_source_line("저는 물\u00A0커피 책을 읽어요.", options, {}, protection,
                                     tokenizers.source);
  REQUIRE(line.parts.size() == 1);
  REQUIRE(line.parts[0].replacements.size() == 1);
  REQUIRE(line.words.texts.at(line.parts[0].replacements[0].first_word) == "책을");
}

TEST_CASE("A sentence without spaces shows no place of a term or number", "[translate]") {
  const Protection protection(sample_tokenizers(), {{"北京", "Beijing"}});
  REQUIRE(protection.protect("我昨天去北京。").replacements.empty());
  REQUIRE(protection.protect("我 昨天 去 北京。").replacements.size() == 1);
  REQUIRE(protection.protect("北京").replacements.size() == 1);
  const Protection korean(sample_tokenizers(), {{"북경", "Beijing"}});
  REQUIRE(korean.protect("북경(北京)은 크다.").replacements.size() == 1);
  REQUIRE(restored_text(protection, "他有48731本书", "I read a book.", {0, 0, 0, 0}, 1) ==
          "48731 I read a book.");
}

TEST_CASE("Replacements leave what the user gave as it is", "[translate]") {
  const auto tokens = [](const char* text) { return sample_tokenizers().target.encode(text); };
  const Protection protection(sample_tokenizers(), {{"책", "volume"}});
  const auto with_term = [&](const GivenTokens& given, const std::string& translation) {
    return restored_text(protection, "민수는 책을 읽어요", translation, {0, 2, 1, 1}, 3, given);
  };
  GivenTokens begun;
  begun.prefix = tokens("Minsu reads a").size();
  REQUIRE(with_term(begun, "Minsu reads a book.") == "Minsu reads a volume.");
  begun.partial_word = std::string("\u2581boo").size();
  REQUIRE(with_term(begun, "Minsu reads a book.") == "Minsu reads a book.");
  GivenTokens phrase;
  phrase.phrases = {tokens("book")};
  REQUIRE(with_term(phrase, "Minsu reads a book.") == "Minsu reads a book.");
  phrase.phrases = {tokens("volume")};
  REQUIRE(with_term(phrase, "Minsu volume a book.") == "Minsu volume a book.");

  const Protection without_terms(sample_tokenizers(), {});
  const auto with_url = [&](const GivenTokens& given) {
    return restored_text(without_terms, "민수는 https://a.org/b 박물관에서 책을 읽어요.",
                         "Minsu reads a book.", {0, 4, 2, 2}, 6, given);
  };
  GivenTokens given;
  given.prefix = tokens("Minsu reads").size();
  REQUIRE(with_url(given) == "Minsu reads https://a.org/b a book.");
  given.unbroken = tokens("Minsu reads a").size();
  REQUIRE(with_url(given) == "Minsu reads a https://a.org/b book.");
  given.prefix = tokens("Minsu reads a book.").size();
  REQUIRE(with_url(given) == "Minsu reads a book. https://a.org/b");
  given = {};
  given.phrases = {tokens("Minsu reads a")};
  REQUIRE(with_url(given) == "Minsu reads a https://a.org/b book.");
}

TEST_CASE("A number with marks that the user gave is not repeated", "[translate]") {
  const auto tokenizer = bpe_tokenizer("in 1999 there were 20,468 of them", 100);
  const Protection protection({tokenizer, tokenizer}, {});
  const auto whole = protection.protect("there were 84,602 of them");
  REQUIRE(whole.replacements.size() == 1);
  REQUIRE(whole.replacements[0].kind == Replacement::Kind::kNewNumber);
  const Words source{{"there", "were", "84,602", "of", "them"}, {0, 1, 2, 3, 4}};
  const auto restore = [&](const std::string& translation, size_t prefix) {
    const auto tokens = tokenizer.encode(translation);
    auto words = merge_pieces(tokens, tokenizer);
    const std::vector<std::vector<float>> attention(tokens.size(), {1.0F, 0.0F, 0.0F, 0.0F, 0.0F});
    GivenTokens given;
    given.prefix = prefix;
    protection.restore(whole.replacements, {attention, source, 0, 5}, tokens, words,
                       /*all_caps=*/false, given);
    return words.texts;
  };
  const std::vector<std::string> wanted = {"84,602", "of", "them"};
  CHECK(restore("84,602 of them", tokenizer.encode("84,602").size()) == wanted);
  CHECK(restore(whole.replacements[0].carrier + " of them", 0) == wanted);
  CHECK(restore("84,6021 of them", tokenizer.encode("84,6021").size()).size() == 4);
}

TEST_CASE("A term in lower case is found in capitals, another as it is written", "[translate]") {
  const Protection protection(sample_tokenizers(),
                              {{"us", "uns"}, {"US", "USA"}, {"women", "Damen"}});
  const auto found = [&](const std::string& sentence) {
    std::vector<std::string> texts;
    for (const auto& one : protection.protect(sentence).replacements) texts.push_back(one.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  REQUIRE(found("Women of the US saw us.") == Texts{"Damen", "USA", "uns"});
  REQUIRE(found("WOMEN saw Us. Womens") == Texts{"Damen", "uns"});
}

TEST_CASE("Hundreds of emoji in a sentence are kept", "[translate]") {
  const Protection protection(sample_tokenizers(), {});
  std::string sentence;
  for (int i = 0; i < 300; ++i) sentence += "책을 😀 ";
  const auto whole = protection.protect(sentence + "읽어요.");
  CHECK(whole.replacements.size() == 300);
  CHECK_FALSE(contains(whole.for_model, "😀"));
  CHECK(whole.replacements.back().first_word == 599);
}

TEST_CASE("Text that no model translates comes through", "[translate]") {
  const Translator translator({{kSampleModel}});
  TranslationOptions options;
  options.words = true;
  const std::string line = "저는 책을 읽어요. 😀 민수는 커피를 마셔요.👍";
  const auto found = translator.translate({line}, options).front();
  REQUIRE(found.text == "I read a book. 😀 Minsu drinks coffee.👍");
  REQUIRE(found.source_words.size() == 8);
  const auto& best = found.candidates.front();
  REQUIRE(best.words.size() == best.word_log_probabilities.size() - 1);
  for (const auto& link : best.alignment) {
    const auto& word = best.words[static_cast<size_t>(link.target)];
    if (word == "😀") REQUIRE(found.source_words[static_cast<size_t>(link.source)] == "😀");
  }
  REQUIRE(translator.translate({"👍 https://a.org"}).front().text == "👍 https://a.org");
  // A "sentence" of nothing else keeps the white space before it.
  REQUIRE(translator.translate({"저는 책을 읽어요. 👍"}).front().text == "I read a book. 👍");
  REQUIRE(translator.translate({"저는 책을 읽어요.  https://a.org 👍"}).front().text ==
          "I read a book.  https://a.org 👍");
  REQUIRE(translator.translate({"저는 a@b.org 를 읽었어요."}).front().text.find("a@b.org") !=
          std::string::npos);
}

TEST_CASE("Of tokens, only whole numbers that the vocabulary lacks are replaced", "[translate]") {
  const auto tokenizer = Tokenizer::from_bytes(
      word_vocabulary({"▁im", "▁193", "4", "12", "100"}, SpaceMarks::kSpace, "tokens"), "tokens");
  const Protection protection({tokenizer, tokenizer}, {});
  for (const auto* line : {"▁im ▁193 4", "▁im ▁2017 4 ▁.", "20@@ 12 ."}) {
    const auto whole = protection.protect(line);
    REQUIRE(whole.for_model == line);
    REQUIRE(whole.replacements.empty());
  }
  const auto unseen = protection.protect("▁im 777 100");
  REQUIRE(unseen.for_model == "▁im 12 100");
  REQUIRE(unseen.replacements.size() == 1);
  REQUIRE(unseen.replacements[0].text == "777");
}

TEST_CASE("A file of terms is read line by line", "[translate]") {
  const TemporaryFolder folder;
  const auto terms = read_terms(folder.write("terms", "책\tvolume\n\n커피\thot drink\n"));
  REQUIRE(terms.size() == 2);
  REQUIRE(terms[1].second == "hot drink");
  for (const char* wrong : {"책", "책\t", "\tvolume", "# comment"}) {
    const auto path = folder.write("wrong", std::string("x\ty\n") + wrong + "\n");
    REQUIRE(contains(error_of([&] { read_terms(path); }), "line 2: has 1 column, not 2"));
  }
  const auto wide = folder.write("wide", "a\tb\tc\n");
  REQUIRE(contains(error_of([&] { read_terms(wide); }), "line 1: has 3 columns, not 2"));
  REQUIRE(read_terms(folder.write("spaces", " 책 \t\u00A0hot drink \r\n \nx\ty\t\n")) ==
          std::vector<TermPair>{{"책", "hot drink"}, {"x", "y"}});
  REQUIRE(read_terms(folder.write("marks", "\u200Fספר\u200F\tbook\n")).front().first == "ספר");
  REQUIRE(read_terms(folder.write("target", "book\t\u2067ספר\u2069\n")).front().second == "ספר");
  const auto unseen = folder.write("unseen", "\u200F\tbook\n");
  REQUIRE(contains(error_of([&] { read_terms(unseen); }), "line 1: has 1 column, not 2"));
  TranslatorOptions options{{kSampleModel}};
  options.terms = folder.write("terms", "책\tvolume\n");
  const Translator translator(options);
  REQUIRE(translator.translate({"저는 책을 읽어요."}).front().text == "I read a volume.");
  const auto with_terms = translator.fingerprint();
  const auto without = Translator({{kSampleModel}}).fingerprint();
  REQUIRE(without.size() == 1);
  REQUIRE(with_terms.at("the model") == without.at("the model"));
  options.terms = folder.write("terms", "책\ttome\n");
  REQUIRE(with_terms.at("the terms") != Translator(options).fingerprint().at("the terms"));
}

TEST_CASE("A term of all words is the translation; no sentence mark is doubled", "[translate]") {
  const TemporaryFolder folder;
  const auto translated = [&](const std::string& terms, const std::string& line) {
    TranslatorOptions options{{kSampleModel}};
    options.terms = folder.write("terms", terms);
    return Translator(options).translate({line}).front().text;
  };
  const std::string sentence = "저는 책을 읽어요";
  CHECK(translated(sentence + ".\tI am reading.\n", sentence + ".") == "I am reading.");
  CHECK(translated(sentence + ".\tAm I reading?\n", sentence + ". 👍") == "Am I reading? 👍");
  CHECK(translated(sentence + "\tI am reading\n", sentence + ".") == "I am reading.");
  CHECK(translated(sentence + "\tI am reading!\n", sentence + ".") == "I am reading!");
  CHECK(translated(sentence + "\tI am reading\n", sentence) == "I am reading");
  CHECK(translated(sentence + "\tI am reading.\n", sentence + "!") == "I am reading.");
  CHECK(translated(sentence + "!\tI am reading\n", sentence + "!") == "I am reading");
  CHECK(translated(sentence + "\tI am reading\n", sentence + "!") == "I am reading!");
  CHECK(translated("책을\tFoo Inc.\n", sentence + ".") == "I read a Foo Inc.");
  CHECK(translated("책\tFoo!\n", sentence + ".") == "I read a Foo!.");
}

}  // namespace nmt
