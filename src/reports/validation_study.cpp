#include "reports/validation_study.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "data/hold_out.h"
#include "data/pair_reader.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/correlation.h"
#include "metrics/references.h"
#include "metrics/ter.h"
#include "text/target_languages.h"

namespace nmt {
namespace {

constexpr size_t kDrawn = 4;
constexpr int64_t kMaxDrawnWords = 16;

/// At most `limit` of the lines (0: all): the first ones or, if `spread`, evenly spaced ones.
std::vector<size_t> some_of(const std::vector<size_t>& lines, int64_t limit, bool spread) {
  const size_t most = limit > 0 ? std::min(lines.size(), static_cast<size_t>(limit)) : lines.size();
  std::vector<size_t> some(most);
  for (size_t i = 0; i < most; ++i) some[i] = lines[spread ? i * lines.size() / most : i];
  return some;
}

std::vector<TranslatedSentence> translate_all(const Translator& translator,
                                              const std::vector<std::string>& sources,
                                              const std::vector<std::string>& references,
                                              const std::vector<size_t>& lines) {
  std::vector<std::string> part;
  for (const size_t i : lines) part.push_back(sources[i]);
  const auto translations = translator.translate(part);
  std::vector<TranslatedSentence> sentences;
  for (size_t k = 0; k < lines.size(); ++k) {
    const size_t i = lines[k];
    const auto& text = translations[k].text;
    // The target language that a line names is not one of its words.
    sentences.push_back({static_cast<int64_t>(i + 1), std::string(split_marker(sources[i]).text),
                         text, references[i], corpus_chrf({text}, {references[i]}),
                         translations[k].candidates.front().confidence});
  }
  return sentences;
}

void score(ValidationStudy& study) {
  std::vector<std::string> translations;
  for (const auto& sentence : study.sentences) translations.push_back(sentence.translation);
  const auto references = references_of(study.sentences);
  study.bleu = corpus_bleu(translations, references, bleu_options_for(references)).score;
  study.chrf = corpus_chrf(translations, references);
  study.ter = corpus_ter(translations, references);
}

void study_confidence(ValidationStudy& study) {
  std::vector<double> confidences;
  std::vector<double> scores;
  for (const auto& sentence : study.sentences) {
    if (!sentence.confidence) continue;
    confidences.push_back(*sentence.confidence);
    scores.push_back(sentence.chrf);
  }
  study.confidences = by_confidence(study.sentences);
  study.confidence_correlation = pearson_correlation(confidences, scores);
}

/// Counts the words of the pairs that the run was trained on.
void study_frequencies(const Translator& translator, const DataConfig& data,
                       ValidationStudy& study) try {
  constexpr size_t kLines = 4096;  // at a time
  if (data.train_target.empty() || data.train_source.size() != data.train_target.size()) {
    throw Error("config.yaml names no training text");
  }
  const auto held_out = left_out_sentences(data);
  auto counts = words_of_references(references_of(study.sentences));
  std::vector<std::string> lines;
  const auto count_lines = [&] {
    for (const auto& line : translator.as_translated(lines)) count_words(line, counts);
    lines.clear();
  };
  for (size_t i = 0; i < data.train_target.size(); ++i) {
    for_each_pair(data.train_source[i], data.train_target[i],
                  [&](int64_t, const std::string& source, const std::string& target) {
                    if (held_out.contains(source) || held_out.contains(target)) return;
                    lines.push_back(target);
                    if (lines.size() == kLines) count_lines();
                  });
  }
  count_lines();
  study.frequencies = by_frequency(study.sentences, counts);
} catch (const Error& error) {
  study.why_no_frequencies = error.what();
}

/// From each part of the text, the longest sentence that fits on a page.
void draw_some(const Translator& translator, const std::vector<std::string>& sources,
               ValidationStudy& study) {
  const size_t count = std::min(kDrawn, study.sentences.size());
  std::vector<std::string> lines;
  const auto worth = [](const TranslatedSentence& sentence) {
    const auto words = length_in_words(sentence.source);
    return words > kMaxDrawnWords ? 0 : words;
  };
  for (size_t i = 0; i < count; ++i) {
    const auto first = [&](size_t part) {
      return study.sentences.begin() +
             static_cast<std::ptrdiff_t>(part * study.sentences.size() / count);
    };
    const auto sentence = std::max_element(
        first(i), first(i + 1),
        [&](const auto& one, const auto& other) { return worth(one) < worth(other); });
    study.drawn.push_back({*sentence, {}});
    lines.push_back(sources[static_cast<size_t>(sentence->line - 1)]);
  }
  TranslationOptions options;
  options.scores = options.attention = options.words = true;
  const auto translations = translator.translate(lines, options);
  for (size_t i = 0; i < count; ++i) study.drawn[i].attention = attention_matrix(translations[i]);
}

}  // namespace

ValidationStudy study_validation(const Translator& translator, const StudyTexts& texts) {
  const auto sources = read_lines(texts.source);
  const auto references = translator.as_translated(read_lines(texts.reference));
  require_paired_lines(texts.source, sources.size(), texts.reference, references.size());
  if (sources.empty()) throw Error(texts.source.string() + ": empty; use a text with sentences");
  translator.require_languages(sources, texts.source);
  // The text may be sorted by language.
  const bool spread = !translator.target_languages().empty();
  const auto lines = some_of(lines_with_reference(references), texts.max_sentences, spread);
  ValidationStudy study;
  study.sentences = translate_all(translator, sources, references, lines);
  score(study);
  study.lengths = by_length(study.sentences);
  study_confidence(study);
  study_frequencies(translator, texts.training, study);
  draw_some(translator, sources, study);
  // At equal chrF2 the shorter sentence ranks worse: it was easier.
  std::stable_sort(study.sentences.begin(), study.sentences.end(),
                   [](const auto& one, const auto& other) {
                     return std::make_tuple(one.chrf, length_in_words(one.source)) <
                            std::make_tuple(other.chrf, length_in_words(other.source));
                   });
  return study;
}

}  // namespace nmt
