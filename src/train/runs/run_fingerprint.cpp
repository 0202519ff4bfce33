#include "train/runs/run_fingerprint.h"

#include <torch/version.h>

#include <set>
#include <utility>
#include <vector>

#include "config/settings_io.h"
#include "data/hold_out.h"
#include "data/text_hashes.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/sha256.h"
#include "threads/threads.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

enum class Effect {
  kNone,      // on updates: limits, reports, checkpoints; paths (files are compared by content)
  kOtherRun,  // the run can continue, but becomes a different one
  kImpossible,
};

Effect effect_of(const std::string& setting) {
  static const std::set<std::string> harmless = {
      "train.max_epochs", "train.max_updates",   "train.max_tokens",         "train.max_minutes",
      "train.log_every",  "train.save_every",    "train.save_every_minutes", "train.keep_last",
      "train.threads",    "validation.patience", "validation.keep_best",     "validation.samples"};
  static const std::set<std::string> adaptable = {
      "model.dropout",           "model.embedding_dropout",   "model.recurrent_dropout",
      "model.output_dropout",    "model.variational_dropout", "model.state_dropout",
      "model.embedding_init_std"};
  if (is_of_file(setting) || harmless.count(setting) > 0) return Effect::kNone;
  if (adaptable.count(setting) > 0) return Effect::kOtherRun;
  const auto section = setting.substr(0, setting.find('.'));
  const bool fixed = section == "model" || section == "vocab" || setting == "train.optimizer" ||
                     setting == "validation.metric";
  return fixed ? Effect::kImpossible : Effect::kOtherRun;
}

/// The texts that are hashed, by their names in `content`.
std::map<std::string, std::string> hashed_texts(const DataConfig& data) {
  auto texts = training_texts(data);
  texts.merge(left_out_texts(data));
  texts["validation source text"] = data.valid_source;
  texts["validation target text"] = data.valid_target;
  return texts;
}

/// "NAME BEFORE → NOW; …" of all that differs, by its effect.
std::map<Effect, std::string> changes_between(const RunFingerprint& before,
                                              const RunFingerprint& now) {
  std::map<Effect, std::string> changes;
  const auto add = [&](Effect effect, const std::string& name, const std::string& old_value,
                       const std::string& new_value) {
    if (old_value == new_value) return;
    const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
    auto& list = changes[effect];
    list += (list.empty() ? "" : "; ") + name + " " + shown(old_value) + " → " + shown(new_value);
  };
  const bool limits_matter = now.settings.train.schedule == ScheduleKind::kLinear;
  for (const auto& [name, old_value, new_value] : changed_settings(before.settings, now.settings)) {
    const bool moves_end =
        name == "train.max_epochs" || name == "train.max_updates" || name == "train.max_tokens";
    if (moves_end && limits_matter) {
      add(Effect::kOtherRun, name, old_value,
          new_value + " (on which the linear learning rate depends)");
    } else {
      add(effect_of(name), name, old_value, new_value);
    }
  }
  auto names = before.content;
  names.insert(now.content.begin(), now.content.end());
  const auto short_hash = [](const RunFingerprint& run, const std::string& name) {
    return run.hash_of(name).substr(0, 12);
  };
  const auto compression = [](const RunFingerprint& run, const std::string& name) {
    return is_gzip_name(hashed_texts(run.settings.data)[name]) ? " (compressed file)" : "";
  };
  for (const auto& [name, hash] : names) {
    const bool fixed = name.find("vocabulary") != std::string::npos;
    auto old_hash = short_hash(before, name);
    auto new_hash = short_hash(now, name);
    if (old_hash != new_hash) {
      old_hash += compression(before, name);
      new_hash += compression(now, name);
    }
    add(fixed ? Effect::kImpossible : Effect::kOtherRun, "the " + name + " (SHA-256)", old_hash,
        new_hash);
  }
  return changes;
}

void refuse_impossible(const fs::path& directory, const std::string& changes) {
  if (changes.empty()) return;
  throw Error(directory.string() + ": cannot change within a run: " + changes +
              "; undo it, or use --restart to start over");
}

void warn_of_rounding(const RunFingerprint& before, const RunFingerprint& now) {
  if (before.threads != now.threads) {
    log_warning(
        "threads {} → {}: sums are taken in a different order, so the result is as good but not "
        "bit-identical",
        before.threads, now.threads);
  }
  if (before.program != now.program) {
    log_warning("the run was started by {}, but this is {}: the result may not be bit-identical",
                before.program, now.program);
  }
}

}  // namespace

std::string RunFingerprint::hash_of(const std::string& name) const {
  const auto found = content.find(name);
  return found == content.end() ? "" : found->second;
}

bool is_of_file(const std::string& setting) {
  static const std::set<std::string> settings = {
      "data.train_source",      "data.train_target",
      "data.train_alignments",  "data.train_sentence_weights",
      "data.valid_source",      "data.valid_target",
      "data.test_source",       "data.test_target",
      "data.exclude",           "data.lines",
      "data.sentence_starters", "data.final_marks",
      "data.first_letter",      "vocab.source_model",
      "vocab.target_model"};
  return settings.count(setting) > 0;
}

std::map<std::string, std::string> training_texts(const DataConfig& data) {
  std::map<std::string, std::string> texts;
  const auto add = [&](const std::string& kind, const std::vector<std::string>& files) {
    for (size_t i = 0; i < files.size(); ++i) {
      texts["training " + kind + " text" + (i == 0 ? "" : " " + std::to_string(i + 1))] = files[i];
    }
  };
  add("source", data.train_source);
  add("target", data.train_target);
  add("alignment", data.train_alignments);
  add("weight", data.train_sentence_weights);
  return texts;
}

std::map<std::string, std::string> hash_content(const Settings& settings,
                                                const Tokenizers& tokenizers) {
  std::map<std::string, std::string> content;
  for (const auto& [name, path] : hashed_texts(settings.data)) {
    if (!path.empty()) content[name] = text_hash(path);
  }
  content["source vocabulary"] = sha256(tokenizers.source.bytes());
  content["target vocabulary"] = sha256(tokenizers.target.bytes());
  return content;
}

RunFingerprint make_fingerprint(const Settings& settings,
                                std::map<std::string, std::string> content) {
  RunFingerprint fingerprint;
  fingerprint.settings = settings;
  fingerprint.threads = number_of_threads(settings.train.threads);
  fingerprint.program = std::string("nmt ") + NMT_VERSION + " with LibTorch " + TORCH_VERSION;
  fingerprint.content = std::move(content);
  return fingerprint;
}

void require_same_network(const fs::path& directory, const RunFingerprint& before,
                          const Settings& now) {
  auto changed = before;
  changed.settings = now;
  refuse_impossible(directory, changes_between(before, changed)[Effect::kImpossible]);
}

void require_same_fingerprint(const fs::path& directory, const RunFingerprint& before,
                              const RunFingerprint& now, bool accept) {
  auto changes = changes_between(before, now);
  const auto& impossible = changes[Effect::kImpossible];
  const auto& decisive = changes[Effect::kOtherRun];
  const auto& harmless = changes[Effect::kNone];
  refuse_impossible(directory, impossible);
  if (!decisive.empty() && !accept) {
    throw Error(
        directory.string() + ": this run was started with other settings or texts: " + decisive +
        "; undo that, use --accept-changes to continue with them, or --restart to start over");
  }
  if (!decisive.empty()) log_warning("continuing with {}", decisive);
  if (!harmless.empty()) log_info("changed: {}", harmless);
  warn_of_rounding(before, now);
}

}  // namespace nmt
