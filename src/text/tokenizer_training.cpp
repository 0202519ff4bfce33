#include "text/tokenizer_training.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <random>

#include "support/error.h"
#include "support/line_reader.h"
#include "support/utf8.h"
#include "text/bridge_loader.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr size_t kLongestLineBytes = 1 << 16;

void append_text(void* text, const char* data, size_t size) {
  static_cast<std::string*>(text)->append(data, size);
}

/// A uniform sample of the lines of all corpora (reservoir sampling), in memory.
std::vector<std::string> sample_lines(const TokenizerTraining& training) {
  std::mt19937_64 random(training.seed);
  std::vector<std::string> sample;
  int64_t seen = 0;
  std::string line;
  for (const auto& path : training.corpora) {
    for (LineReader reader(path); reader.next(line);) {
      require_utf8(line, path.string(), reader.line_number());
      if (line.empty() || line.size() > kLongestLineBytes) continue;
      ++seen;
      if (training.max_sentences == 0 || seen <= training.max_sentences) {
        sample.push_back(line);
        continue;
      }
      const uint64_t place = random() % static_cast<uint64_t>(seen);
      if (place < sample.size()) sample[place] = line;
    }
  }
  if (sample.empty()) {
    throw Error(training.corpora.front().string() + ": no text to train a vocabulary from");
  }
  return sample;
}

struct LineCursor {
  const std::vector<std::string>& lines;
  size_t next = 0;

  static const char* read(void* cursor, size_t* size) {
    auto& self = *static_cast<LineCursor*>(cursor);
    if (self.next == self.lines.size()) return nullptr;
    const std::string& line = self.lines[self.next++];
    *size = line.size();
    return line.data();
  }
};

struct Attempt {
  bool ok = false;
  std::string model;
  std::string error;
};

Attempt attempt(const std::map<std::string, std::string>& options,
                const std::vector<std::string>& lines) {
  std::vector<NmtTrainingOption> list;
  for (const auto& [name, value] : options) list.push_back({name.c_str(), value.c_str()});
  LineCursor cursor{lines};
  std::string text;
  Attempt result;
  result.ok = sentencepiece().train(list.data(), list.size(), LineCursor::read, &cursor,
                                    append_text, append_text, &text) != 0;
  (result.ok ? result.model : result.error) = std::move(text);
  return result;
}

std::map<std::string, std::string> trainer_options(const TokenizerTraining& training) {
  return {{"model_type", training.type},
          {"vocab_size", std::to_string(training.vocabulary_size)},
          {"character_coverage", std::to_string(training.character_coverage)},
          {"byte_fallback", training.byte_fallback ? "true" : "false"},
          {"normalization_rule_name", training.normalization},
          {"num_threads", std::to_string(std::max(training.threads, 1))},
          {"max_sentence_length", std::to_string(kLongestLineBytes)},
          {"pad_id", std::to_string(kPadId)},
          {"unk_id", std::to_string(kUnknownId)},
          {"bos_id", std::to_string(kBosId)},
          {"eos_id", std::to_string(kEosId)},
          {"minloglevel", "2"}};
}

/// The bound in SentencePiece's "… Please set it to a value <= 123": the text supports no more.
std::optional<int64_t> largest_size(const std::string& error) {
  const std::string mark = "value <= ";
  const auto at = error.find(mark);
  if (at == std::string::npos) return std::nullopt;
  int64_t size = 0;
  const char* begin = error.data() + at + mark.size();
  const auto parsed = std::from_chars(begin, error.data() + error.size(), size);
  return parsed.ec == std::errc() ? std::optional(size) : std::nullopt;
}

}  // namespace

std::string train_tokenizer(const TokenizerTraining& training) {
  const auto lines = sample_lines(training);
  auto options = trainer_options(training);
  auto result = attempt(options, lines);
  if (!result.ok) {
    if (const auto size = largest_size(result.error)) {
      options["vocab_size"] = std::to_string(*size);
      result = attempt(options, lines);
    }
  }
  if (!result.ok) {
    throw Error("a vocabulary of " + std::to_string(training.vocabulary_size) +
                " pieces cannot be trained on this text: " + result.error);
  }
  return result.model;
}

}  // namespace nmt
