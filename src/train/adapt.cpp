#include "train/adapt.h"

#include <spdlog/fmt/fmt.h>

#include <vector>

#include "checkpoint/model.h"
#include "config/dropout_rates.h"
#include "data/batch.h"
#include "errors/error.h"
#include "files/paired_lines.h"
#include "nn/device.h"
#include "text/placeholders.h"
#include "text/target_languages.h"
#include "text/vocabulary_growth.h"
#include "threads/threads.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

constexpr double kLearned = 0.05;  // mean loss of a target token, in nats
constexpr double kClipNorm = 1.0;
constexpr size_t kMaxPairs = 1000;  // in one batch
constexpr size_t kMaxTokens = 500;
constexpr double kUnchanged = 1.001;  // times the loss: rounding

/// With placeholders where the model was trained with them.
PairedLines read_corrections(const AdaptRequest& request, const Tokenizers& vocabularies) {
  auto texts = read_paired_lines(request.source, request.target);
  if (texts.sources.empty() || texts.sources.size() > kMaxPairs) {
    throw Error(request.source.string() + ": " + std::to_string(texts.sources.size()) +
                " corrections; use 1 to " + std::to_string(kMaxPairs));
  }
  TargetLanguages(vocabularies.source).require_lines(texts.sources, request.source);
  const auto placeholders = placeholders_of(vocabularies);
  for (size_t i = 0; i < texts.sources.size(); ++i) {
    const auto pair = with_placeholders({texts.sources[i], texts.targets[i]}, placeholders);
    texts.sources[i] = pair.source;
    texts.targets[i] = pair.target;
  }
  return texts;
}

using TokenLines = std::vector<std::vector<int32_t>>;

TokenLines encode_lines(const std::filesystem::path& path, const std::vector<std::string>& texts,
                        const Tokenizer& tokenizer, const TargetLanguages& languages) {
  TokenLines lines;
  for (const auto& text : texts) {
    lines.push_back(languages.encode(text, tokenizer));
    const size_t tokens = lines.back().size();
    if (tokens > 0 && tokens <= kMaxTokens) continue;
    throw Error(path.string() + ": line " + std::to_string(lines.size()) + ": " +
                std::to_string(tokens) + " tokens; a correction needs 1 to " +
                std::to_string(kMaxTokens));
  }
  return lines;
}

Batch batch_of(const AdaptRequest& request, const PairedLines& texts, const StoredModel& model) {
  return make_batch(
      encode_lines(request.source, texts.sources, model.source, TargetLanguages(model.source)),
      encode_lines(request.target, texts.targets, model.target, {}));
}

/// Both vocabularies with pieces for the texts; one for both sides stays one.
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

/// The network with a row after the old ones for each new piece: the mean of those that spelled it.
Seq2Seq grown_network(const Seq2Seq& old, const Growth& growth) {
  auto options = old->options();
  options.source_vocabulary_size = growth.source.tokenizer.vocabulary_size();
  options.target_vocabulary_size = growth.target.tokenizer.vocabulary_size();
  auto network = make_seq2seq(options);
  const torch::NoGradGuard no_gradient;
  auto parameters = network->named_parameters();
  for (const auto& parameter : old->named_parameters()) {
    auto& grown = parameters[parameter.key()];
    const auto& rows = parameter.value();  // [V, …], or of no vocabulary
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
  double before = 0.0;  // mean loss of a target token
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

/// Diverged training ruins the model.
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
  const auto corrections = read_corrections(request, {model.source, model.target});
  auto network = make_network(model, torch::kCPU);
  auto parts = files.parts.without_measurements();
  std::string added;
  if (request.new_pieces > 0) {
    const auto growth = grow(model, corrections, request.new_pieces);
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
