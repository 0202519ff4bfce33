#include "train/training_run.h"

#include <torch/utils.h>

#include <set>
#include <string>
#include <tuple>

#include "checkpoint/model_files.h"
#include "checkpoint/weights.h"
#include "config/settings_io.h"
#include "errors/error.h"
#include "nn/device.h"
#include "train/inputs/word_vectors.h"
#include "train/runs/initial_state.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

void load_initial_model(const TrainingRun& run, const Seq2Seq& network) {
  const auto& path = run.fingerprint.settings.train.initial_model;
  if (path.empty()) return;
  const auto files = read_model_files(path);
  fill_weights(network, files.weights);
}

void load_word_vectors(const char* setting, const std::string& file,
                       const std::vector<std::string>& texts, const Tokenizer& tokenizer,
                       torch::Tensor* embedding) {
  if (file.empty()) return;
  if (embedding == nullptr) {
    throw Error(std::string(setting) + ": the model has no such embedding; unset it");
  }
  const torch::NoGradGuard no_gradient;
  const auto vectors = read_piece_vectors(file, embedding->size(1), texts, tokenizer);
  for (const auto& [id, vector] : vectors) embedding->select(0, id).copy_(torch::tensor(vector));
}

void load_word_vectors(const TrainingRun& run, const Seq2Seq& network) {
  const auto& [data, train] =
      std::tie(run.fingerprint.settings.data, run.fingerprint.settings.train);
  auto parameters = network->named_parameters();
  load_word_vectors("train.source_embeddings", train.source_embeddings, data.train_source,
                    run.tokenizers.source, parameters.find("emb_src.weight"));
  load_word_vectors("train.target_embeddings", train.target_embeddings, data.train_target,
                    run.tokenizers.target, parameters.find("emb_dec.weight"));
}

/// Each process of a machine uses its own GPU, unless the settings name one.
std::string device_name(const Settings& settings, const ProcessGroup& group) {
  const bool each = settings.train.device == "cuda" && group.size() > 1;
  return each ? "cuda:" + std::to_string(group.local_rank()) : settings.train.device;
}

/// Throws Error for different settings: the processes would train different models, or wait for
/// each other forever.
void require_same_settings(const Settings& settings, ProcessGroup& group) {
  // Settings that may differ: specific to a machine, or read only by rank 0.
  static const std::set<std::string> own = {
      "train.initial_model", "train.source_embeddings", "train.target_embeddings", "train.threads",
      "train.device",        "validation.script"};
  if (group.size() == 1) return;
  Settings of_rank_zero;
  apply_yaml(of_rank_zero, group.broadcast(to_yaml(settings, /*with_comments=*/false)),
             "settings of process 0");
  for (const auto& change : changed_settings(of_rank_zero, settings)) {
    if (is_of_file(change.name) || own.count(change.name) > 0) continue;
    throw Error("process " + std::to_string(group.rank()) + " has " + change.name + " " +
                change.now + ", process 0 " + change.before +
                "; start all processes with the same settings");
  }
}

/// Rank 0 first, because machines may share a disk; then one process of each other machine; then
/// the rest, which find the cache complete.
TrainingCorpora prepare_in_turn(const Settings& settings, const std::filesystem::path& cache_dir,
                                const Tokenizers& tokenizers, ProcessGroup& group) {
  constexpr int kTurns = 3;
  const int mine = group.is_rank_zero() ? 0 : group.local_rank() == 0 ? 1 : 2;
  std::optional<TrainingCorpora> corpora;
  for (int turn = 0; turn < kTurns; ++turn) {
    if (turn == mine) corpora = prepare_corpora(settings, cache_dir, tokenizers);
    group.barrier();
  }
  return *corpora;
}

void require_same_corpora(const TrainingCorpora& corpora, ProcessGroup& group) {
  std::string mine;
  for (const auto& corpus : all_of(corpora)) mine += corpus.folder().filename().string() + " ";
  const auto names = group.gather(mine);
  for (size_t rank = 1; rank < names.size(); ++rank) {
    if (names[rank] == names[0]) continue;
    throw Error("process " + std::to_string(rank) +
                " has different training or validation texts than process 0; give all machines the "
                "same files");
  }
}

}  // namespace

torch::Device open_training_device(const Settings& settings, const ProcessGroup& group) {
  const auto device = open_device(device_name(settings, group));
  require_training_step({settings.model, settings.vocab.source_size, settings.vocab.target_size},
                        settings.train, device);
  return device;
}

TrainingRun prepare_run(const RunFingerprint& fingerprint, const torch::Device& device,
                        const Tokenizers& tokenizers, const std::filesystem::path& cache_dir,
                        ProcessGroup& group) {
  const Settings& settings = fingerprint.settings;
  require_same_settings(settings, group);
  const Seq2SeqOptions network{settings.model, tokenizers.source.vocabulary_size(),
                               tokenizers.target.vocabulary_size()};
  TrainingRun run{fingerprint, device,  prepare_in_turn(settings, cache_dir, tokenizers, group),
                  {},          network, tokenizers,
                  cache_dir,   group};
  require_same_corpora(run.corpora, group);
  // Each machine's, where all processes have prepared theirs by now.
  if (group.is_rank_zero() || group.local_rank() == 0) {
    remove_other_caches(cache_dir, all_of(run.corpora));
  }
  group.barrier();  // before any process makes the caches of its epochs
  if (run.corpora.validation) {
    run.validator.emplace(settings, tokenizers.source, tokenizers.target, *run.corpora.validation,
                          run.device, group);
  }
  return run;
}

Seq2Seq initial_network(const TrainingRun& run, const std::optional<RunState>& state) {
  torch::manual_seed(static_cast<uint64_t>(run.fingerprint.settings.train.seed));
  Seq2Seq network = make_seq2seq(run.network);
  if (!state) {  // a state holds all weights, and all processes have it
    if (run.group.is_rank_zero()) {
      load_initial_model(run, network);
      load_word_vectors(run, network);
    }
    broadcast_weights(network, run.group);
  }
  network->to(run.device);
  return network;
}

}  // namespace nmt
