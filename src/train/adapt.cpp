#include "train/adapt.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "checkpoint/model.h"
#include "config/dropout_rates.h"
#include "data/batch.h"
#include "errors/error.h"
#include "files/paired_lines.h"
#include "nn/device.h"
#include "text/placeholders.h"
#include "text/recaser.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "text/target_languages.h"
#include "text/vocabulary_growth.h"
#include "text/words.h"
#include "threads/threads.h"
#include "train/steps/training_step.h"
#include "unicode/characters.h"
#include "unicode/letter_case.h"

namespace nmt {
namespace {

constexpr double kLearned = 0.05;  // stop below this mean loss per target token, in nats
constexpr double kClipNorm = 1.0;
constexpr size_t kMaxPairs = 1000;  // all are one batch
constexpr size_t kMaxTokens = 500;
constexpr double kUnchanged = 1.001;  // tolerance for rounding, relative to the loss

/// Corrections as translation reads and writes them.
struct Corrections {
  PairedLines texts;
  std::vector<size_t> lines;  // of each pair, its number in the files
};

Error line_error(const std::filesystem::path& path, size_t line, const std::string& what) {
  return Error(path.string() + ": line " + std::to_string(line) + ": " + what);
}

/// The pair as the model reads and writes it: the translation of a sentence in capitals is
/// capitalized afterwards, that of one in title case stays in ordinary case.
SentencePair in_ordinary_case(SentencePair pair, const Recaser& source, const Recaser& target) {
  const auto ordinary = source.ordinary(pair.source, letter_case_of(pair.source));
  if (!ordinary) return pair;
  pair.source = *ordinary;
  if (const auto own = target.ordinary(pair.target, letter_case_of(pair.target))) {
    pair.target = *own;
  }
  return pair;
}

/// Reads the corrections: single sentences unless the model translates whole lines, in ordinary
/// case, with placeholders if the model uses them.
Corrections read_corrections(const AdaptRequest& request, const StoredModel& model) {
  const auto written = read_paired_lines(request.source, request.target);
  if (written.sources.empty() || written.sources.size() > kMaxPairs) {
    throw Error(request.source.string() + ": " + std::to_string(written.sources.size()) +
                " corrections; use 1 to " + std::to_string(kMaxPairs));
  }
  const TargetLanguages languages(model.source);
  languages.require_lines(written.sources, request.source);
  const auto placeholders = placeholders_of({model.source, model.target});
  const auto& data = model.settings.data;
  const SentenceStarters starters(data.sentence_starters.begin(), data.sentence_starters.end());
  const Recaser source_recaser(model.source);
  const Recaser target_recaser(model.target);
  Corrections corrections;
  for (size_t i = 0; i < written.sources.size(); ++i) {
    const auto marked =
        languages.empty() ? MarkedLine{"", written.sources[i]} : split_marker(written.sources[i]);
    std::vector<std::string> sources = {std::string(marked.text)};
    std::vector<std::string> targets = {written.targets[i]};
    const auto sentences = split_text(marked.text, starters).sentences;
    if (sentences.size() > 1 && data.lines != LineUnit::kParagraphs) {
      sources = sentences;
      targets = split_text(written.targets[i]).sentences;
    }
    if (sources.size() != targets.size()) {
      throw line_error(request.source, i + 1,
                       fmt::format("{} sentences, which are translated one by one, but {} in the "
                                   "translation; use a line for each",
                                   sources.size(), targets.size()));
    }
    for (size_t k = 0; k < sources.size(); ++k) {
      const auto pair = in_ordinary_case(with_placeholders({sources[k], targets[k]}, placeholders),
                                         source_recaser, target_recaser);
      const auto marker = language_marker(marked.language);
      corrections.texts.sources.push_back(marker + pair.source);
      corrections.texts.targets.push_back(pair.target);
      corrections.lines.push_back(i + 1);
    }
  }
  if (corrections.lines.size() > kMaxPairs) {
    throw Error(request.source.string() + ": " + std::to_string(corrections.lines.size()) +
                " sentences in the corrections; use at most " + std::to_string(kMaxPairs));
  }
  return corrections;
}

using TokenLines = std::vector<std::vector<int32_t>>;

TokenLines encode_lines(const std::filesystem::path& path, const std::vector<std::string>& texts,
                        const std::vector<size_t>& numbers, const Tokenizer& tokenizer,
                        const TargetLanguages& languages) {
  TokenLines lines;
  for (const auto& text : texts) {
    lines.push_back(languages.encode(text, tokenizer));
    const size_t tokens = lines.back().size();
    if (tokens > 0 && tokens <= kMaxTokens) continue;
    throw line_error(
        path, numbers[lines.size() - 1],
        std::to_string(tokens) + " tokens; a correction needs 1 to " + std::to_string(kMaxTokens));
  }
  return lines;
}

/// A model that learns the unknown piece writes it, and translation replaces it only by what the
/// source has.
void require_known(const std::filesystem::path& path, const Corrections& corrections,
                   const Tokenizer& tokenizer) {
  const auto& [sources, targets] = corrections.texts;
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto is_lost = [&, &source = sources[i]](std::string_view text) {
      const auto tokens = tokenizer.encode(text);
      return std::find(tokens.begin(), tokens.end(), kUnknownId) != tokens.end() &&
             source.find(text) == std::string::npos;
    };
    for (const auto& word : written_words(targets[i])) {
      if (!is_lost(word)) continue;
      std::string lost;
      for (const auto& character : split_characters(word)) {
        if (is_lost(character.bytes)) lost += character.bytes;
      }
      if (tokenizer.reads_tokens()) lost = word;  // its pieces are words
      if (lost.empty()) continue;
      throw line_error(path, corrections.lines[i],
                       "the model has no piece for '" + lost +
                           "'; use other characters, or a larger --new-pieces");
    }
  }
}

Batch batch_of(const AdaptRequest& request, const Corrections& corrections,
               const StoredModel& model) {
  const auto& [texts, lines] = corrections;
  require_known(request.target, corrections, model.target);
  return make_batch(encode_lines(request.source, texts.sources, lines, model.source,
                                 TargetLanguages(model.source)),
                    encode_lines(request.target, texts.targets, lines, model.target, {}));
}

/// Both vocabularies with new pieces; a joint vocabulary stays joint.
struct Growth {
  GrownVocabulary source;
  GrownVocabulary target;
};

Growth grow(const StoredModel& model, PairedLines texts, int64_t new_pieces) {
  auto& [sources, targets] = texts;
  const bool names_language = !TargetLanguages(model.source).empty();
  for (auto& line : sources) {
    if (names_language) line = std::string(split_marker(line).text);
  }
  if (model.source.bytes() != model.target.bytes()) {
    return {grow_vocabulary(model.source, sources, new_pieces),
            grow_vocabulary(model.target, targets, new_pieces)};
  }
  sources.insert(sources.end(), targets.begin(), targets.end());
  const auto both = grow_vocabulary(model.source, sources, new_pieces);
  return {both, both};
}

/// The network with a new row for each new piece, appended: the mean of the rows of the pieces that
/// spelled it.
Seq2Seq grown_network(const Seq2Seq& old, const Growth& growth) {
  auto options = old->options();
  options.source_vocabulary_size = growth.source.tokenizer.vocabulary_size();
  options.target_vocabulary_size = growth.target.tokenizer.vocabulary_size();
  auto network = make_seq2seq(options);
  const torch::NoGradGuard no_gradient;
  auto parameters = network->named_parameters();
  for (const auto& parameter : old->named_parameters()) {
    auto& grown = parameters[parameter.key()];
    const auto& rows = parameter.value();  // [V, …]; other parameters keep their shape
    const int64_t size = rows.size(0);
    grown.narrow(0, 0, size).copy_(rows);
    if (grown.size(0) == size) continue;
    const bool is_source = parameter.key().rfind("emb_src", 0) == 0;
    const auto& spelled = is_source ? growth.source.spelled : growth.target.spelled;
    for (size_t i = 0; i < spelled.size(); ++i) {
      const std::vector<int64_t> pieces(spelled[i].begin(), spelled[i].end());
      const auto mean = rows.index_select(0, torch::tensor(pieces)).mean(0);
      grown.select(0, size + static_cast<int64_t>(i)).copy_(mean);
    }
  }
  return network;
}

struct Progress {
  int64_t steps = 0;
  double before = 0.0;  // mean loss per target token
  double after = 0.0;
};

Progress learn(const Seq2Seq& network, const Batch& batch, const torch::Device& device,
               const AdaptRequest& request) {
  TrainConfig config;
  config.clip_norm = kClipNorm;
  const auto step = make_training_step(network, config, device, number_of_threads(request.threads));
  const auto tokens = static_cast<double>(batch.num_target_tokens);
  Progress progress;
  while (true) {
    progress.after = step->accumulate_gradient(batch, 1.0 / tokens) / tokens;
    if (progress.steps == 0) progress.before = progress.after;
    if (progress.after < kLearned || progress.steps == request.steps) return progress;
    step->update(request.learning_rate);
    ++progress.steps;
  }
}

/// Throws Error if the loss rose, since training has then damaged the model.
void require_learned(const Progress& progress) {
  if (progress.after <= kUnchanged * progress.before) return;
  throw Error(fmt::format("adapt: the token loss rose from {:.3f} to {:.3f}; lower --learning-rate",
                          progress.before, progress.after));
}

}  // namespace

std::string adapt_model(const AdaptRequest& request) {
  const ModelDirectory directory{request.output};
  const auto device = open_device(request.device);
  directory.require_no_run(request.overwrite);
  const auto files = read_model_files(request.model);
  auto model = parse_model(files);
  require_translator(model.options, request.model);
  remove_dropout(model.options);
  const auto corrections = read_corrections(request, model);
  auto network = make_network(model, torch::kCPU);
  auto parts = files.parts.without_measurements();
  std::string added;
  if (request.new_pieces > 0) {
    const auto growth = grow(model, corrections.texts, request.new_pieces);
    network = grown_network(network, growth);
    model.source = growth.source.tokenizer;
    model.target = growth.target.tokenizer;
    parts.source_tokenizer = model.source.bytes();
    parts.target_tokenizer = model.target.bytes();
    added = fmt::format("new pieces: {} source, {} target; ", growth.source.spelled.size(),
                        growth.target.spelled.size());
  }
  network->to(device);
  const auto batch = batch_of(request, corrections, model).to(device);
  network->train();
  const auto progress = learn(network, batch, device, request);
  network->eval();
  require_learned(progress);
  write_model_directory(directory, parts, network, {{"adapted_from", request.model.string()}});
  return added + fmt::format("token loss {:.3f} before, {:.3f} after {} step{}; model saved in {}",
                             progress.before, progress.after, progress.steps,
                             progress.steps == 1 ? "" : "s", directory.root.string());
}

}  // namespace nmt
