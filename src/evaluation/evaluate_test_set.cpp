#include "evaluation/evaluate_test_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "errors/log.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "files/paired_lines.h"
#include "files/side_names.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/correlation.h"
#include "processes/interrupt.h"
#include "text/composed_form.h"
#include "translate/minimum_bayes_risk.h"
#include "translate/text_scoring.h"
#include "translate/untranslated_texts.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

/// Over the lines with a confidence and a reference.
std::optional<ConfidenceReport> confidence_report(const std::vector<Translation>& translations,
                                                  const References& references, bool lowercase) {
  ChrfOptions chrf;
  chrf.lowercase = lowercase;
  std::vector<double> confidences;
  std::vector<double> scores;
  for (size_t i = 0; i < translations.size(); ++i) {
    const auto confidence = translations[i].candidates.front().confidence;
    const auto possible = references.of(i);
    if (!confidence || possible.front().empty()) continue;
    confidences.push_back(*confidence);
    scores.push_back(chrf_of(count_chrf(translations[i].text, possible, chrf)));
  }
  if (confidences.empty()) return {};
  const double sum = std::accumulate(confidences.begin(), confidences.end(), 0.0);
  return ConfidenceReport{sum / static_cast<double>(confidences.size()),
                          pearson_correlation(confidences, scores)};
}

/// Translates in parts, so that a signal takes effect soon.
std::vector<Translation> translate_lines(const Translator& translator,
                                         const std::vector<std::string>& sources,
                                         const EvaluationRequest& request) {
  constexpr size_t kLines = 512;
  std::vector<Translation> translations;
  for (size_t begin = 0; begin < sources.size(); begin += kLines) {
    if (interrupted()) throw Interrupted("evaluation interrupted");
    auto part = translate_with_least_risk(translator, part_of_lines(sources, begin, kLines),
                                          request.translation, request.mbr_candidates);
    std::move(part.begin(), part.end(), std::back_inserter(translations));
  }
  UntranslatedTexts untranslated;
  for (size_t i = 0; i < translations.size(); ++i) {
    if (translations[i].candidates.front().untranslated) untranslated.add(sources[i]);
  }
  untranslated.warn("line");
  return translations;
}

/// Scores each pair; the log-probability is NaN if either text is too long.
std::vector<PairScore> scores_of(const Translator& translator, std::vector<std::string> sources,
                                 std::vector<std::string> references) {
  std::vector<size_t> too_long;
  while (true) {
    try {
      auto scores = translator.score(sources, references);
      for (const size_t i : too_long) scores[i].log_probability = std::nan("");
      return scores;
    } catch (const TextTooLong& error) {
      too_long.push_back(error.line - 1);
      sources[error.line - 1].clear();
      references[error.line - 1].clear();
    }
  }
}

/// The references of all files. Throws Error unless each has as many lines as the file `first`.
std::vector<std::vector<std::string>> read_references(const EvaluationRequest& request,
                                                      const std::filesystem::path& first,
                                                      size_t first_lines) {
  std::vector<std::vector<std::string>> files;
  for (const auto& path : request.references) {
    files.push_back(read_lines(path));
    require_paired_lines(first, first_lines, path, files.back().size());
  }
  return files;
}

/// Sets the perplexity over the lines with a source and a reference. An empty source can only be
/// translated by an empty line, so one such line with a reference would make the perplexity
/// infinite; an empty reference means that there is none. NaN marks a line that is too long.
void set_perplexity(const std::vector<PairScore>& scores,
                    const std::vector<std::string>& references, EvaluationReport& report) {
  std::vector<PairScore> possible;
  for (size_t i = 0; i < scores.size(); ++i) {
    const double log_probability = scores[i].log_probability;
    if (std::isnan(log_probability)) {
      ++report.lines_too_long;
    } else if (!std::isfinite(log_probability)) {
      ++report.lines_without_source;
    } else if (references[i].empty()) {
      ++report.lines_without_reference;
    } else {
      possible.push_back(scores[i]);
    }
  }
  if (!possible.empty()) report.perplexity = perplexity_of(possible);
}

/// Warns if the file names end in the model's languages, but swapped.
void warn_if_exchanged(const Translator& translator, const EvaluationRequest& request) {
  const auto& from = translator.source_language();
  const auto& into = translator.target_language();
  const auto& reference = request.references.front();
  if (from.empty() || from == into || plain_ending(request.source) != into ||
      plain_ending(reference) != from) {
    return;
  }
  log_warning("--source {} and --reference {}: the model translates from {} into {}; swap them",
              request.source.string(), reference.string(), from, into);
}

/// Warns if tokenizer 13a would count whole sentences as words.
void warn_of_missing_spaces(const References& references, const EvaluationOptions& options) {
  const bool by_13a = options.wants("bleu") && options.bleu.tokenizer == BleuTokenizer::k13a &&
                      !options.bleu.other_tokenizer;
  const auto suited = bleu_options_for(references).tokenizer;
  if (!by_13a || suited == BleuTokenizer::k13a) return;
  log_warning(
      "the references are mostly written without spaces, where BLEU by 13a counts whole sentences "
      "as words; use --tokenize {}",
      choice_name(suited));
}

struct CasedLetters {
  size_t letters = 0;
  size_t lower = 0;
  size_t upper = 0;

  void add(const std::string& text) {
    for (const char32_t code : to_code_points(text)) {
      if (is_letter(code)) ++letters;
      if (is_upper(code)) ++upper;
      // Georgian has capitals in headings only.
      const bool is_georgian = code >= 0x10D0 && code <= 0x10FF;
      if (is_lower(code) && !is_georgian) ++lower;
    }
  }

  /// As Tokenizer::in_known_case(), in a script that has case.
  bool lower_cased() const { return 200 * upper < lower && 2 * lower > letters; }
};

/// Warns if case counts, but only the references have capitals.
void warn_of_missing_capitals(const std::vector<std::string>& translations,
                              const References& references, const EvaluationOptions& options) {
  if (options.bleu.lowercase || !(options.wants("bleu") || options.wants("chrf"))) return;
  CasedLetters ours;
  CasedLetters theirs;
  for (size_t i = 0; i < translations.size(); ++i) {
    ours.add(translations[i]);
    for (const auto& reference : references.of(i)) theirs.add(reference);
  }
  if (!ours.lower_cased() || theirs.upper == 0 || theirs.lower_cased()) return;
  log_warning(
      "the translations are in lower case, but the references have capitals, which count in BLEU "
      "and chrF; use --lowercase");
}

/// Warns of references in another form of Unicode than the translations.
void warn_of_other_form(const std::vector<std::string>& translations,
                        const std::vector<std::vector<std::string>>& references) {
  for (const auto& file : references) {
    const auto warning = composed_form_warning(file, translations);
    if (!warning.empty()) log_warning("{}", warning);
  }
}

EvaluationReport evaluate_model(const EvaluationRequest& request) {
  const auto sources = read_lines(request.source);
  const auto files = read_references(request, request.source, sources.size());
  lines_with_reference(References(files));  // throws before the model translates
  const Translator translator(request.translator);
  auto texts = files;
  for (auto& lines : texts) lines = translator.as_translated(std::move(lines));
  const References references(std::move(texts));
  warn_of_missing_spaces(references, request.options);
  translator.require_languages(sources, request.source);
  warn_if_exchanged(translator, request);
  std::optional<OutputFile> output;  // fails before the work, not after it
  if (!request.translations.empty()) output.emplace(request.translations);
  const auto translations = translate_lines(translator, sources, request);
  std::vector<std::string> hypotheses;
  hypotheses.reserve(translations.size());
  for (const auto& translation : translations) hypotheses.push_back(translation.text);
  if (output) {
    for (const auto& line : hypotheses) output->write(line + "\n");
    output->finish();
  }
  warn_of_missing_capitals(hypotheses, references, request.options);
  warn_of_other_form(hypotheses, files);
  auto report = evaluate(hypotheses, references, request.options);
  report.confidence = confidence_report(translations, references, request.options.chrf.lowercase);
  if (translator.misreads(files.front())) {
    log_warning("{}: text, but this model reads tokens; no perplexity",
                request.references.front().string());
  } else {
    set_perplexity(scores_of(translator, sources, files.front()), files.front(), report);
  }
  return report;
}

}  // namespace

EvaluationReport evaluate_test_set(const EvaluationRequest& request) {
  require_two_outputs("-", request.translations);  // the report goes there
  if (request.hypothesis.empty()) return evaluate_model(request);
  const auto hypotheses = read_lines(request.hypothesis);
  const auto files = read_references(request, request.hypothesis, hypotheses.size());
  const References references(files);
  warn_of_missing_spaces(references, request.options);
  warn_of_missing_capitals(hypotheses, references, request.options);
  warn_of_other_form(hypotheses, files);
  return evaluate(hypotheses, references, request.options);
}

}  // namespace nmt
