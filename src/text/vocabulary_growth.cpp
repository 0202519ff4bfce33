#include "text/vocabulary_growth.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "errors/error.h"
#include "text/model_description.h"
#include "text/sentencepiece.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr int64_t kMinOccurrences = 2;

/// A piece of a word as it is being merged.
struct Symbol {
  std::string text;
  std::vector<int32_t> spelled;  // as old ids
  bool unknown = false;          // a character without a piece
  bool fixed = false;            // a byte or user-defined piece: never merged
};
using Word = std::vector<Symbol>;

bool operator<(const Symbol& a, const Symbol& b) { return a.text < b.text; }

class Growth {
 public:
  explicit Growth(const Tokenizer& tokenizer) : is_bpe_(type_of(tokenizer) == "bpe") {
    std::map<std::string, int32_t> ids;
    for (int32_t id = 0; id < tokenizer.vocabulary_size(); ++id) {
      ids.emplace(tokenizer.piece(id), id);
      all_.insert(tokenizer.piece(id));
    }
    for (const auto& piece : scored_pieces(tokenizer.bytes())) {
      ids_[piece.text] = ids.at(piece.text);
      scores_[piece.text] = piece.score;
      lowest_ = std::min(lowest_, piece.score);
    }
  }

  /// Counts the words of a text's pieces.
  void add(const std::vector<std::string>& pieces) {
    Word word;
    for (const auto& piece : pieces) {
      if (piece.rfind(kSpaceMark, 0) == 0 && !word.empty()) ++words_[std::exchange(word, {})];
      add_symbols(piece, word);
    }
    if (!word.empty()) ++words_[word];
  }

  /// Adds the most frequent new piece. False if no pair occurs twice and all characters are known.
  bool grow() {
    std::map<std::pair<Symbol, Symbol>, int64_t> pairs;
    std::map<Symbol, int64_t> characters;
    for (const auto& [word, count] : words_) {
      for (size_t i = 0; i < word.size(); ++i) {
        if (word[i].unknown) characters[word[i]] += count;
        if (i > 0 && can_merge(word[i - 1], word[i])) pairs[{word[i - 1], word[i]}] += count;
      }
    }
    const auto rarer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto pair = std::max_element(pairs.begin(), pairs.end(), rarer);
    const auto character = std::max_element(characters.begin(), characters.end(), rarer);
    const int64_t pair_count = pair == pairs.end() ? 0 : pair->second;
    const int64_t character_count = character == characters.end() ? 0 : character->second;
    if (pair_count < kMinOccurrences && character_count == 0) return false;
    if (character_count >= pair_count) {
      add_piece(character->first.text, {kUnknownId}, lowest_);
      replace_all({character->first});
    } else {
      const auto& [first, second] = pair->first;
      auto spelled = first.spelled;
      spelled.insert(spelled.end(), second.spelled.begin(), second.spelled.end());
      // Above the product of both probabilities, so that a unigram model prefers the new piece.
      add_piece(first.text + second.text, spelled,
                std::max(scores_.at(first.text), scores_.at(second.text)));
      replace_all({first, second});
    }
    return true;
  }

  GrownVocabulary finish(const Tokenizer& tokenizer) const {
    return {Tokenizer::from_bytes(tokenizer.bytes() + added_, "grown vocabulary").in_known_case(),
            spelled_};
  }

 private:
  static std::string type_of(const Tokenizer& tokenizer) {
    auto type = describe_sentencepiece_model(tokenizer.bytes()).type;
    if (type == "unigram" || type == "bpe") return type;
    throw Error("new pieces: a vocabulary of type " + type +
                " cannot get any; use a model with a unigram or bpe vocabulary");
  }

  /// Appends a piece, or the characters of unknown text, to the word.
  void add_symbols(const std::string& piece, Word& word) const {
    const auto known = ids_.find(piece);
    if (known != ids_.end()) {
      word.push_back({piece, {known->second}});
    } else if (all_.count(piece) > 0) {
      word.push_back({piece, {}, false, /*fixed=*/true});
    } else {
      for (const char32_t code : to_code_points(piece)) {
        word.push_back({to_utf8({&code, 1}), {kUnknownId}, /*unknown=*/true});
      }
    }
  }

  /// Whether both are normal pieces, and their concatenation is not a piece already, nor a word
  /// with its punctuation, which SentencePiece's training does not merge either.
  bool can_merge(const Symbol& a, const Symbol& b) const {
    const bool plain = !a.unknown && !b.unknown && !a.fixed && !b.fixed;
    if (!plain || all_.count(a.text + b.text) > 0) return false;
    const auto is_mark = [](char32_t code) { return is_punctuation(code) || is_symbol(code); };
    const bool mark = is_mark(to_code_points(a.text).back());
    return a.text == kSpaceMark || mark == is_mark(to_code_points(b.text).front());
  }

  void add_piece(const std::string& text, const std::vector<int32_t>& spelled, double score) {
    // BPE merges pairs in the order of their scores; new pieces come last.
    if (is_bpe_) score = lowest_ -= 1.0;
    all_.insert(text);
    scores_[text] = score;
    added_ += sentence_piece(text, PieceType::kNormal, static_cast<float>(score));
    spelled_.push_back(spelled);
  }

  /// Replaces this sequence of symbols in all words by the latest piece.
  void replace_all(const Word& symbols) {
    std::map<Word, int64_t> replaced;
    const auto same = [](const Symbol& a, const Symbol& b) { return a.text == b.text; };
    Symbol piece{"", spelled_.back()};
    for (const auto& symbol : symbols) piece.text += symbol.text;
    for (const auto& [word, count] : words_) {
      Word now;
      for (auto at = word.begin(); at != word.end();) {
        const bool here = static_cast<size_t>(word.end() - at) >= symbols.size() &&
                          std::equal(symbols.begin(), symbols.end(), at, same);
        now.push_back(here ? piece : *at);
        at += here ? static_cast<std::ptrdiff_t>(symbols.size()) : 1;
      }
      replaced[now] += count;
    }
    words_ = std::move(replaced);
  }

  bool is_bpe_;
  std::set<std::string> all_;
  std::map<std::string, int32_t> ids_;  // of pieces that stand for text
  std::map<std::string, double> scores_;
  double lowest_ = 0.0;
  std::map<Word, int64_t> words_;  // words and their counts
  std::string added_;              // serialised
  std::vector<std::vector<int32_t>> spelled_;
};

}  // namespace

GrownVocabulary grow_vocabulary(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                                int64_t count) {
  Growth growth(tokenizer);
  const auto model = sentencepiece().load(tokenizer.bytes());
  for (const auto& text : texts) {
    if (const auto pieces = model->encode_as_text(tokenizer.as_read(text))) growth.add(*pieces);
  }
  for (int64_t i = 0; i < count && growth.grow(); ++i) {
  }
  return growth.finish(tokenizer);
}

}  // namespace nmt
