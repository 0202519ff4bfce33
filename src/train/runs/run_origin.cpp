#include "train/runs/run_origin.h"

#include <spdlog/spdlog.h>
#include <torch/version.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "config/settings_io.h"
#include "data/text_hashes.h"
#include "errors/error.h"
#include "files/sha256.h"
#include "threads/threads.h"

namespace nmt {
namespace {

enum class Effect {
  kNone,      // on the updates: limits, reports, what is kept; files are compared by content
  kOtherRun,  // the run goes on, but as another one
  kImpossible,
};

Effect effect_of(const std::string& setting) {
  static const std::set<std::string> harmless = {
      "data.train_source",  "data.train_target",  "data.valid_source",   "data.valid_target",
      "vocab.source_model", "vocab.target_model", "train.max_epochs",    "train.max_updates",
      "train.max_minutes",  "train.log_every",    "train.save_every",    "train.save_every_minutes",
      "train.keep_last",    "train.threads",      "validation.patience", "validation.keep_best",
      "validation.samples"};
  static const std::set<std::string> adaptable = {"model.dropout", "model.embedding_init_std"};
  if (harmless.count(setting) > 0) return Effect::kNone;
  if (adaptable.count(setting) > 0) return Effect::kOtherRun;
  const auto section = setting.substr(0, setting.find('.'));
  const bool fixed = section == "model" || section == "vocab" || setting == "train.optimizer" ||
                     setting == "validation.metric";
  return fixed ? Effect::kImpossible : Effect::kOtherRun;
}

std::string shown(const std::string& value) { return value.empty() ? "none" : value; }

std::string change_text(const std::string& name, const std::string& before,
                        const std::string& now) {
  return name + " " + shown(before) + " → " + shown(now);
}

std::string joined(const std::vector<std::string>& changes) {
  std::string text;
  for (const auto& change : changes) text += (text.empty() ? "" : "; ") + change;
  return text;
}

struct Changes {
  std::vector<std::string> harmless;
  std::vector<std::string> decisive;
  std::vector<std::string> impossible;
};

Changes changes_between(const RunOrigin& before, const RunOrigin& now) {
  Changes changes;
  for (const auto& [name, old_value, new_value] : changed_settings(before.settings, now.settings)) {
    const auto text = change_text(name, old_value, new_value);
    const auto effect = effect_of(name);
    auto& list = effect == Effect::kNone       ? changes.harmless
                 : effect == Effect::kOtherRun ? changes.decisive
                                               : changes.impossible;
    list.push_back(text);
  }
  std::set<std::string> names;
  for (const auto& [name, hash] : before.content) names.insert(name);
  for (const auto& [name, hash] : now.content) names.insert(name);
  const auto short_hash = [](const std::map<std::string, std::string>& content,
                             const std::string& name) {
    const auto found = content.find(name);
    return found == content.end() ? "" : found->second.substr(0, 12);
  };
  for (const auto& name : names) {
    const auto old_hash = short_hash(before.content, name);
    const auto new_hash = short_hash(now.content, name);
    if (old_hash == new_hash) continue;
    auto& list =
        name.find("vocabulary") != std::string::npos ? changes.impossible : changes.decisive;
    list.push_back(change_text("the " + name + " (SHA-256)", old_hash, new_hash));
  }
  return changes;
}

void warn_of_other_sums(const RunOrigin& before, const RunOrigin& now) {
  if (before.threads != now.threads) {
    spdlog::warn(
        "threads {} → {}: sums are taken in another order, so the run goes on well but not bit for "
        "bit as it would have",
        before.threads, now.threads);
  }
  if (before.program != now.program) {
    spdlog::warn("the run was begun by {}, this is {}: it may not go on bit for bit",
                 before.program, now.program);
  }
}

}  // namespace

std::string training_text_name(const std::string& side, size_t corpus) {
  const auto name = "training " + side + " text";
  return corpus == 0 ? name : name + " " + std::to_string(corpus + 1);
}

std::map<std::string, std::string> hash_content(const Settings& settings,
                                                const Tokenizers& tokenizers,
                                                const std::filesystem::path& cache_dir) {
  std::map<std::string, std::string> content;
  const auto& data = settings.data;
  const auto add = [&](const std::string& name, const std::string& path) {
    if (!path.empty()) content[name] = text_hash(path, cache_dir);
  };
  for (size_t i = 0; i < data.train_source.size(); ++i) {
    add(training_text_name("source", i), data.train_source[i]);
    add(training_text_name("target", i), data.train_target[i]);
  }
  add("validation source text", data.valid_source);
  add("validation target text", data.valid_target);
  content["source vocabulary"] = sha256(tokenizers.source.bytes());
  content["target vocabulary"] = sha256(tokenizers.target.bytes());
  return content;
}

RunOrigin describe_origin(const Settings& settings, std::map<std::string, std::string> content) {
  RunOrigin origin;
  origin.settings = settings;
  origin.threads = number_of_threads(settings.train.threads);
  origin.program = std::string("nmt ") + NMT_VERSION + " with LibTorch " + TORCH_VERSION;
  origin.content = std::move(content);
  return origin;
}

nlohmann::json to_json(const RunOrigin& origin) {
  return {{"settings", to_yaml(origin.settings, /*with_comments=*/false)},
          {"threads", origin.threads},
          {"program", origin.program},
          {"content", origin.content}};
}

RunOrigin origin_from_json(const nlohmann::json& json) {
  RunOrigin origin;
  apply_yaml(origin.settings, json.at("settings").get<std::string>(), "the training state");
  origin.threads = json.at("threads");
  origin.program = json.at("program");
  origin.content = json.at("content").get<std::map<std::string, std::string>>();
  return origin;
}

void require_same_origin(const RunOrigin& before, const RunOrigin& now, bool accept) {
  const auto changes = changes_between(before, now);
  if (!changes.impossible.empty()) {
    throw Error("this cannot change within a run: " + joined(changes.impossible) +
                "; undo it, or say --restart to begin anew");
  }
  if (!changes.decisive.empty() && !accept) {
    throw Error("the run in this folder was begun with others: " + joined(changes.decisive) +
                "; undo that, say --accept-changes to go on with them, or --restart to begin anew");
  }
  if (!changes.decisive.empty()) spdlog::warn("going on with {}", joined(changes.decisive));
  if (!changes.harmless.empty()) spdlog::info("changed: {}", joined(changes.harmless));
  warn_of_other_sums(before, now);
}

}  // namespace nmt
