#include "train/verify_resume.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <vector>

#include "config/validate.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/json.h"
#include "files/line_reader.h"
#include "files/scratch_folder.h"
#include "processes/interrupt.h"
#include "threads/threads.h"
#include "train/fit_memory.h"
#include "train/inputs/held_out_texts.h"
#include "train/inputs/input_checks.h"
#include "train/run_choices.h"
#include "train/trainer.h"
#include "train/training_run.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kUpdates = 12;
constexpr int64_t kStops[] = {0, 3, 5, 8, Trainer::kNever};  // validations are at updates 4 and 8
constexpr int64_t kValidateEvery = 4;
constexpr int64_t kReportEvery = 5;
constexpr int64_t kMaxSentences = 20;

ModelDirectory make_directory(const ScratchFolder& folder, const char* name) {
  ModelDirectory directory{folder.path() / name};
  make_folder(directory.root);
  directory.clear();
  return directory;
}

Settings short_run(Settings settings) {
  settings.automatic.clear();
  settings.train.max_updates = kUpdates;
  settings.train.max_epochs = 0;
  settings.train.max_tokens = 0;
  settings.train.max_minutes = 0;
  settings.train.log_every = kReportEvery;
  settings.validation.interval = kValidateEvery;
  settings.validation.max_sentences = kMaxSentences;
  settings.validation.patience = 0;
  settings.validation.samples = 0;
  return settings;
}

void train_until(TrainingRun& run, const ModelDirectory& directory, int64_t stop) {
  std::optional<RunState> state;
  if (fs::exists(directory.run_state())) state = read_run_state(directory.run_state());
  Trainer trainer(run, initial_network(run, state), directory);
  if (state) trainer.restore(*state);
  const auto outcome = trainer.run(stop);
  stop_if_interrupted("verification interrupted");
  if (outcome.finished) trainer.save();
}

/// Progress or metrics without time-dependent values.
nlohmann::json timeless(nlohmann::json json) {
  for (const char* key : {"seconds", "reported_seconds", "metrics_bytes", "tokens_per_second",
                          "validation_seconds"}) {
    json.erase(key);
  }
  return json;
}

std::vector<nlohmann::json> metrics_of(const ModelDirectory& directory) {
  std::vector<nlohmann::json> lines;
  for (const auto& line : read_lines(directory.metrics().string())) {
    lines.push_back(timeless(parse_json(line)));
  }
  return lines;
}

bool same_bits(const torch::Tensor& a, const torch::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() &&
         std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) == 0;
}

/// The first difference, or "".
std::string difference(const ModelDirectory& straight, const ModelDirectory& stopped) {
  const auto expected = read_run_state(straight.run_state());
  const auto found = read_run_state(stopped.run_state());
  for (const auto& [name, tensor] : expected.tensors.tensors) {
    if (!same_bits(tensor, found.tensors.at(name))) return name;
  }
  if (timeless(expected.progress) != timeless(found.progress)) return "the counters";
  if (metrics_of(straight) != metrics_of(stopped)) return "metrics.jsonl";
  return "";
}

}  // namespace

std::string verify_resume(const TrainRequest& request) {
  validate_given(request.settings);
  catch_interrupts();
  require_corpora(request.settings.data, {request.model_dir});
  ProcessGroup alone;
  auto settings =
      short_run(make_choices(request.settings, {request.model_dir}, {}, alone).settings);
  at::set_num_threads(number_of_threads(settings.train.threads));
  const auto device = open_training_device(settings, alone);
  check_choices(settings);
  const ScratchFolder scratch;
  const HeldOutTexts held_out(settings, {scratch.path()});
  held_out.write();
  settings.data = held_out.data();
  const auto tokenizers = make_tokenizers(settings);
  const auto cache = scratch.path() / "cache";
  const auto fingerprint = make_fingerprint(settings, hash_content(settings, tokenizers));
  auto run = prepare_run(fingerprint, device, tokenizers, cache, alone);
  fit_to_memory(run);
  const auto straight = make_directory(scratch, "straight");
  const auto stopped = make_directory(scratch, "stopped");
  train_until(run, straight, Trainer::kNever);
  for (const int64_t stop : kStops) train_until(run, stopped, stop);
  const auto differs = difference(straight, stopped);
  const auto how = std::to_string(kUpdates) + " updates without interruption and with " +
                   std::to_string(std::size(kStops) - 1) + " (engine " +
                   choice_name(settings.train.engine) + ", threads " +
                   std::to_string(run.fingerprint.threads) + ")";
  if (!differs.empty()) {
    throw Error("resuming is not exact: " + differs + " differs between " + how);
  }
  return "resuming is exact: weights, optimizer, counters and metrics are bit-identical after " +
         how;
}

}  // namespace nmt
