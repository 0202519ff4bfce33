#include "evaluation/score_files.h"

#include <spdlog/fmt/fmt.h>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "files/line_reader.h"
#include "files/output_file.h"
#include "files/paired_lines.h"
#include "formats/output_format.h"

namespace nmt {
namespace {

std::string score_line(double log_probability) { return fmt::format("{:.6f}\n", log_probability); }

void write_scores(const std::vector<PairScore>& scores, OutputFile& output) {
  for (const auto& score : scores) output.write(score_line(score.log_probability));
  output.finish();
}

std::string scored_line(int64_t number, const std::string& source, const Translation& translation,
                        const PairScoringRequest& request) {
  OutputFormat json;
  json.json = json.words = true;
  if (request.json) return format_translation(number, source, translation, json);
  if (request.words) return format_word_scores(translation);
  return score_line(translation.candidates.front().log_probability);
}

/// Decodes in parts, because word scores and alignments take much more memory than the text.
void decode_pairs(const Translator& translator, const std::vector<std::string>& sources,
                  const std::vector<std::string>& targets, const PairScoringRequest& request) {
  constexpr size_t kLines = 512;
  TranslationOptions options;
  options.words = true;
  options.batch_size = request.batch_size;
  OutputFile output(request.output);
  std::optional<OutputFile> alignments;
  if (!request.alignments.empty()) alignments.emplace(request.alignments);
  for (size_t begin = 0; begin < sources.size(); begin += kLines) {
    size_t line = begin;
    for (const auto& pair :
         translator.force_decode(part_of_lines(sources, begin, kLines),
                                 part_of_lines(targets, begin, kLines), options, begin + 1)) {
      if (alignments) alignments->write(format_alignment(pair));
      output.write(scored_line(static_cast<int64_t>(line + 1), sources[line], pair, request));
      ++line;
    }
  }
  output.finish();
  if (alignments) alignments->finish();
}

}  // namespace

void score_pairs(const PairScoringRequest& request) try {
  const auto [sources, targets] = read_paired_lines(request.source, request.target);
  const Translator translator(request.translator);
  translator.require_languages(sources, request.source);
  if (!request.alignments.empty()) translator.require_attention();
  warn_if_misread(translator, targets, request.target);
  if (request.words || request.json || !request.alignments.empty()) {
    return decode_pairs(translator, sources, targets, request);
  }
  OutputFile output(request.output);  // fails before the work, not after it
  write_scores(translator.score(sources, targets, request.batch_size), output);
} catch (const TextTooLong& error) {
  throw Error((error.is_source ? request.source : request.target).string() + ": " + error.what());
}

void score_lines(const LineScoringRequest& request) try {
  const auto lines = read_lines(request.input);
  OutputFile output(request.output);
  const auto scores = score_text(request.options, lines);
  write_scores(scores, output);
  if (scores.empty()) return;
  int64_t tokens = 0;
  for (const auto& score : scores) tokens += score.num_tokens;
  std::cerr << fmt::format("perplexity {:.3f}  lines {}  tokens {}\n", perplexity_of(scores),
                           scores.size(), tokens);
} catch (const TextTooLong& error) {
  throw Error(request.input.string() + ": " + error.what());
}

}  // namespace nmt
