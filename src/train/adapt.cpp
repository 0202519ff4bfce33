#include "train/adapt.h"

#include <spdlog/fmt/fmt.h>

#include <vector>

#include "checkpoint/model.h"
#include "config/dropout_rates.h"
#include "data/batch.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"
#include "nn/device.h"
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

using TokenLines = std::vector<std::vector<int32_t>>;

TokenLines encode_lines(const std::filesystem::path& path, const Tokenizer& tokenizer,
                        const TargetLanguages& languages) {
  TokenLines lines;
  for (const auto& line : read_lines(path)) {
    lines.push_back(languages.encode(line, tokenizer));
    const size_t tokens = lines.back().size();
    if (tokens > 0 && tokens <= kMaxTokens) continue;
    throw Error(path.string() + ": line " + std::to_string(lines.size()) + ": " +
                std::to_string(tokens) + " tokens; a correction needs 1 to " +
                std::to_string(kMaxTokens));
  }
  return lines;
}

Batch read_corrections(const AdaptRequest& request, const StoredModel& model) {
  const auto sources = encode_lines(request.source, model.source, TargetLanguages(model.source));
  const auto targets = encode_lines(request.target, model.target, {});
  require_paired_lines(request.source.string(), sources.size(), request.target.string(),
                       targets.size());
  if (sources.empty() || sources.size() > kMaxPairs) {
    throw Error(request.source.string() + ": " + std::to_string(sources.size()) +
                " corrections; use 1 to " + std::to_string(kMaxPairs));
  }
  return make_batch(sources, targets);
}

/// Both vocabularies with pieces for the texts; one for both sides stays one.
struct Growth {
  GrownVocabulary source;
  GrownVocabulary target;
};

Growth grow(const StoredModel& model, const AdaptRequest& request) {
  const bool names_language = !TargetLanguages(model.source).empty();
  auto sources = read_lines(request.source);
  for (auto& line : sources) {
    if (names_language) line = std::string(split_marker(line).text);
  }
  const auto targets = read_lines(request.target);
  if (model.source.bytes() != model.target.bytes()) {
    return {grow_vocabulary(model.source, sources, request.new_pieces),
            grow_vocabulary(model.target, targets, request.new_pieces)};
  }
  sources.insert(sources.end(), targets.begin(), targets.end());
  const auto both = grow_vocabulary(model.source, sources, request.new_pieces);
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

}  // namespace

std::string adapt_model(const AdaptRequest& request) {
  const ModelDirectory directory{request.output};
  const auto device = open_device(request.device);
  directory.require_free(request.overwrite);
  const auto files = read_model_files(request.model);
  auto model = parse_model(files);
  require_translator(model.options, request.model);
  remove_dropout(model.options);
  auto network = make_network(model, torch::kCPU);
  auto parts = files.parts;
  std::string added;
  if (request.new_pieces > 0) {
    const auto growth = grow(model, request);
    network = grown_network(network, growth);
    model.source = growth.source.tokenizer;
    model.target = growth.target.tokenizer;
    parts.source_tokenizer = model.source.bytes();
    parts.target_tokenizer = model.target.bytes();
    added = fmt::format("new pieces: {} source, {} target; ", growth.source.spelled.size(),
                        growth.target.spelled.size());
  }
  network->to(device);
  const auto batch = read_corrections(request, model).to(device);
  network->train();
  const auto progress = learn(network, batch, device, request);
  network->eval();
  // The original's measurements do not hold for the copy.
  parts.summary.clear();
  parts.card.clear();
  parts.calibration.clear();
  write_model_directory(directory, parts, network, {{"adapted_from", request.model.string()}});
  return added + fmt::format("token loss {:.3f} before, {:.3f} after {} step{}; model saved in {}",
                             progress.before, progress.after, progress.steps,
                             progress.steps == 1 ? "" : "s", directory.root.string());
}

}  // namespace nmt
