#include "train/runs/existing_run.h"

#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "data/text_hashes.h"
#include "errors/error.h"
#include "errors/log.h"
#include "train/runs/run_fingerprint.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

bool is_in_use(const ModelDirectory& directory) {
  return directory.holds_run() || directory.holds_model();
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code ignored;
  const auto relative =
      fs::weakly_canonical(path, ignored).lexically_relative(fs::weakly_canonical(folder, ignored));
  return !path.empty() && !relative.empty() && *relative.begin() != "..";
}

/// The files and models that a run reads, except its validation and test sets.
std::vector<std::string> inputs_of(const Settings& settings) {
  const auto& [data, vocab, train] = std::tie(settings.data, settings.vocab, settings.train);
  std::vector<std::string> paths = {vocab.source_model,      vocab.target_model,
                                    train.initial_model,     train.source_embeddings,
                                    train.target_embeddings, settings.validation.script};
  for (const auto& [name, path] : training_texts(data)) paths.push_back(path);
  paths.insert(paths.end(), data.exclude.begin(), data.exclude.end());
  for (const auto& [name, value] : train.objective_values) {
    if (const auto* path = std::get_if<std::string>(&value)) paths.push_back(*path);
  }
  return paths;
}

/// The validation and test sets, except held-out texts that the run chooses again.
std::vector<std::string> kept_sets(const DataConfig& data, const ModelDirectory& directory) {
  const bool chooses = data.hold_out > 0 || (data.hold_out < 0 && data.valid_source.empty());
  std::vector<std::string> paths;
  for (const auto& path :
       {data.valid_source, data.valid_target, data.test_source, data.test_target}) {
    if (!chooses || !lies_in(path, directory.held_out())) paths.push_back(path);
  }
  return paths;
}

/// Throws Error if a run with these settings would read what it replaces, except held-out sets:
/// HeldOutTexts refuses to replace those.
void require_replaceable(const ModelDirectory& directory, const Settings& settings) {
  require_not_model({directory.root}, {settings.train.initial_model});
  for (const auto& path : inputs_of(settings)) {
    if (path.empty() || !directory.has_part(path)) continue;
    throw Error(path + ": lies in " + directory.root.string() +
                ", which --overwrite replaces; use another --model-dir");
  }
}

bool has_other_texts(const Settings& requested, const RunFingerprint& run) {
  for (const auto& [name, path] : training_texts(requested.data)) {
    if (run.hash_of(name) != text_hash(path)) return true;
  }
  return false;
}

/// Whether the limit that ended a run has been raised, and its time limit too, if it had one.
bool raises_limit(const Settings& requested, const RunState& state, const std::string& finish) {
  const auto& now = requested.train;
  const auto& before = state.fingerprint.settings.train;
  const auto raises = [&](const std::string& name, int64_t TrainConfig::*limit) {
    return finish == name + " reached" && requested.automatic.count("train." + name) == 0 &&
           (now.*limit == 0 || now.*limit > before.*limit);
  };
  const bool has_no_end = now.max_minutes == 0 && !follows_time_limit(state);
  return (has_no_end || now.max_minutes > before.max_minutes) &&
         (finish == "max_minutes reached" || raises("max_updates", &TrainConfig::max_updates) ||
          raises("max_epochs", &TrainConfig::max_epochs) ||
          raises("max_tokens", &TrainConfig::max_tokens));
}

/// Why a finished run is not continued, and what to do.
std::string refusal_of_finished(const ModelDirectory& directory, const RunState& state,
                                const std::string& finish, const Settings& requested,
                                bool accepts_changes) {
  const auto& run = state.fingerprint;
  const auto finished = "its training is finished (" + finish + ")";
  if (has_other_texts(requested, run))
    return finished + ", on other texts; use another --model-dir";
  if (!raises_limit(requested, state, finish)) {
    return finished + "; use --resume and " + how_to_continue(directory.root, finish, run.settings);
  }
  const bool changes = run.settings.train.schedule == ScheduleKind::kLinear &&
                       finish != "max_minutes reached" && !accepts_changes;
  return finished + "; add --resume " +
         (changes ? "and --accept-changes, because the linear learning rate depends on when the "
                    "run ends"
                  : "to continue");
}

}  // namespace

void require_movable(const ModelDirectory& directory, const Settings& settings) {
  if (!is_in_use(directory)) return;
  std::error_code ignored;
  if (lies_in(fs::current_path(ignored), directory.root)) {
    throw Error(directory.root.string() +
                ": contains the current directory, which --restart cannot rename; start it in "
                "another directory");
  }
  auto paths = inputs_of(settings);
  const auto sets = kept_sets(settings.data, directory);
  paths.insert(paths.end(), sets.begin(), sets.end());
  for (const auto& path : paths) {
    if (!lies_in(path, directory.root)) continue;
    throw Error(path + ": lies in " + directory.root.string() +
                ", which --restart renames; use another --model-dir");
  }
}

fs::path back_up_run(const ModelDirectory& directory) {
  if (!is_in_use(directory)) return {};
  const auto root = fs::canonical(directory.root);  // of a link to a directory, the directory
  fs::path backup;
  for (int i = 1; backup.empty() || fs::exists(backup); ++i) {
    backup = root.string() + ".old-" + std::to_string(i);
  }
  std::error_code error;
  fs::rename(root, backup, error);
  if (error) throw Error(root.string() + ": cannot be renamed: " + error.message());
  log_info("backed up the previous run to {}", backup.string());
  fs::create_directories(root, error);
  fs::rename(backup / directory.corpus_cache().filename(), directory.corpus_cache(), error);
  return backup;
}

void restore_backup(const ModelDirectory& directory, const fs::path& backup) {
  std::error_code error;
  if (!fs::exists(directory.root, error) || fs::exists(directory.run_state(), error)) return;
  const auto root = fs::canonical(directory.root, error);
  fs::rename(directory.corpus_cache(), backup / directory.corpus_cache().filename(), error);
  fs::remove_all(root, error);
  fs::rename(backup, root, error);
  if (!error) log_info("put back the previous run from {}", backup.string());
}

void require_run_to_resume(const ModelDirectory& directory, ExistingRunPolicy policy) {
  if (policy != ExistingRunPolicy::kResume || fs::exists(directory.run_state())) return;
  throw Error(directory.root.string() + ": no run to resume (" +
              directory.run_state().filename().string() +
              " is missing); omit --resume to start one");
}

std::optional<RunState> find_run_to_resume(const ModelDirectory& directory,
                                           ExistingRunPolicy policy, const Settings& requested,
                                           bool accepts_changes) {
  if (policy == ExistingRunPolicy::kReplace) require_replaceable(directory, requested);
  if (policy == ExistingRunPolicy::kBackUp || policy == ExistingRunPolicy::kReplace) return {};
  require_run_to_resume(directory, policy);
  if (!fs::exists(directory.run_state())) return {};
  auto state = read_run_state(directory.run_state());
  const auto finish = finish_of(state);
  if (!finish.empty() && policy != ExistingRunPolicy::kResume) {
    throw Error(directory.root.string() + ": " +
                refusal_of_finished(directory, state, finish, requested, accepts_changes) +
                "; --restart backs it up and starts over, --overwrite replaces it");
  }
  return state;
}

}  // namespace nmt
