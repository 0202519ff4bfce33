#include "text/tokenizer_training.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "errors/error.h"
#include "files/line_reader.h"
#include "numbers/random.h"
#include "text/line_parts.h"
#include "text/placeholders.h"
#include "text/sentencepiece.h"
#include "text/special_tokens.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

// SentencePiece silently drops longer lines, and words of tens of thousands of characters crash its
// trainers. Longer lines are split.
constexpr size_t kLongestSampleBytes = 4000;

constexpr int64_t kLargestVocabulary = 1000000;

// SentencePiece uses U+2585 internally for characters outside the vocabulary and drops lines that
// contain it.
constexpr std::string_view kReserved = "\u2585";

/// Keeps a uniform sample of lines within the limits: those with the smallest random numbers
/// (bottom-k sketch; Cohen and Kaplan 2007).
class LineSample {
 public:
  /// max_lines 0: any number.
  LineSample(int64_t max_lines, int64_t max_bytes, uint64_t seed)
      : max_lines_(static_cast<size_t>(max_lines)),
        max_bytes_(static_cast<size_t>(max_bytes)),
        random_(seed, 0) {}

  void add(std::string_view text) {
    const uint64_t rank = random_.next();
    if (rank > largest_) return;
    bytes_ += text.size();
    lines_.push_back({rank, num_added_++, std::string(text)});
    std::push_heap(lines_.begin(), lines_.end(), by_rank);
    while (is_too_large() && lines_.size() > 1) {
      std::pop_heap(lines_.begin(), lines_.end(), by_rank);
      largest_ = lines_.back().rank;
      bytes_ -= lines_.back().text.size();
      lines_.pop_back();
    }
  }

  /// The sampled lines, in the order in which they were added.
  std::vector<std::string> take() {
    std::sort(lines_.begin(), lines_.end(),
              [](const Line& a, const Line& b) { return a.number < b.number; });
    std::vector<std::string> texts;
    for (auto& line : lines_) texts.push_back(std::move(line.text));
    return texts;
  }

 private:
  struct Line {
    uint64_t rank;
    uint64_t number;
    std::string text;
  };

  static bool by_rank(const Line& a, const Line& b) { return a.rank < b.rank; }

  bool is_too_large() const {
    return bytes_ > max_bytes_ || (max_lines_ > 0 && lines_.size() > max_lines_);
  }

  size_t max_lines_;
  size_t max_bytes_;
  Random random_;
  std::vector<Line> lines_;  // a heap, the largest rank first
  size_t bytes_ = 0;         // total size of lines_
  uint64_t num_added_ = 0;
  uint64_t largest_ = ~uint64_t{0};  // largest rank that can still enter
};

std::vector<std::string> sample_lines(const TokenizerTraining& training) {
  LineSample sample(training.max_sentences, training.max_bytes, training.seed);
  std::string line;
  for (const auto& path : training.corpora) {
    LineReader reader(path);
    for (reader.require_text(); reader.next(line);) {
      require_utf8(line, path.string(), reader.line_number());
      if (training.held_out.contains(line)) continue;
      replace_all(line, kReserved, " ");
      line = with_placeholders(line, training.placeholders);
      // SentencePiece aborts the process if normalization removes all of the text. It always
      // keeps letters and digits.
      if (!has_letter_or_number(line)) continue;
      for (const auto part : split_line(line, kLongestSampleBytes)) sample.add(part);
    }
  }
  auto lines = sample.take();
  if (lines.empty()) {
    throw Error(training.corpora.front().string() + ": no text to train a vocabulary from");
  }
  return lines;
}

std::string symbols(const std::vector<SpanKind>& placeholders) {
  std::string list;
  for (const SpanKind kind : placeholders) {
    list += list.empty() ? "" : ",";
    list += placeholder_of(kind);
  }
  return list;
}

std::map<std::string, std::string> trainer_options(const TokenizerTraining& training) {
  return {{"user_defined_symbols", symbols(training.placeholders)},
          {"model_type", choice_name(training.type)},
          {"vocab_size", std::to_string(training.vocabulary_size)},
          {"hard_vocab_limit", "false"},  // fewer pieces where the text has no more
          {"character_coverage", std::to_string(training.character_coverage)},
          {"byte_fallback", training.byte_fallback ? "true" : "false"},
          {"normalization_rule_name", choice_name(training.normalization)},
          {"num_threads", std::to_string(std::max(training.threads, 1))},
          {"pad_id", std::to_string(kPadId)},
          {"unk_id", std::to_string(kUnknownId)},
          {"bos_id", std::to_string(kBosId)},
          {"eos_id", std::to_string(kEosId)},
          {"minloglevel", "2"}};
}

/// Parses "Vocabulary size is smaller than required_chars. 10 vs 57. …": the only way to learn the
/// minimum, 57 here, from SentencePiece. It needs a piece for each covered character and special
/// token.
std::optional<int64_t> smallest_size(const std::string& message) {
  constexpr std::string_view kMark = " vs ";
  const auto at = message.find(kMark);
  if (at == std::string::npos) return std::nullopt;
  int64_t number = 0;
  const char* end = message.data() + message.size();
  const auto parsed = std::from_chars(message.data() + at + kMark.size(), end, number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

void require_possible(const TokenizerTraining& training) {
  if (training.corpora.empty()) throw Error("vocabulary: no corpus to train it from was given");
  if (!(training.character_coverage >= 0.98 && training.character_coverage <= 1.0)) {
    throw Error("vocabulary character coverage: must lie in [0.98, 1]");
  }
  if (training.vocabulary_size <= kEosId + 1) {
    throw Error("vocabulary size: " + std::to_string(training.vocabulary_size) +
                " leaves no room for pieces besides the four special tokens");
  }
  if (training.vocabulary_size > kLargestVocabulary) {
    throw Error("vocabulary size: " + std::to_string(training.vocabulary_size) + " is more than " +
                std::to_string(kLargestVocabulary));
  }
  if (training.max_sentences < 0) {
    throw Error("vocabulary: the number of sentences to train from must not be negative");
  }
}

[[noreturn]] void throw_untrainable(const TokenizerTraining& training, const std::string& message) {
  const std::string size = std::to_string(training.vocabulary_size);
  if (const auto least = smallest_size(message)) {
    throw Error("vocabulary size: " + size + " is too small for this text, which needs at least " +
                std::to_string(*least) + "; raise the size or lower the character coverage");
  }
  throw Error("a vocabulary of " + size + " pieces cannot be trained on this text: " + message);
}

}  // namespace

std::string train_tokenizer(const TokenizerTraining& training) {
  require_possible(training);
  const auto lines = sample_lines(training);
  size_t next = 0;
  auto result = sentencepiece().train(
      {trainer_options(training), [&] { return next < lines.size() ? &lines[next++] : nullptr; }});
  if (!result.error.empty()) throw_untrainable(training, result.error);
  return std::move(result.model);
}

}  // namespace nmt
