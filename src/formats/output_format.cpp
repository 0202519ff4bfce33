#include "formats/output_format.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "files/json.h"
#include "formats/n_best_list.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

// A translation is one line, even if the model outputs line breaks.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  return text;
}

OrderedJson candidate_json(const TranslationCandidate& candidate, const OutputFormat& format) {
  OrderedJson json = {{"text", one_line(candidate.text)},
                      {"score", candidate.score},
                      {"log_probability", candidate.log_probability},
                      {"tokens", candidate.tokens},
                      {"token_log_probabilities", candidate.token_log_probabilities}};
  if (candidate.confidence) json["confidence"] = *candidate.confidence;
  if (format.attention) json["attention"] = candidate.attention;
  if (!format.words) return json;
  json["words"] = candidate.words;
  json["word_log_probabilities"] = candidate.word_log_probabilities;
  json["alignment"] = format_links(candidate.alignment);
  if (format.attention) json["word_attention"] = candidate.word_attention;
  json["warnings"] = candidate.warnings;
  return json;
}

}  // namespace

std::string format_links(const std::vector<WordLink>& links) {
  std::string line;
  for (const auto& link : links) {
    line +=
        (line.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  }
  return line;
}

OrderedJson translation_json(const std::string& source, const Translation& translation,
                             const OutputFormat& format) {
  OrderedJson json = {{"source", source},
                      {"translation", one_line(translation.text)},
                      {"source_tokens", translation.source_tokens}};
  if (translation.passed_through) json["passed_through"] = true;
  for (const auto& term : translation.terms) {
    json["terms"].push_back(
        {{"source", term.source}, {"target", term.target}, {"used", translation.has(term)}});
  }
  if (format.words) {
    json["source_words"] = translation.source_words;
    json["unknown_words"] = translation.unknown_words;
    json["unknown_share"] = translation.unknown_share;
    json["foreign_share"] = translation.foreign_share;
  }
  for (const auto& candidate : translation.candidates) {
    json["candidates"].push_back(candidate_json(candidate, format));
  }
  return json;
}

std::string format_translation(int64_t number, const std::string& source,
                               const Translation& translation, const OutputFormat& format) {
  if (format.json) {
    OrderedJson json = {{"line", number}};
    json.update(translation_json(source, translation, format));
    return dump_json(json) + "\n";
  }
  if (format.n_best) {
    std::string lines;
    for (const auto& candidate : translation.candidates) {
      NBestEntry entry{number - 1, one_line(candidate.text), "", candidate.score};
      entry.add_feature("nmt", candidate.log_probability);
      lines += format_n_best_entry(entry);
    }
    return lines;
  }
  auto text = one_line(translation.text) + "\n";
  if (!format.scores) return text;
  return fmt::format("{:.6f}\t{}", translation.candidates.front().score, text);
}

std::string format_word_scores(const Translation& translation) {
  const auto& candidate = translation.candidates.front();
  auto line = fmt::format("{:.6f}\t", candidate.log_probability);
  const auto& values = candidate.word_log_probabilities;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_word = i < candidate.words.size();
    line += fmt::format("{}{}|{:.4f}", i == 0 ? "" : " ", is_word ? candidate.words[i] : "</s>",
                        values[i]);
  }
  return line + "\n";
}

std::string format_alignment(const Translation& translation) {
  return format_links(translation.candidates.front().alignment) + "\n";
}

}  // namespace nmt
