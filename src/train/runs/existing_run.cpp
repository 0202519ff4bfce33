#include "train/runs/existing_run.h"

#include <string>
#include <tuple>
#include <variant>
#include <vector>

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

/// The files and models that a run reads, without held-out texts that it chooses again.
std::vector<std::string> inputs_of(const Settings& settings, const ModelDirectory& directory) {
  const auto& [data, vocab, train] = std::tie(settings.data, settings.vocab, settings.train);
  std::vector<std::string> paths = {vocab.source_model,      vocab.target_model,
                                    train.initial_model,     train.source_embeddings,
                                    train.target_embeddings, settings.validation.script};
  for (const auto& [name, path] : training_texts(data)) paths.push_back(path);
  for (const auto& [name, value] : train.objective_values) {
    if (const auto* path = std::get_if<std::string>(&value)) paths.push_back(*path);
  }
  const bool chooses = data.hold_out > 0 || (data.hold_out < 0 && data.valid_source.empty());
  for (const auto& path :
       {data.valid_source, data.valid_target, data.test_source, data.test_target}) {
    if (!chooses || !lies_in(path, directory.held_out())) paths.push_back(path);
  }
  return paths;
}

}  // namespace

void require_movable(const ModelDirectory& directory, const Settings& settings) {
  if (!is_in_use(directory)) return;
  for (const auto& path : inputs_of(settings, directory)) {
    if (!lies_in(path, directory.root)) continue;
    throw Error(path + ": lies in " + directory.root.string() +
                ", which --restart renames; use another --model-dir");
  }
}

fs::path back_up_run(const ModelDirectory& directory) {
  if (!is_in_use(directory)) return {};
  const auto root = fs::absolute(directory.root / "").parent_path();  // without a trailing slash
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

void put_back_unreplaced(const ModelDirectory& directory, const fs::path& backup) {
  std::error_code error;
  if (!fs::exists(directory.root, error) || fs::exists(directory.run_state(), error)) return;
  fs::rename(directory.corpus_cache(), backup / directory.corpus_cache().filename(), error);
  fs::remove_all(directory.root, error);
  fs::rename(backup, directory.root, error);
  if (!error) log_info("put back the previous run from {}", backup.string());
}

void require_run_to_resume(const ModelDirectory& directory, ExistingRunPolicy policy) {
  if (policy != ExistingRunPolicy::kResume || fs::exists(directory.run_state())) return;
  throw Error(directory.root.string() + ": no run to resume (" +
              directory.run_state().filename().string() +
              " is missing); omit --resume to start one");
}

std::optional<RunState> find_run_to_resume(const ModelDirectory& directory,
                                           ExistingRunPolicy policy) {
  if (policy == ExistingRunPolicy::kBackUp || policy == ExistingRunPolicy::kReplace) return {};
  require_run_to_resume(directory, policy);
  if (!fs::exists(directory.run_state())) return {};
  auto state = read_run_state(directory.run_state());
  const auto finish = finish_of(state);
  if (!finish.empty() && policy != ExistingRunPolicy::kResume) {
    throw Error(directory.root.string() + ": its training is finished (" + finish +
                "); use --resume and " + how_to_continue(finish, state.fingerprint.settings) +
                "; --restart backs it up and starts over, --overwrite replaces it");
  }
  return state;
}

}  // namespace nmt
