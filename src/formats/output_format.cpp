#include "formats/output_format.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "files/json.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

// A translation is one line whatever the model says.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  return text;
}

std::string pharaoh(const std::vector<WordLink>& alignment) {
  std::string line;
  for (const auto& link : alignment) {
    line +=
        (line.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  }
  return line;
}

void add_words(OrderedJson& json, const TranslationCandidate& candidate, bool attention) {
  json["words"] = candidate.words;
  json["word_log_probabilities"] = candidate.word_log_probabilities;
  json["alignment"] = pharaoh(candidate.alignment);
  if (attention) json["word_attention"] = candidate.word_attention;
  json["warnings"] = candidate.warnings;
}

OrderedJson candidate_json(const TranslationCandidate& candidate, const OutputFormat& format) {
  OrderedJson json = {{"text", one_line(candidate.text)},
                      {"score", candidate.score},
                      {"log_probability", candidate.log_probability},
                      {"tokens", candidate.tokens},
                      {"token_log_probabilities", candidate.token_log_probabilities}};
  if (format.attention) json["attention"] = candidate.attention;
  if (format.words) add_words(json, candidate, format.attention);
  return json;
}

const char* shade(float weight) {
  static constexpr const char* kShades[] = {"  ·", " ░░", " ▒▒", " ▓▓", " ██"};
  const int level = weight < 0.05F  ? 0
                    : weight < 0.2F ? 1
                    : weight < 0.4F ? 2
                    : weight < 0.7F ? 3
                                    : 4;
  return kShades[level];
}

}  // namespace

OrderedJson translation_json(const std::string& source, const Translation& translation,
                             const OutputFormat& format) {
  OrderedJson json = {{"source", source},
                      {"translation", one_line(translation.text)},
                      {"source_tokens", translation.source_tokens}};
  if (format.words) json["source_words"] = translation.source_words;
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
      lines += fmt::format("{} ||| {} ||| {:.6f}\n", number - 1, one_line(candidate.text),
                           candidate.score);
    }
    return lines;
  }
  const auto text = one_line(translation.text) + "\n";
  if (!format.scores) return text;
  return fmt::format("{:.6f}\t{}", translation.candidates.front().score, text);
}

std::string format_alignment(const Translation& translation) {
  return pharaoh(translation.candidates.front().alignment) + "\n";
}

std::string attention_picture(const Translation& translation) {
  const auto& best = translation.candidates.front();
  if (best.attention.empty()) return "(no attention to show)\n";
  std::string picture;
  for (size_t i = 0; i < translation.source_tokens.size(); ++i) {
    picture += (i == 0 ? "" : "  ") + std::to_string(i + 1) + " " + translation.source_tokens[i];
  }
  const size_t width = std::max(display_width("(end)"), widest(best.tokens));
  picture += "\n" + padded_to("", width);
  for (size_t i = 0; i < translation.source_tokens.size(); ++i) {
    picture += fmt::format("{:3}", (i + 1) % 1000);
  }
  picture += "\n";
  for (size_t row = 0; row < best.attention.size(); ++row) {
    picture += padded_to(row < best.tokens.size() ? best.tokens[row] : "(end)", width);
    for (size_t i = 0; i < translation.source_tokens.size(); ++i) {
      picture += shade(best.attention[row][i]);
    }
    picture += "\n";
  }
  return picture;
}

}  // namespace nmt
