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

// SentencePiece drops longer lines without a word, and words of tens of thousands of characters
// end its trainers. A longer line is trained from in parts.
constexpr size_t kLongestSampleBytes = 4000;

constexpr int64_t kLargestVocabulary = 1000000;

// SentencePiece writes U+2585 for characters outside the vocabulary and drops lines that have it.
constexpr std::string_view kReserved = "\u2585";

/// SentencePiece ends the process if its normalizer removes all of the text; letters and digits
/// are always kept.
bool has_letter_or_digit(std::string_view text) {
  const auto codes = to_code_points(text);
  return std::any_of(codes.begin(), codes.end(),
                     [](char32_t code) { return is_letter(code) || is_number(code); });
}

/// Keeps a uniform sample of the lines it is given (reservoir sampling; Vitter 1985, algorithm R).
class LineSample {
 public:
  LineSample(int64_t max_lines, uint64_t seed)
      : max_lines_(static_cast<uint64_t>(max_lines)), random_(seed, 0) {}

  void add(std::string line) {
    ++num_seen_;
    if (max_lines_ == 0 || lines.size() < max_lines_) {
      lines.push_back(std::move(line));
    } else if (const uint64_t place = random_.below(num_seen_); place < max_lines_) {
      lines[place] = std::move(line);
    }
  }

  /// Drops lines at random until the rest has no more bytes than that.
  void shrink(int64_t max_bytes) {
    int64_t bytes = 0;
    for (const auto& line : lines) bytes += static_cast<int64_t>(line.size());
    if (bytes <= max_bytes) return;
    shuffle(lines, random_);
    for (; bytes > max_bytes && lines.size() > 1; lines.pop_back()) {
      bytes -= static_cast<int64_t>(lines.back().size());
    }
  }

  std::vector<std::string> lines;

 private:
  uint64_t max_lines_;
  uint64_t num_seen_ = 0;
  Random random_;
};

std::vector<std::string> sample_lines(const TokenizerTraining& training) {
  LineSample sample(training.max_sentences, training.seed);
  std::string line;
  for (const auto& path : training.corpora) {
    LineReader reader(path);
    for (reader.require_text(); reader.next(line);) {
      require_utf8(line, path.string(), reader.line_number());
      if (training.held_out.contains(line)) continue;
      replace_all(line, kReserved, " ");
      line = with_placeholders(line, training.placeholders);
      if (!has_letter_or_digit(line)) continue;
      for (const auto part : split_line(line, kLongestSampleBytes)) sample.add(std::string(part));
    }
  }
  if (sample.lines.empty()) {
    throw Error(training.corpora.front().string() + ": no text to train a vocabulary from");
  }
  sample.shrink(training.max_bytes);
  return std::move(sample.lines);
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

/// "Vocabulary size is smaller than required_chars. 10 vs 57. …": SentencePiece has no other way to
/// ask for the 57, a piece for each covered character and special token.
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
