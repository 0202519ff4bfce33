#include "data/hold_out.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "data/sample_corpus.h"
#include "support/expect_error.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

using TextPairs = std::vector<SentencePair>;

/// Letters alone, in lower case: what the made-up texts differ in.
std::string plain(const std::string& sentence) {
  std::string letters;
  for (const char c : sentence) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return letters;
}

std::set<std::string> sentences_of(const TextPairs& pairs) {
  std::set<std::string> sentences;
  for (const auto& [source, target] : pairs) sentences.insert({plain(source), plain(target)});
  return sentences;
}

bool disjoint(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::none_of(a.begin(), a.end(), [&](const auto& text) { return b.count(text) > 0; });
}

TextPairs make_pairs(int64_t lines, uint64_t seed) {
  const auto text = make_text(lines, seed);
  TextPairs pairs;
  for (size_t i = 0; i < text.source.size(); ++i) {
    pairs.push_back({text.source[i], text.target[i]});
  }
  return pairs;
}

class Corpora : public TemporaryFolder {
 public:
  void add(const TextPairs& pairs) {
    std::string source;
    std::string target;
    for (const auto& pair : pairs) {
      source += pair.source + "\n";
      target += pair.target + "\n";
    }
    const auto name = std::to_string(request.sources.size());
    request.sources.push_back(write(name + ".src", source).string());
    request.targets.push_back(write(name + ".tgt", target).string());
  }

  HeldOutPairs hold_out() const { return nmt::hold_out(request); }

  HoldOutRequest request;
};

/// A sentence as somebody else might write it.
std::string rewritten(std::string sentence) {
  for (auto& c : sentence) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (size_t at = 0; (at = sentence.find(' ', at)) != std::string::npos; at += 2) {
    sentence.insert(at, " ");
  }
  return sentence + " !";
}

}  // namespace

TEST_CASE("No sentence is in two parts, however it is written and in whichever corpus",
          "[holdout]") {
  Corpora corpora;
  const auto first = make_pairs(1500, 1);
  auto second = make_pairs(1500, 2);
  for (size_t i = 0; i < 500; ++i) {
    second[3 * i].source = rewritten(first[3 * i].source);          // with another translation
    second[3 * i + 1].target = rewritten(first[3 * i + 1].target);  // of another source
  }
  corpora.add(first);
  corpora.add(second);
  const auto chosen = corpora.hold_out();
  const auto size = static_cast<size_t>(held_out_size(chosen.source_sentences));
  CHECK(chosen.validation.size() == size);
  CHECK(chosen.test.size() == size);
  const auto validation = sentences_of(chosen.validation);
  const auto test = sentences_of(chosen.test);
  CHECK(validation.size() == 2 * size);
  CHECK(test.size() == 2 * size);
  CHECK(disjoint(validation, test));

  HeldOutSentences held_out;
  for (const auto* set : {&chosen.validation, &chosen.test}) {
    for (const auto& pair : *set) {
      held_out.insert(pair.source);
      held_out.insert(pair.target);
    }
  }
  TextPairs training;
  for (const auto* pairs : {&first, &std::as_const(second)}) {
    for (const auto& pair : *pairs) {
      if (!held_out.contains(pair.source) && !held_out.contains(pair.target)) {
        training.push_back(pair);
      }
    }
  }
  CHECK(training.size() > 2000);
  CHECK(disjoint(sentences_of(training), validation));
  CHECK(disjoint(sentences_of(training), test));
}

TEST_CASE("The choice depends on the sentences, not on their order or on more text", "[holdout]") {
  auto pairs = make_pairs(2000, 1);
  Corpora corpora;
  corpora.add(pairs);
  const auto chosen = corpora.hold_out();
  Random random(7, 0);
  shuffle(pairs, random);
  Corpora shuffled;
  shuffled.add({pairs.begin(), pairs.begin() + 300});
  shuffled.add({pairs.begin() + 300, pairs.end()});
  const auto again = shuffled.hold_out();
  REQUIRE(again.test.size() == chosen.test.size());
  for (size_t i = 0; i < chosen.test.size(); ++i) {
    CHECK(again.test[i].source == chosen.test[i].source);
    CHECK(again.test[i].target == chosen.test[i].target);
    CHECK(again.validation[i].source == chosen.validation[i].source);
  }
  corpora.add(make_pairs(2000, 3));
  const auto grown = corpora.hold_out();
  CHECK(disjoint(sentences_of(grown.validation), sentences_of(chosen.test)));
  CHECK(disjoint(sentences_of(grown.test), sentences_of(chosen.validation)));
}

TEST_CASE("Held-out sets grow with the corpus, up to a limit", "[holdout]") {
  const std::map<int64_t, int64_t> sizes = {{0, 0},         {199, 0},         {200, 10},
                                            {580, 29},      {10000, 500},     {29000, 851},
                                            {160000, 2000}, {100000000, 2000}};
  for (const auto& [sentences, size] : sizes) {
    INFO(sentences);
    CHECK(held_out_size(sentences) == size);
  }
  Corpora large;
  TextPairs pairs;
  for (int64_t i = 0; i < 60000; ++i) {
    pairs.push_back({"s " + std::to_string(i), "t " + std::to_string(i)});
  }
  large.add(pairs);
  const auto chosen = large.hold_out();
  CHECK(chosen.source_sentences > 58000);
  CHECK(chosen.source_sentences < 62000);
  CHECK(static_cast<int64_t>(chosen.test.size()) == held_out_size(chosen.source_sentences));
  CHECK(chosen.validation.size() == chosen.test.size());
}

TEST_CASE("Frequent sentences stay in training, as does most of any corpus", "[holdout]") {
  Corpora corpora;
  auto pairs = make_pairs(2000, 1);
  for (size_t i = 0; i < 1500; ++i) {
    if (i % 3 == 0) pairs[i].source = "thanks";
    if (i % 3 == 1) pairs[i].target = "bitte";
  }
  corpora.add(pairs);
  const auto chosen = corpora.hold_out();
  REQUIRE_FALSE(chosen.test.empty());
  for (const auto* set : {&chosen.validation, &chosen.test}) {
    CHECK(sentences_of(*set).count("thanks") == 0);
    CHECK(sentences_of(*set).count("bitte") == 0);
  }

  Corpora mixed;  // most targets are labels
  auto labelled = make_pairs(2000, 1);
  for (size_t i = 0; i < 1500; ++i) labelled[i].target = i % 2 == 0 ? "even" : "odd";
  mixed.add(labelled);
  const auto others = mixed.hold_out();
  REQUIRE_FALSE(others.test.empty());
  for (const auto* set : {&others.validation, &others.test}) {
    CHECK(sentences_of(*set).count("even") + sentences_of(*set).count("odd") == 0);
  }

  Corpora labels;  // ever the same targets
  for (auto& pair : pairs) pair.target = pair.source.size() % 2 == 0 ? "even" : "odd";
  labels.add(pairs);
  CHECK(labels.hold_out().test.empty());
}

TEST_CASE("Sets are held out of one text in many languages, and most of it stays in training",
          "[holdout]") {
  const auto text = make_pairs(1000, 1);
  for (const bool both_directions : {false, true}) {
    INFO(both_directions);
    Corpora corpora;
    TextPairs all;
    for (char language = 'a'; language < 'i'; ++language) {
      TextPairs pairs;
      TextPairs reversed;
      for (const auto& [source, target] : text) {
        pairs.push_back({language + source, target});
        reversed.push_back({target, language + source});
      }
      corpora.add(pairs);
      all.insert(all.end(), pairs.begin(), pairs.end());
      if (!both_directions) continue;
      corpora.add(reversed);
      all.insert(all.end(), reversed.begin(), reversed.end());
    }
    const auto chosen = corpora.hold_out();
    REQUIRE_FALSE(chosen.test.empty());
    HeldOutSentences held_out;
    for (const auto* set : {&chosen.validation, &chosen.test}) {
      for (const auto& pair : *set) {
        held_out.insert(pair.source);
        held_out.insert(pair.target);
      }
    }
    const auto left_out = std::count_if(all.begin(), all.end(), [&](const SentencePair& pair) {
      return held_out.contains(pair.source) || held_out.contains(pair.target);
    });
    CHECK(4 * static_cast<size_t>(left_out) <= all.size());
  }
}

TEST_CASE("Single words stay in training where there are sentences to hold out", "[holdout]") {
  TextPairs dictionary;
  for (int i = 0; i < 800; ++i) {
    dictionary.push_back({"wort" + std::to_string(i), "word" + std::to_string(i)});
  }
  Corpora corpora;
  corpora.add(make_pairs(600, 1));
  corpora.add(dictionary);
  const auto chosen = corpora.hold_out();
  REQUIRE_FALSE(chosen.test.empty());
  CHECK(static_cast<int64_t>(chosen.test.size()) <= held_out_size(600));
  for (const auto* set : {&chosen.validation, &chosen.test}) {
    for (const auto& pair : *set) CHECK(pair.source.find(' ') != std::string::npos);
  }
  corpora.request.pairs = 150;  // more than the sentences have
  CHECK(corpora.hold_out().test.size() == 150);
  Corpora words;
  words.add(dictionary);
  CHECK(static_cast<int64_t>(words.hold_out().test.size()) == held_out_size(800));
}

TEST_CASE("A long word of a script without spaces is one if the other side is", "[holdout]") {
  TextPairs dictionary;
  TextPairs sentences = make_pairs(600, 1);
  for (auto& pair : sentences) pair.target = "สวัสดี" + plain(pair.target);
  for (int i = 0; i < 800; ++i) {
    dictionary.push_back({"word" + std::to_string(i), "สถานีรถไฟ" + std::to_string(i)});
  }
  Corpora corpora;
  corpora.add(sentences);
  corpora.add(dictionary);
  const auto chosen = corpora.hold_out();
  REQUIRE_FALSE(chosen.test.empty());
  for (const auto* set : {&chosen.validation, &chosen.test}) {
    for (const auto& pair : *set) CHECK(pair.source.find(' ') != std::string::npos);
  }
}

TEST_CASE("Broken, empty and endless lines are not chosen", "[holdout]") {
  Corpora corpora;
  TextPairs pairs = make_pairs(600, 1);
  for (size_t i = 0; i < 400; ++i) {
    auto& [source, target] = pairs[i];
    if (i % 5 == 0) source = "\xFF" + std::to_string(i);
    if (i % 5 == 1) target = "?! \xE2\x99\xA5";
    if (i % 5 == 2) target += std::string(2000, 'a');
    if (i % 5 == 3) source.clear();
  }
  corpora.add(pairs);
  const auto chosen = corpora.hold_out();
  REQUIRE_FALSE(chosen.test.empty());
  for (const auto* set : {&chosen.validation, &chosen.test}) {
    for (const auto& [source, target] : *set) {
      CHECK_FALSE(plain(source).empty());
      CHECK_FALSE(plain(target).empty());
      CHECK(target.size() < 1000);
      CHECK(source.front() != '\xFF');
    }
  }
}

TEST_CASE("A number of pairs is held out or refused, and given sentences never", "[holdout]") {
  Corpora corpora;
  const auto pairs = make_pairs(1000, 1);
  corpora.add(pairs);
  corpora.request.pairs = 40;
  corpora.request.validation = false;
  for (size_t i = 0; i < 500; ++i) corpora.request.taken.insert(rewritten(pairs[i].target));
  const auto chosen = corpora.hold_out();
  CHECK(chosen.validation.empty());
  REQUIRE(chosen.test.size() == 40);
  for (const auto& pair : chosen.test) CHECK_FALSE(corpora.request.taken.contains(pair.target));
  corpora.request.pairs = 900;
  CHECK(contains(error_of([&] { corpora.hold_out(); }), "900 pairs for each held-out set"));
  Corpora empty;
  empty.add({});
  CHECK(empty.hold_out().test.empty());
}

TEST_CASE("Held-out pairs name their language, and each language has its share", "[holdout]") {
  Corpora corpora;
  const auto pairs = make_pairs(2000, 1);
  auto others = pairs;  // with the same source sentences
  for (auto& pair : others) pair.target = "z" + pair.target;
  corpora.add(pairs);
  corpora.add(others);
  const auto plain = corpora.hold_out();
  corpora.request.languages = {"de", "fr"};
  const auto chosen = corpora.hold_out();
  REQUIRE(chosen.validation.size() == plain.validation.size());
  size_t french = 0;
  for (size_t i = 0; i < chosen.validation.size(); ++i) {
    const auto& [source, target] = chosen.validation[i];
    const bool is_french = target.front() == 'z';
    french += is_french ? 1 : 0;
    CHECK(source == (is_french ? "<2fr> " : "<2de> ") + plain.validation[i].source);
  }
  // Half of them, with a standard deviation of 5 of 100.
  CHECK(french > 3 * chosen.validation.size() / 10);
  CHECK(french < 7 * chosen.validation.size() / 10);
}

}  // namespace nmt
