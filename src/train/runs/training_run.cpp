#include "train/runs/training_run.h"

#include <torch/utils.h>

#include <optional>
#include <string>
#include <utility>

#include "checkpoint/model.h"
#include "checkpoint/model_files.h"
#include "checkpoint/weights.h"
#include "errors/error.h"
#include "nn/device.h"
#include "numbers/random.h"
#include "train/runs/shared_start.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

void begin_from_initial_model(const TrainingRun& run, const Seq2Seq& network) {
  const auto& path = run.origin.settings.train.initial_model;
  if (path.empty()) return;
  const auto files = read_model_files(path);
  fill_weights(network, files.weights);
}

/// Processes of one machine have a GPU each, unless the settings say which.
std::string device_name(const Settings& settings, const ProcessGroup& peers) {
  const bool each = settings.train.device == "cuda" && peers.size() > 1;
  return each ? "cuda:" + std::to_string(peers.local_rank()) : settings.train.device;
}

/// The leader first, for the machines may share a disk; then one process of each other machine;
/// then the rest, who find everything there.
TrainingCorpora prepare_in_turn(const Settings& settings, const std::filesystem::path& cache_dir,
                                const Tokenizers& tokenizers, ProcessGroup& peers) {
  constexpr int kTurns = 3;
  const int mine = peers.is_leader() ? 0 : peers.local_rank() == 0 ? 1 : 2;
  std::optional<TrainingCorpora> corpora;
  for (int turn = 0; turn < kTurns; ++turn) {
    if (turn == mine) corpora = prepare_corpora(settings, cache_dir, tokenizers);
    if (turn == 0 && peers.is_leader()) remove_unused_caches(cache_dir, *corpora);
    peers.meet();
  }
  return *corpora;
}

void require_same_corpora(const TrainingCorpora& corpora, ProcessGroup& peers) {
  std::string mine;
  for (const auto& corpus : all_of(corpora)) mine += corpus.folder().filename().string() + " ";
  const auto names = peers.gather(mine);
  for (size_t rank = 1; rank < names.size(); ++rank) {
    if (names[rank] == names[0]) continue;
    throw Error("process " + std::to_string(rank) +
                " has other training or validation texts than process 0; all machines need the "
                "same");
  }
}

/// Dropout's numbers are each process's own. The leader's go on where a saved state says.
void tell_random_numbers_apart(const Settings& settings, int64_t updates, int rank) {
  if (rank == 0) return;
  Random seeds(static_cast<uint64_t>(settings.train.seed), static_cast<uint64_t>(rank));
  torch::manual_seed(seeds.next() + static_cast<uint64_t>(updates));
}

}  // namespace

torch::Device open_training_device(const Settings& settings, const ProcessGroup& peers) {
  const auto device = open_device(device_name(settings, peers));
  require_training_step({settings.model, settings.vocab.source_size, settings.vocab.target_size},
                        settings.train, device);
  return device;
}

TrainingRun prepare_run(const RunOrigin& origin, const torch::Device& device,
                        const Tokenizers& tokenizers, const std::filesystem::path& cache_dir,
                        ProcessGroup& peers) {
  const Settings& settings = origin.settings;
  const Seq2SeqOptions network{settings.model, tokenizers.source.vocabulary_size(),
                               tokenizers.target.vocabulary_size()};
  TrainingRun run{origin,    device,  prepare_in_turn(settings, cache_dir, tokenizers, peers),
                  {},        network, tokenizers,
                  cache_dir, peers};
  require_same_corpora(run.corpora, peers);
  if (run.corpora.validation) {
    run.validator.emplace(settings, tokenizers.source, tokenizers.target, *run.corpora.validation,
                          run.device, peers);
  }
  return run;
}

Seq2Seq initial_network(const TrainingRun& run, const std::optional<RunState>& state) {
  torch::manual_seed(static_cast<uint64_t>(run.origin.settings.train.seed));
  Seq2Seq network = make_seq2seq(run.network);
  if (!state) {  // which has all weights, and which all processes have
    if (run.peers.is_leader()) begin_from_initial_model(run, network);
    share_weights(network, run.peers);
  }
  network->to(run.device);
  return network;
}

std::unique_ptr<Trainer> make_trainer(const TrainingRun& run, const Seq2Seq& network,
                                      const ModelDirectory& directory,
                                      const std::optional<RunState>& state) {
  // Processes that sample segmentations each do it for themselves.
  const auto cache_dir = run.peers.size() == 1
                             ? run.cache_dir
                             : run.cache_dir / ("process-" + std::to_string(run.peers.rank()));
  auto corpora =
      std::make_unique<EpochCorpora>(run.origin, run.tokenizers, cache_dir, run.corpora.training);
  auto trainer = std::make_unique<Trainer>(run.origin, network, std::move(corpora),
                                           run.validator ? &*run.validator : nullptr, directory,
                                           run.device, run.tokenizers, run.peers);
  if (state) trainer->restore(*state);
  tell_random_numbers_apart(run.origin.settings, trainer->updates(), run.peers.rank());
  return trainer;
}

}  // namespace nmt
