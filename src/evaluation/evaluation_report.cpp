#include "evaluation/evaluation_report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "errors/counted.h"
#include "files/json.h"
#include "metrics/correlation.h"
#include "metrics/ngrams.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string bleu_line(const BleuScore& bleu, const std::string& signature) {
  const auto& p = bleu.precisions;
  const double ratio = static_cast<double>(bleu.hypothesis_length) /
                       static_cast<double>(std::max<int64_t>(bleu.reference_length, 1));
  return fmt::format(
             "BLEU {:.2f}  ({:.1f}/{:.1f}/{:.1f}/{:.1f}  brevity-penalty {:.3f}  ratio {:.3f}  "
             "words {} of {})  ",
             bleu.score, p[0], p[1], p[2], p[3], bleu.brevity_penalty, ratio,
             bleu.hypothesis_length, bleu.reference_length) +
         signature + "\n";
}

/// One line about lines left out, or "" if there are none.
std::string left_out_line(const char* leaves_out, int64_t lines, const char* kind) {
  if (lines == 0) return "";
  return fmt::format("{} {} {}\n", leaves_out, counted(lines, "line"), kind);
}

}  // namespace

bool EvaluationOptions::wants(const std::string& metric) const {
  return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
}

EvaluationReport evaluate(const std::vector<std::string>& translations,
                          const References& references, const EvaluationOptions& options) {
  require_pairs(translations, references);
  const auto lines = lines_with_reference(references);
  std::vector<std::string> hypotheses(translations.size());  // two empty sides add to no metric
  for (const size_t i : lines) hypotheses[i] = translations[i];
  EvaluationReport report;
  report.lines = static_cast<int64_t>(translations.size());
  report.lines_left_out = report.lines - static_cast<int64_t>(lines.size());
  report.references = references.count();
  if (options.wants("bleu")) report.bleu = corpus_bleu(hypotheses, references, options.bleu);
  if (options.wants("chrf")) report.chrf = corpus_chrf(hypotheses, references, options.chrf);
  if (options.wants("ter")) report.ter = corpus_ter(hypotheses, references, options.ter);
  return report;
}

std::string to_text(const EvaluationReport& report, const EvaluationOptions& options) {
  std::string text;
  if (report.bleu) text += bleu_line(*report.bleu, bleu_signature(options.bleu, report.references));
  if (report.chrf) {
    const auto pluses = std::string(static_cast<size_t>(options.chrf.word_order), '+');
    text += fmt::format("chrF2{} {:.2f}  {}\n", pluses, *report.chrf,
                        chrf_signature(options.chrf, report.references));
  }
  if (report.ter) {
    text +=
        fmt::format("TER {:.2f}  {}\n", *report.ter, ter_signature(options.ter, report.references));
  }
  if (report.perplexity) {
    text +=
        fmt::format("perplexity {:.3f}  per token, end of sentence included\n", *report.perplexity);
  }
  if (report.confidence) {
    text += fmt::format("confidence {:.3f}  mean; Pearson correlation with sentence chrF2: {}\n",
                        report.confidence->mean, correlation_text(report.confidence->correlation));
  }
  const char* perplexity = "perplexity leaves out";
  return text +
         left_out_line("BLEU, chrF2 and TER leave out", report.lines_left_out,
                       "without a reference") +
         left_out_line(perplexity, report.lines_without_source, "with an empty source") +
         left_out_line(perplexity, report.lines_without_reference, "with an empty reference") +
         left_out_line(perplexity, report.lines_too_long, "of over 2000 tokens");
}

std::string to_json(const EvaluationReport& report, const EvaluationOptions& options) {
  OrderedJson json = {{"lines", report.lines}};
  if (report.lines_left_out > 0) json["lines_left_out"] = report.lines_left_out;
  if (report.bleu) {
    json["bleu"] = {{"score", report.bleu->score},
                    {"precisions", report.bleu->precisions},
                    {"brevity_penalty", report.bleu->brevity_penalty},
                    {"hypothesis_length", report.bleu->hypothesis_length},
                    {"reference_length", report.bleu->reference_length},
                    {"signature", bleu_signature(options.bleu, report.references)}};
  }
  if (report.chrf) {
    json["chrf"] = {{"score", *report.chrf},
                    {"signature", chrf_signature(options.chrf, report.references)}};
  }
  if (report.ter) {
    json["ter"] = {{"score", *report.ter},
                   {"signature", ter_signature(options.ter, report.references)}};
  }
  if (report.perplexity) json["perplexity"] = *report.perplexity;
  if (report.confidence) {
    json["confidence"] = {{"mean", report.confidence->mean},
                          {"correlation", report.confidence->correlation}};
  }
  const auto excluded =
      report.lines_without_source + report.lines_without_reference + report.lines_too_long;
  if (excluded > 0) json["perplexity_excluded_lines"] = excluded;
  return dump_json(json) + "\n";
}

}  // namespace nmt
