#include "translate/assembly.h"

#include <algorithm>
#include <string>
#include <utility>

#include "translate/warnings.h"

namespace nmt {
namespace {

// Weights between words that are returned: the matrix of a line of many parts is mostly zeros and
// grows with the square of its length.
constexpr size_t kMaxWordWeights = size_t{1} << 22;

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

std::vector<double> word_log_probabilities(const Hypothesis& hypothesis, const Words& words) {
  std::vector<double> sums(words.texts.size(), 0.0);
  for (size_t t = 0; t < words.of_token.size(); ++t) {
    sums[words.of_token[t]] += double{hypothesis.token_log_probabilities[t]};
  }
  return sums;
}

/// One candidate of a line, which grows by the translations of its parts.
class CandidateBuilder {
 public:
  CandidateBuilder(const SourceLine& line, const Tokenizer& target,
                   const TranslationOptions& options)
      : line_(line), target_(target), options_(options), seen_(line.words.texts.size(), 0.0) {}

  void add(const Hypothesis& part) {
    add_tokens(part);
    const bool by_words = options_.words || options_.copy_unknown;
    if (!by_words || line_.tokens.empty()) {
      add_text(target_.decode(part.tokens));
    } else {
      add_by_words(part);
    }
    first_source_ += line_.parts[part_].size();
    ++part_;
  }

  TranslationCandidate finish() {
    if (!options_.words || line_.tokens.empty()) return std::move(whole_);
    whole_.word_log_probabilities.push_back(ends_);
    warn(repetition_warning(line_.words.texts, whole_.words));
    if (!whole_.alignment.empty()) warn(coverage_warning(line_.words.texts, seen_));
    return std::move(whole_);
  }

 private:
  void add_by_words(const Hypothesis& part) {
    auto words = merge_pieces(part.tokens, target_);
    const auto attention = word_attention(part.attention, line_.words, first_source_,
                                          line_.parts[part_].size(), words);
    const bool copied = options_.copy_unknown && copy_unknown(part.tokens, attention, words);
    add_text(copied ? joined(words.texts) : target_.decode(part.tokens));
    if (options_.words) add_words(part, words, attention);
  }

  /// The source word with most attention for each word that has an unknown piece.
  bool copy_unknown(const std::vector<int32_t>& tokens,
                    const std::vector<std::vector<float>>& attention, Words& words) const {
    bool copied = false;
    const auto links = strongest_links(attention);
    if (links.empty()) return false;
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t] != kUnknownId) continue;
      const size_t word = words.of_token[t];
      words.texts[word] = line_.words.texts[static_cast<size_t>(links[word].source)];
      copied = true;
    }
    return copied;
  }

  void add_text(const std::string& text) {
    if (!whole_.text.empty() && !text.empty()) whole_.text += ' ';
    whole_.text += text;
  }

  void add_tokens(const Hypothesis& part) {
    whole_.score += part.score;
    whole_.log_probability += part.log_probability;
    for (const int32_t token : part.tokens) whole_.tokens.push_back(target_.piece(token));
    for (const float value : part.token_log_probabilities) {
      whole_.token_log_probabilities.push_back(double{value});
    }
    // Rows of different parts attend to different tokens and do not make one matrix.
    if (options_.attention && line_.parts.size() == 1) whole_.attention = part.attention;
  }

  void add_words(const Hypothesis& part, const Words& words,
                 const std::vector<std::vector<float>>& attention) {
    for (auto link : strongest_links(attention)) {
      link.target += static_cast<int64_t>(whole_.words.size());
      whole_.alignment.push_back(link);
    }
    append(whole_.words, words.texts);
    append(whole_.word_log_probabilities, word_log_probabilities(part, words));
    ends_ += double{part.token_log_probabilities.back()};
    if (whole_.words.size() * line_.words.texts.size() <= kMaxWordWeights) {
      append(whole_.word_attention, attention);
    } else {
      whole_.word_attention = {};
    }
    for (const auto& weights : part.attention) {
      for (size_t s = 0; s < line_.parts[part_].size(); ++s) {
        seen_[line_.words.of_token[first_source_ + s]] += double{weights[s]};
      }
    }
    warn(length_warning(static_cast<int64_t>(part.tokens.size()), line_.limits[part_]));
  }

  void warn(const std::string& warning) {
    if (!warning.empty()) whole_.warnings.push_back(warning);
  }

  const SourceLine& line_;
  const Tokenizer& target_;
  const TranslationOptions& options_;
  std::vector<double> seen_;  // attention that each source word got
  double ends_ = 0.0;         // log-probability of the parts' ends
  size_t part_ = 0;
  size_t first_source_ = 0;  // token of the part
  TranslationCandidate whole_;
};

}  // namespace

Translation assemble(const SourceLine& line, const std::vector<Hypothesis>* found,
                     const Tokenizer& source, const Tokenizer& target,
                     const TranslationOptions& options) {
  Translation translation;
  size_t candidates = found->size();
  for (size_t i = 0; i < line.parts.size(); ++i) candidates = std::min(candidates, found[i].size());
  for (size_t rank = 0; rank < candidates; ++rank) {
    CandidateBuilder candidate(line, target, options);
    for (size_t i = 0; i < line.parts.size(); ++i) candidate.add(found[i][rank]);
    translation.candidates.push_back(candidate.finish());
  }
  translation.text = translation.candidates.front().text;
  for (const int32_t token : line.tokens) translation.source_tokens.push_back(source.piece(token));
  if (options.words) translation.source_words = line.words.texts;
  return translation;
}

}  // namespace nmt
