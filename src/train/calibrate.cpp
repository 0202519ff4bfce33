#include "train/calibrate.h"

#include <ATen/Parallel.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "checkpoint/model.h"
#include "config/settings_io.h"
#include "decode/confidence.h"
#include "errors/error.h"
#include "files/folder_lock.h"
#include "metrics/chrf.h"
#include "metrics/correlation.h"
#include "nn/device.h"
#include "processes/interrupt.h"
#include "text/letterless_sentences.h"
#include "text/placeholders.h"
#include "text/target_languages.h"
#include "text/word_vocabulary.h"
#include "threads/threads.h"

namespace nmt {
namespace {

std::vector<CalibrationSentence> translate_sentences(const StoredModel& model,
                                                     const PairedLines& texts,
                                                     const TranslationSearch& search,
                                                     const c10::Device& device) {
  const TargetLanguages languages(model.source);
  const auto placeholders = placeholders_of({model.source, model.target});
  const auto lines = calibration_lines(model.source, texts);
  std::vector<std::vector<int32_t>> sources;  // without the token of a target language
  std::vector<std::vector<int32_t>> read;
  for (const size_t i : lines) {
    const auto line = languages.read(texts.sources[i]);
    auto tokens = model.source.encode(with_placeholders(std::string(line.text), placeholders));
    read.push_back(line.tokens(tokens));
    sources.push_back(std::move(tokens));
  }
  // The defaults of translation.
  const auto found = search.run(make_network(model, device), SearchOptions(), read);
  std::vector<CalibrationSentence> sentences;
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto& hypothesis = found[i].front();
    const auto& reference = texts.targets[lines[i]];
    const std::string source(languages.read(texts.sources[lines[i]]).text);
    const auto text =
        without_placeholders(model.target.decode(hypothesis.tokens), source, placeholders);
    sentences.push_back({confidence_features(sources[i], hypothesis),
                         corpus_chrf({text}, {reference}) / 100.0,
                         log_character_ratio(source, reference)});
  }
  return sentences;
}

double correlation_of(const Calibration& calibration,
                      const std::vector<CalibrationSentence>& sentences) {
  std::vector<double> confidences;
  std::vector<double> scores;
  for (const auto& sentence : sentences) {
    confidences.push_back(calibration.confidence(sentence.features));
    scores.push_back(sentence.chrf);
  }
  return pearson_correlation(confidences, scores);
}

PairedLines read_texts(const CalibrateRequest& request, const ModelDirectory& directory,
                       const DataConfig& data) {
  auto source = request.source;
  auto reference = request.reference;
  if (source.empty()) {
    source = directory.text_at(data.valid_source);
    reference = directory.text_at(data.valid_target);
  }
  if (source.empty() || reference.empty()) {
    throw Error(request.model.string() +
                ": its config.yaml names no validation texts; use --source and --reference");
  }
  auto texts = read_paired_lines(source, reference);
  const auto vocabulary = Tokenizer::from_file(directory.source_tokenizer());
  TargetLanguages(vocabulary).require_lines(texts.sources, source);
  texts.targets = text_of_tokens(texts.targets, Tokenizer::from_file(directory.target_tokenizer()));
  return texts;
}

}  // namespace

std::vector<size_t> calibration_lines(const Tokenizer& source, const PairedLines& texts) {
  constexpr size_t kMost = 2000;
  const TargetLanguages languages(source);
  const LetterlessSentences letterless(source);
  std::vector<size_t> lines;
  const size_t most = std::min(texts.sources.size(), kMost);
  for (size_t k = 0; k < most; ++k) {
    const size_t i = k * texts.sources.size() / most;
    if (texts.targets[i].empty()) continue;
    const auto text = languages.read(texts.sources[i]).text;
    if (source.encode(std::string(text)).empty() || letterless.contain(text)) continue;
    lines.push_back(i);
  }
  return lines;
}

std::string calibrate_directory(const ModelDirectory& directory, const PairedLines& texts,
                                const TranslationSearch& search, const c10::Device& device) {
  // Skips an earlier calibration: it may be damaged, and remains until the new one is written.
  auto files = read_model_files(directory.root, Checksum::kVerify, Confidence::kSkip);
  const auto model = parse_model(files);
  require_translator(model.options, directory.root);
  const auto sentences = translate_sentences(model, texts, search, device);
  auto calibration = fit_calibration(sentences);
  calibration.correlation = correlation_of(calibration, sentences);
  files.parts.calibration = calibration_json(calibration);
  write_parts(directory, files.parts);
  return fmt::format("confidence calibrated on {} sentences: mean {:.3f}, Pearson {} with chrF2",
                     sentences.size(), calibration.chrf, correlation_text(calibration.correlation));
}

std::string calibrate_model(const CalibrateRequest& request) {
  const ModelDirectory directory{request.model};
  if (std::filesystem::is_regular_file(request.model)) {
    throw Error(request.model.string() +
                ": a packed model; use nmt unpack, calibrate the directory and pack it again");
  }
  const FolderLock lock(request.model);  // training writes the same files
  const auto settings = load_settings(directory.settings(), SettingsFrom::kModel);
  const auto texts = read_texts(request, directory, settings.data);
  catch_interrupts();
  TranslationSearch search;
  search.threads = number_of_threads(request.threads);
  const auto device = open_device(request.device);
  search.fused = device.is_cpu();
  at::set_num_threads(search.threads);
  return calibrate_directory(directory, texts, search, device);
}

}  // namespace nmt
