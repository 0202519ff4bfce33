#include "explain/word_vectors.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "errors/error.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

constexpr size_t kMaxWords = 32;
constexpr size_t kMaxTokens = 64;
constexpr size_t kWidestWord = 14;  // columns
constexpr size_t kNumbers = 4;
constexpr uint32_t kValues = 3;  // 0, 1 and 2

}  // namespace

std::vector<std::string> words_to_explain(const std::string& sentence) {
  std::istringstream stream(sentence);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) throw Error("the sentence is empty; use one with words");
  if (words.size() > kMaxWords) {
    throw Error("the sentence has " + std::to_string(words.size()) + " words; at most " +
                std::to_string(kMaxWords) + " can be shown");
  }
  return words;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<int32_t> tokens_to_explain(const Tokenizer& tokenizer, const std::string& sentence,
                                       const TargetLanguages& languages, const std::string& name) {
  auto ids = languages.encode(sentence, tokenizer);
  if (ids.empty()) throw Error("no tokens in " + name + "; use another one");
  if (ids.size() > kMaxTokens) {
    throw Error(name + " has " + std::to_string(ids.size()) + " tokens; use one of at most " +
                std::to_string(kMaxTokens));
  }
  return ids;
}

std::string word_label(const std::string& word) { return shortened(printable(word), kWidestWord); }

std::vector<std::string> word_labels(const std::vector<std::string>& words) {
  std::vector<std::string> labels(words.size());
  std::transform(words.begin(), words.end(), labels.begin(), word_label);
  return labels;
}

Row word_vector(const std::string& word) {
  uint32_t digits = 2166136261U;  // FNV-1a (Fowler, Noll and Vo)
  for (const char byte : word) digits = (digits ^ static_cast<unsigned char>(byte)) * 16777619U;
  digits ^= digits >> 16;
  Row vector;
  for (size_t i = 0; i < kNumbers; ++i, digits /= kValues) {
    vector.push_back(static_cast<double>(digits % kValues));
  }
  if (std::all_of(vector.begin(), vector.end(), [](double x) { return x == 0.0; })) vector[0] = 1.0;
  return vector;
}

}  // namespace nmt
