#include "train/training_cost.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "data/batch_stream.h"
#include "data/length_batches.h"
#include "errors/counted.h"
#include "files/line_reader.h"
#include "planning/training_estimate.h"
#include "train/epoch_batches.h"
#include "train/steps/schedule.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

using Clock = std::chrono::steady_clock;

// Quantiles of the epoch's batches by length at which batches are timed; the median first, because
// time may run out.
constexpr double kTimed[] = {0.5, 0.1, 0.9, 0.3, 0.7};
constexpr double kMaxSeconds = 5.0;

// Measured cost of a target token relative to training: in validation (loss, greedy translation),
// and after training (beam search for the confidence and for the test set).
constexpr double kValidationTokens = 1.0;
constexpr double kTestTokens = 2.0;
constexpr double kTestSeconds = 2.0;  // to load the model

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct UpdateCost {
  double seconds = 0;  // of an update
  double tokens = 0;   // its target tokens, in the shares of all processes
};

Batch read_batch(const TrainingRun& run, const LengthBatches& batches, double place) {
  const auto last = static_cast<double>(batches.size() - 1);
  const auto index = static_cast<size_t>(std::lround(place * last));
  return make_share(run.corpora.training.corpora(), batches.pairs_of(index),
                    {run.group.rank(), run.group.size()})
      .to(run.device);
}

/// An update of that many batches, as the mean of those timed. Each batch after the first takes the
/// difference between updates of two batches and of one.
UpdateCost time_updates(const TrainingRun& run, Seq2Seq network, const LengthBatches& batches,
                        int64_t batches_per_update) {
  const auto& settings = run.fingerprint.settings;
  network->to(run.device);
  network->train();
  const auto step = make_training_step(network, settings.train, run.device, run.fingerprint.threads,
                                       run.tokenizers);
  const auto seconds_of_update = [&](const Batch& batch, int64_t count) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < count; ++i) {
      step->accumulate_gradient(batch, 1.0 / static_cast<double>(batch.global_target_tokens));
    }
    static_cast<void>(double{step->update(settings.train.learning_rate)});  // waits for a GPU
    return seconds_since(start);
  };
  const auto further = static_cast<double>(batches_per_update - 1);
  UpdateCost cost;
  double count = 0;
  const auto begin = Clock::now();
  seconds_of_update(read_batch(run, batches, kTimed[0]), 1);  // allocates memory
  for (const double place : kTimed) {
    const auto batch = read_batch(run, batches, place);
    const double one = seconds_of_update(batch, 1);
    const double two = batches_per_update > 1 ? seconds_of_update(batch, 2) : one;
    cost.seconds += one + further * std::max(two - one, 0.0);
    cost.tokens += (further + 1) * static_cast<double>(batch.global_target_tokens);
    ++count;
    if (seconds_since(begin) > kMaxSeconds) break;
  }
  return {cost.seconds / count, cost.tokens / count};
}

double count_tokens(const std::vector<std::string>& lines, const Tokenizer& tokenizer) {
  double tokens = 0;
  for (const auto& line : lines) tokens += static_cast<double>(tokenizer.encode(line).size() + 1);
  return tokens;
}

}  // namespace

int64_t validation_interval(const ValidationConfig& config, const EpochSize& epoch) {
  return std::max<int64_t>(config.interval > 0 ? config.interval : epoch.updates, 1);
}

double TrainingCost::update_with_validations(const ValidationConfig& config) const {
  return update + validation / static_cast<double>(validation_interval(config, epoch));
}

TrainingCost measure_training_cost(const TrainingRun& run, double before, double memory_bytes) {
  const auto begin = Clock::now();
  const auto& settings = run.fingerprint.settings;
  const auto& corpora = run.corpora.training;
  const EpochBuckets buckets(corpora, settings.data, static_cast<uint64_t>(settings.train.seed), 1);
  const auto batches = buckets[0].batches;
  // A trained network is needed for realistic lengths of samples.
  const auto network = settings.train.objective->needs_trained ? initial_network(run, std::nullopt)
                                                               : make_seq2seq(run.network);
  const auto update = time_updates(
      run, network, batches, std::min(settings.train.gradient_accumulation, buckets.num_batches()));
  TrainingCost cost;
  cost.memory_bytes = memory_bytes;
  cost.epoch = epoch_size_of(buckets.num_batches(), corpora, settings.train);
  cost.update = update.seconds;
  const double token_seconds = update.seconds / std::max(update.tokens, 1.0);
  double valid_tokens = 0;
  if (run.validator) {
    valid_tokens = count_tokens(run.validator->references(), run.tokenizers.target);
    cost.validation = kValidationTokens * valid_tokens * token_seconds;
  }
  double translated = valid_tokens;
  const auto& test = settings.data.test_target;
  if (run.group.is_rank_zero() && !test.empty()) {
    translated += count_tokens(read_lines(test), run.tokenizers.target);
  }
  cost.after = kTestSeconds + kTestTokens * translated * token_seconds;
  cost.before = before + seconds_since(begin);
  // Decisions that depend on the cost must be the same in all processes.
  const bool mine = run.group.is_rank_zero();
  const auto shared = run.group.all_reduce({mine ? cost.update : 0.0, mine ? cost.validation : 0.0,
                                            mine ? cost.before : 0.0, mine ? cost.after : 0.0});
  cost.update = shared[0];
  cost.validation = shared[1];
  cost.before = shared[2];
  cost.after = shared[3];
  return cost;
}

std::string to_text(const TrainingCost& cost, const Settings& settings) {
  const auto per_epoch =
      static_cast<double>(cost.epoch.updates) * cost.update_with_validations(settings.validation);
  const auto updates = last_update(settings.train, cost.epoch);
  auto text = fmt::format("estimate  epoch {}", duration_text(per_epoch));
  if (updates > 0) {
    const double run =
        cost.before + cost.after +
        static_cast<double>(updates) * cost.update_with_validations(settings.validation);
    text += fmt::format("  {} updates {}", updates, duration_text(run));
  }
  const double limit = settings.train.max_minutes;
  const double affordable = limit * 60 / cost.update_with_validations(settings.validation);
  if (limit > 0 && (updates == 0 || affordable < static_cast<double>(updates))) {
    const auto count = std::max<int64_t>(std::llround(affordable), 1);
    text += fmt::format("  ends at max_minutes {} after about {}", limit, counted(count, "update"));
  }
  if (settings.train.device != "cpu") return text;  // memory is estimated for CPUs only
  return text + fmt::format("  memory {:.0f} MB", cost.memory_bytes / 1e6);
}

std::string memory_warning(double memory_bytes, const Settings& settings, double available) {
  if (settings.train.device != "cpu" || memory_bytes <= available) return "";
  return fmt::format(
      "memory: training is estimated to take {:.0f} MB, but only {:.0f} MB are available; use "
      "--train.max-memory or a smaller --data.batch-size",
      memory_bytes / 1e6, available / 1e6);
}

}  // namespace nmt
