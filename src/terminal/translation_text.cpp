#include "terminal/translation_text.h"

#include <spdlog/fmt/fmt.h>

#include "unicode/characters.h"

namespace nmt {
namespace {

constexpr double kLowConfidence = 0.4;

std::string per_cent(double part) { return fmt::format("{:5.1f} %", 100.0 * part); }

}  // namespace

std::string candidates_text(const Translation& translation, bool scores) {
  std::string text;
  const bool numbered = translation.candidates.size() > 1;
  for (size_t i = 0; i < translation.candidates.size(); ++i) {
    const auto& candidate = translation.candidates[i];
    if (numbered) text += std::to_string(i + 1) + "  ";
    if (scores) text += fmt::format("{:.3f}  ", candidate.score);
    text += printable(candidate.text) + "\n";
  }
  const auto confidence = translation.candidates.front().confidence;
  if (confidence && *confidence < kLowConfidence) {
    text += fmt::format("(low confidence: {:.2f})\n", *confidence);
  }
  for (const auto& warning : translation.candidates.front().warnings) {
    text += "(" + printable(warning) + ")\n";
  }
  return text;
}

std::string time_text(const Translation& translation, double seconds) {
  const auto& best = translation.candidates.front();
  const auto confidence =
      best.confidence ? fmt::format("confidence {:.2f}, ", *best.confidence) : "";
  return fmt::format("{}log p {:.3f}, {} tokens, {:.1f} ms\n", confidence, best.log_probability,
                     best.tokens.size(), 1000 * seconds);
}

std::string alignment_text(const Translation& translation) {
  const auto& best = translation.candidates.front();
  const auto words = printable_all(best.words);
  const size_t width = widest(words);
  const bool weighted = best.word_attention.size() == words.size();  // false for very long lines
  std::string text;
  for (const auto& link : best.alignment) {
    const auto source = static_cast<size_t>(link.source);
    const auto target = static_cast<size_t>(link.target);
    text += padded_to(words[target], width) + "  " +
            (weighted ? per_cent(double{best.word_attention[target][source]}) + "  " : "") +
            printable(translation.source_words[source]) + "\n";
  }
  return text;
}

std::string alternatives_text(const std::vector<Alternative>& alternatives) {
  std::vector<std::string> words;
  for (const auto& other : alternatives) words.push_back(printable(other.word));
  const size_t width = widest(words);
  std::string text;
  for (const auto& other : alternatives) {
    text += padded_to(printable(other.word), width) + "  " + per_cent(other.probability) + "  " +
            printable(other.text) + "\n";
  }
  return text;
}

}  // namespace nmt
