#include "train/train.h"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>

#include "checkpoint/model_directory.h"
#include "checkpoint/model_parts.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "decode/confidence.h"
#include "distributed/process_group.h"
#include "distributed/rank_info.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/folder_lock.h"
#include "nn/device.h"
#include "planning/training_advice.h"
#include "processes/interrupt.h"
#include "processes/limits.h"
#include "text/line_statistics.h"
#include "threads/threads.h"
#include "train/calibrate.h"
#include "train/fit_memory.h"
#include "train/inputs/held_out_texts.h"
#include "train/inputs/input_checks.h"
#include "train/objectives/objective.h"
#include "train/run_choices.h"
#include "train/runs/initial_state.h"
#include "train/time_plan.h"
#include "train/trainer.h"
#include "train/training_cost.h"
#include "train/training_run.h"

namespace nmt {
namespace {

std::string vocabulary_file(const std::filesystem::path& model_dir, const std::string& side) {
  const ModelDirectory model{model_dir};
  const auto file = side == "source" ? model.source_tokenizer() : model.target_tokenizer();
  if (std::filesystem::exists(file)) return file.string();
  throw Error(model_dir.string() + ": --vocabulary-of needs a model directory" +
              (std::filesystem::is_regular_file(model_dir) ? "; use nmt unpack to make one" : ""));
}

void exclude(const std::string& path, DataConfig& data) {
  auto& texts = data.exclude;
  if (std::find(texts.begin(), texts.end(), path) == texts.end()) texts.push_back(path);
}

/// Excludes the translator's held-out texts: a language model trained on them would rate its test
/// sets too well.
void exclude_held_out_of(const std::filesystem::path& translator, DataConfig& data) {
  const ModelDirectory directory{translator};
  if (!std::filesystem::exists(directory.settings())) return;
  const auto settings = load_settings(directory.settings(), SettingsFrom::kModel);
  for (const auto& [name, saved] : left_out_texts(settings.data)) {
    const auto path = directory.text_at(saved);
    if (::access(path.c_str(), R_OK) != 0) {
      log_warning("{}: {}, so sentences that {} held out may be trained on", path,
                  errno == ENOENT ? "no such file" : std::strerror(errno), translator.string());
    } else {
      exclude(path, data);
    }
  }
}

/// Adds what an unfinished run leaves out and is still there, so that the same command resumes it.
void exclude_as_saved(const ModelDirectory& directory, DataConfig& data) {
  const auto settings = load_settings(directory.settings(), SettingsFrom::kRun);
  for (const auto& path : settings.data.exclude) {
    if (::access(path.c_str(), F_OK) == 0) exclude(path, data);
  }
}

Tokenizers saved_tokenizers(const ModelDirectory& directory) {
  return {Tokenizer::from_file(directory.source_tokenizer()),
          Tokenizer::from_file(directory.target_tokenizer())};
}

/// The data section with the line statistics of the training text, measured once per run.
DataConfig with_line_statistics(DataConfig data, const ModelDirectory& directory, bool is_new) {
  DataConfig found;
  if (is_new) {
    const auto measured = measure_lines(data.train_source, left_out_sentences(data));
    found.lines = measured.paragraphs ? LineUnit::kParagraphs : LineUnit::kSentences;
    found.sentence_starters = measured.sentence_starters;
    found.final_marks = measured.final_marks;
    found.first_letter = measured.capitals ? FirstLetter::kCapital : FirstLetter::kAny;
  } else {
    found = load_settings(directory.settings(), SettingsFrom::kRun).data;
  }
  if (data.lines == LineUnit::kAuto) data.lines = found.lines;
  if (data.sentence_starters.empty()) data.sentence_starters = found.sentence_starters;
  if (data.final_marks.empty()) data.final_marks = found.final_marks;
  if (data.first_letter == FirstLetter::kAuto) data.first_letter = found.first_letter;
  return data;
}

/// Clears the directory for a new run.
void write_inputs(const ModelDirectory& directory, const Settings& settings,
                  const InitialState& start) {
  if (!start.state) {
    directory.clear();
    drop_replaced_held_out(directory);
  }
  const auto& [source, target] = start.tokenizers;
  write_parts(
      directory,
      {to_yaml(settings, /*with_comments=*/true), source.bytes(), target.bytes(), "",
       std::filesystem::exists(directory.calibration()) ? read_file(directory.calibration()) : ""});
}

/// Why a run failed or was interrupted.
struct RunFailure {
  std::string message;
  bool interrupted = false;
};

RunFailure interruption(const ModelDirectory& directory, int64_t updates) {
  return {directory.root.string() + ": training was interrupted at update " +
              std::to_string(updates) + " and saved; run the same command again to resume",
          /*interrupted=*/true};
}

/// Calibrates the confidence of the best model.
void calibrate(const TrainingRun& run, const ModelDirectory& directory) {
  if (!run.validator || run.network.architecture == Architecture::kLanguageModel) return;
  const PairedLines texts{run.validator->sources(), run.validator->references()};
  if (calibration_lines(run.tokenizers.source, texts).size() < kMinCalibrationSentences) {
    log_info("translations will have no confidence: calibrating it takes {} validation sentences",
             kMinCalibrationSentences);
    return;
  }
  log_info("{}", calibrate_directory(directory, texts, run.validator->search(), run.device));
}

/// Logs what would improve the model most.
void log_advice(const TrainingRun& run, const ModelDirectory& directory,
                const TrainingOutcome& outcome) try {
  const auto& settings = run.fingerprint.settings;
  if (settings.train.objective->needs_trained) return;
  if (!std::filesystem::exists(directory.metrics())) return;  // a run too short for any
  const auto advice = training_advice(
      read_history(directory.metrics()),
      limit_to_raise(outcome.stop_reason, settings.train) + ": " +
          command_to_double(directory.root.string(), outcome.stop_reason, settings));
  if (!advice.empty()) log_info("what would help most: {}", advice);
} catch (const Error& error) {  // e.g. metrics.jsonl was edited: the model is saved all the same
  log_warning("{}", error.what());
}

/// The probable reason why no validation was better than guessing, and what to do.
std::string no_model_advice(const TrainingOutcome& outcome, const Settings& settings) {
  constexpr int64_t kFewUpdates = 200;  // enough updates to become better than guessing
  const bool limited = outcome.stop_reason.rfind("max_", 0) == 0;
  if (!limited || outcome.updates >= kFewUpdates) {
    const bool pairs = settings.model.architecture != Architecture::kLanguageModel;
    return std::string("; lower train.learning_rate or check ") +
           (pairs ? "that the corpora pair" : "the text") + ", and use --restart";
  }
  return ": training ended after only " + counted(outcome.updates, "update") + " (" +
         outcome.stop_reason + "); raise " +
         limit_to_raise(outcome.stop_reason, settings.train, " or ") + ", and use --restart";
}

/// After the run: writes the plan's final train.max_updates to config.yaml.
void write_planned_updates(const ModelDirectory& directory, const TrainConfig& train) {
  auto settings = load_settings(directory.settings());
  if (settings.train.max_updates == train.max_updates) return;
  settings.train.max_updates = train.max_updates;
  auto parts = read_parts(directory, kFormatVersion);
  parts.settings = to_yaml(settings, /*with_comments=*/true);
  write_parts(directory, parts);
}

std::optional<RunFailure> run_to_the_end(Trainer& trainer, const TrainingRun& run,
                                         const Seq2Seq& network, const ModelDirectory& directory) {
  if (run.group.is_rank_zero()) {  // removes what describes old weights
    if (std::filesystem::exists(directory.calibration())) {
      write_parts(directory, read_parts(directory, kFormatVersion, Confidence::kSkip));
    }
    std::error_code ignored;
    std::filesystem::remove(directory.summary(), ignored);
  }
  const auto outcome = trainer.run();
  if (run.group.is_rank_zero()) {
    write_planned_updates(directory, run.fingerprint.settings.train);
    write_training_summary(directory.summary(), run.fingerprint, run.corpora.training.report(),
                           count_parameters(*network), outcome);
    try {
      if (outcome.finished && outcome.usable) calibrate(run, directory);
    } catch (const Interrupted&) {
      return interruption(directory, outcome.updates);
    }
  }
  if (outcome.finished) trainer.save();
  log_info("training ended: {}  updates {}  epochs {}  minutes {:.1f}", outcome.stop_reason,
           outcome.updates, outcome.epochs, outcome.minutes);
  const auto root = directory.root.string();
  if (!outcome.finished) return interruption(directory, outcome.updates);
  if (!outcome.usable) {
    return RunFailure{root + ": no validation was better than guessing (" +
                      guessing_text(*network) + "), so there is no model" +
                      no_model_advice(outcome, run.fingerprint.settings)};
  }
  const auto& initial = run.fingerprint.settings.train.initial_model;
  if (!initial.empty() && outcome.best && outcome.best_update == 0) {
    log_warning("training did not improve on {}, whose weights {} has; lower train.learning_rate",
                initial, root);
  }
  log_info("model saved in {}", root);
  if (run.group.is_rank_zero()) log_advice(run, directory, outcome);
  return {};
}

/// The model directory while a run uses it; only rank 0 has one. If training fails before the first
/// save, removes new held-out texts, and the directory if it is new and otherwise empty, or puts
/// back what it replaced.
class WorkingFolder {
 public:
  WorkingFolder(const ModelDirectory& directory, const TrainRequest& request)
      : directory_(directory),
        policy_(request.existing_run),
        lock_(std::in_place, directory.root),
        state_(find_run_to_resume(directory, policy_, request.settings, request.accept_changes)) {
    if (policy_ == ExistingRunPolicy::kBackUp) require_movable(directory, request.settings);
    if (!state_) {
      directory.require_free(policy_ != ExistingRunPolicy::kContinue,
                             "use --restart to back it up, or --overwrite to replace it");
    }
  }
  ~WorkingFolder() {
    restore_held_out(directory_);
    if (opened_) remove_unused();
    if (!backup_.empty()) restore_backup(directory_, backup_);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  const std::optional<RunState>& state() const { return state_; }

  /// Prepares the directory for writing. Throws Error.
  void open() {
    lock_.emplace(directory_.root);  // which another run may have made meanwhile
    restore_held_out(directory_);    // of a run whose replacement was killed
    if (policy_ == ExistingRunPolicy::kBackUp) backup_ = back_up_run(directory_);
    is_new_ = !std::filesystem::exists(directory_.root);
    make_folder(directory_.root);
    lock_.emplace(directory_.root);
    // Known only now: until it was locked, the texts could be another program's.
    had_texts_ = std::filesystem::exists(directory_.held_out());
    last_save_ = last_save();
    opened_ = true;
    if (::access(directory_.root.c_str(), W_OK) != 0) {
      throw Error(directory_.root.string() + ": cannot be written to: " + std::strerror(errno));
    }
    directory_.remove_temporaries();
  }

 private:
  std::filesystem::file_time_type last_save() const {
    std::error_code ignored;  // without a state, the earliest time
    return std::filesystem::last_write_time(directory_.run_state(), ignored);
  }

  void remove_unused() const {
    std::error_code ignored;
    std::filesystem::remove(directory_.corpus_cache(), ignored);
    if (!had_texts_ && last_save() == last_save_) {
      std::filesystem::remove_all(directory_.held_out(), ignored);
    }
    if (is_new_) std::filesystem::remove(directory_.root, ignored);
  }

  const ModelDirectory& directory_;
  ExistingRunPolicy policy_;
  std::optional<FolderLock> lock_;
  std::optional<RunState> state_;
  std::filesystem::path backup_;  // of the previous run
  // When open() had locked the directory:
  bool opened_ = false;
  bool is_new_ = false;
  bool had_texts_ = false;
  std::filesystem::file_time_type last_save_;
};

InitialState find_initial_state(const Settings& settings, const ModelDirectory& directory,
                                const std::optional<RunState>& state) {
  const auto tokenizers = state ? saved_tokenizers(directory) : make_tokenizers(settings);
  return {tokenizers, hash_content(settings, tokenizers), state};
}

/// Opens the folder. Returns the data section with what the run holds out of training.
DataConfig open_with_held_out(WorkingFolder& folder, const Settings& settings,
                              const ModelDirectory& directory) {
  if (folder.state()) {
    folder.open();
    return resumed_held_out(settings.data, folder.state()->fingerprint.settings.data, directory);
  }
  const HeldOutTexts held_out(settings, directory);
  folder.open();
  held_out.write();
  return held_out.data();
}

/// Logs what a new run will cost, and fits its limits to the time it has.
TimePlan plan_time(TrainingRun& run, std::chrono::steady_clock::time_point begin) {
  const double memory = run.device.is_cpu() ? estimate_memory(run) : 0;
  const auto warning =
      memory_warning(memory, run.fingerprint.settings, static_cast<double>(available_memory()));
  if (!warning.empty()) log_warning("{}", warning);  // before updates that may run out of memory
  const std::chrono::duration<double> before = std::chrono::steady_clock::now() - begin;
  const auto cost = measure_training_cost(run, before.count(), memory);
  const TimePlan plan(run.fingerprint.settings, cost);
  log_info("{}", to_text(cost, run.fingerprint.settings));
  return plan;
}

/// Takes the revised train.max_updates from the state: config.yaml has the plan's initial one.
void adopt_planned_updates(TrainConfig& train, const RunState& state) {
  const auto configured = state.progress.find("configured_updates");
  if (configured == state.progress.end() || *configured != train.max_updates) return;
  train.max_updates = state.fingerprint.settings.train.max_updates;
}

/// Replaces a chosen plateau schedule if no validation set could be held out.
void replace_idle_plateau(Settings& settings, const Settings& given) {
  auto& train = settings.train;
  const bool chosen = given.automatic.count("train.schedule") > 0;
  const bool idle = train.schedule == ScheduleKind::kPlateau && settings.data.valid_source.empty();
  if (!chosen || !idle || train.max_epochs == 0) return;
  train.schedule = ScheduleKind::kLinear;
  log_info("schedule linear, since there is no validation set");
}

std::optional<RunFailure> train_in_group(const TrainRequest& request, Settings settings,
                                         ProcessGroup& group) {
  const auto begin = std::chrono::steady_clock::now();
  const ModelDirectory directory{request.model_dir};
  std::optional<WorkingFolder> folder;
  InitialState start;
  if (group.is_rank_zero()) folder.emplace(directory, request);
  const bool automatic_batches = settings.automatic.count("data.batch_size") > 0;
  const auto choice =
      make_choices(settings, directory, folder ? folder->state() : std::nullopt, group);
  settings = choice.settings;
  const auto device = open_training_device(settings, group);
  if (group.is_rank_zero()) {
    if (!folder->state()) check_choices(settings);
    for (const auto& line : choice.reasons) log_info("{}", line);
    settings.data = open_with_held_out(*folder, settings, directory);
    // Must precede the fingerprint, which would otherwise differ from that of the resumed run.
    settings.data = with_line_statistics(settings.data, directory, !folder->state());
    start = find_initial_state(settings, directory, folder->state());
  }
  settings.data = broadcast_held_out(settings.data, directory, group);
  start = broadcast_initial_state(start, directory, group);
  const auto& state = start.state;
  if (state) {
    if (request.gives_updates) {
      start.state->progress["time_plan"] = nullptr;
    } else if (settings.train.max_minutes == 0 && follows_time_limit(*state)) {
      throw Error(directory.root.string() +
                  ": its number of updates follows from a time limit; set a new --minutes, or "
                  "--train.max-updates N to train without one");
    } else {
      adopt_planned_updates(settings.train, *state);
    }
    keep_fitted_batches(settings, state->fingerprint.settings, automatic_batches);
  } else {
    replace_idle_plateau(settings, request.settings);
  }
  const auto fingerprint = make_fingerprint(settings, start.content);
  if (state) {
    require_same_fingerprint(directory.root, state->fingerprint, fingerprint,
                             request.accept_changes);
  }
  make_objective(settings.train, start.tokenizers, torch::kCPU);  // throws where a model is missing
  auto run = prepare_run(fingerprint, device, start.tokenizers, directory.corpus_cache(), group);
  if (!state || settings.train.max_memory != state->fingerprint.settings.train.max_memory) {
    fit_to_memory(run);
  }
  const auto plan = state ? TimePlan() : plan_time(run, begin);
  const auto network = initial_network(run, state);
  Trainer trainer(run, network, directory, plan);
  if (state) trainer.restore(*state);
  log_info("model  parameters {}  device {}  threads {}{}", count_parameters(*network),
           settings.train.device, run.fingerprint.threads,
           group.size() > 1 ? "  processes " + std::to_string(group.size()) : "");
  const auto limit = trainer.reason_to_stop();
  const bool is_finished = state && !finish_of(*state).empty() && !limit.empty();
  if (is_finished && limit == Trainer::kInterrupted) {
    return interruption(directory, trainer.updates());  // the finished run stays as it is
  }
  if (group.is_rank_zero()) {
    auto written = run.fingerprint.settings;
    if (is_finished) written.train = state->fingerprint.settings.train;
    written.train.threads = request.settings.train.threads;
    write_inputs(directory, written, start);
  }
  if (is_finished) {
    log_info("{}: training is already finished ({}); {}", directory.root.string(), limit,
             how_to_continue(directory.root, limit, settings));
    return {};
  }
  if (state) {
    log_info("resuming {} from update {}", directory.root.string(), trainer.updates());
  }
  return run_to_the_end(trainer, run, network, directory);
}

/// After a restart by nmt launch, resumes the state that this launch has saved, even if the command
/// says to replace an older run.
ExistingRunPolicy policy_of(const TrainRequest& request, const RankInfo& rank) {
  std::error_code error;
  const auto saved =
      std::filesystem::last_write_time(ModelDirectory{request.model_dir}.run_state(), error);
  const bool own = rank.launched && !error && saved > *rank.launched;
  return own ? ExistingRunPolicy::kResume : request.existing_run;
}

/// Divides a machine's cores among its processes, unless the settings give the number of threads.
Settings settings_of_rank(Settings settings, const RankInfo& rank) {
  if (rank.size > 1) {
    settings.train.threads = number_of_threads(settings.train.threads, rank.local_size);
  }
  return settings;
}

}  // namespace

void train(TrainRequest request) {
  const auto rank = read_rank_info();
  request.existing_run = policy_of(request, rank);
  if (rank.size == 1) require_run_to_resume({request.model_dir}, request.existing_run);
  validate_given(request.settings);
  open_device(request.settings.train.device);  // may throw; do so before the corpora are read
  if (rank.size == 1 && request.settings.train.gradient_compression != GradientCompression::kNone) {
    log_warning("train.gradient_compression: has no effect, because a single process trains");
  }
  catch_interrupts_and_hangups();  // for library callers; nmt train has called it already
  if (rank.launcher > 0) stop_with_parent(rank.launcher);
  require_corpora(request.settings.data, {request.model_dir});
  const auto settings = settings_of_rank(request.settings, rank);
  at::set_num_threads(number_of_threads(settings.train.threads));
  ProcessGroup group(rank);
  if (rank.rank > 0) log_errors_only();  // all processes would log the same
  std::optional<RunFailure> failure;
  try {
    failure = train_in_group(request, settings, group);
    group.leave();
  } catch (const std::exception& error) {
    // The others wait for this process, and its threads may wait for them.
    if (group.size() > 1) group.end_program(error.what());
    throw;
  }
  if (!failure) return;
  // A signal ends all processes; the first, which has saved, says so.
  if (failure->interrupted) throw Interrupted(rank.rank == 0 ? failure->message : "");
  throw Error(failure->message);
}

void train_language_model(LanguageModelRequest request) {
  auto& settings = request.training.settings;
  if (settings.data.train_source.empty() &&
      request.training.existing_run != ExistingRunPolicy::kResume) {
    throw UsageError("lm train: --text is missing; name the file to train on");
  }
  if (!request.vocabulary_of.empty()) {
    settings.vocab.source_model = vocabulary_file(request.vocabulary_of, request.side);
    settings.vocab.target_model.clear();
    const ModelDirectory directory{request.training.model_dir};
    const auto policy = request.training.existing_run;
    if (policy == ExistingRunPolicy::kContinue && directory.holds_run()) {
      exclude_as_saved(directory, settings.data);
    } else if (policy != ExistingRunPolicy::kResume) {
      exclude_held_out_of(request.vocabulary_of, settings.data);
    }
  }
  settings.vocab.joint = true;
  settings.model.architecture = Architecture::kLanguageModel;
  train(request.training);
}

}  // namespace nmt
