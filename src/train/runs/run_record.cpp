#include "train/runs/run_record.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "errors/error.h"
#include "files/json.h"

namespace nmt {
namespace {

using Json = nlohmann::json;

// Metadata key: the kind of file. All kinds share `format` and its version.
constexpr char kContent[] = "content";
constexpr char kTrainingState[] = "training state 2";
constexpr char kFingerprint[] = "origin";
constexpr char kProgress[] = "progress";

Json to_json(const RunFingerprint& fingerprint) {
  return {{"settings", to_yaml(fingerprint.settings, /*with_comments=*/false)},
          {"threads", fingerprint.threads},
          {"program", fingerprint.program},
          {"content", fingerprint.content}};
}

RunFingerprint parse_fingerprint(const Json& json, const std::string& file, SettingsFrom from) {
  RunFingerprint fingerprint;
  apply_yaml(fingerprint.settings, json.at("settings").get<std::string>(), file, from);
  fingerprint.threads = json.at("threads");
  fingerprint.program = json.at("program");
  fingerprint.content = json.at("content").get<std::map<std::string, std::string>>();
  return fingerprint;
}

bool is_count(const Json& value) {
  constexpr uint64_t kMost = uint64_t{1} << 60;
  return value.is_number_unsigned() && value.get<uint64_t>() <= kMost;
}

bool is_seconds(const Json& value) {
  constexpr double kMost = 1e9;  // a clock of nanoseconds ends after 9.2e9
  return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= kMost;
}

bool are_checkpoints(const Json& value) {
  const auto is_kept = [](const Json& best) {
    return best.at("value").is_number() && is_count(best.at("update"));
  };
  const auto& best = value.at("best");
  const auto& latest = value.at("latest");
  return std::all_of(best.begin(), best.end(), is_kept) &&
         std::all_of(latest.begin(), latest.end(), is_count);
}

/// Null in a run that has none.
bool is_time_plan(const Json& value) {
  return value.is_null() ||
         (value.at("seconds").is_number() && is_seconds(value.at("validation")) &&
          is_seconds(value.at("reviewed_seconds")) && is_count(value.at("reviewed_updates")) &&
          value.at("next_review").is_number() && value.at("next_review").get<double>() > 0);
}

/// Checks the parts that are present: which ones a run has depends on its settings.
bool is_sound(const Json& progress) {
  const auto all = [&](const auto& is_right, const std::vector<const char*>& names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
      return !progress.contains(name) || is_right(progress.at(name));
    });
  };
  return progress.is_object() &&
         all([](const Json& finish) { return finish.is_string(); }, {"finish"}) &&
         all(is_count, {"update", "epoch", "total_target_tokens", "bucket", "batch_in_bucket",
                        "last_validation", "source_tokens", "target_tokens", "metrics_bytes"}) &&
         all(is_seconds, {"seconds", "reported_seconds"}) && all(is_time_plan, {"time_plan"}) &&
         all(are_checkpoints, {"checkpoints"});
}

}  // namespace

void refuse_incomplete_state(const std::string& file) {
  throw Error(file + ": incomplete training state; use --restart to start over");
}

void write_run_record(const RunRecord& record, std::map<std::string, std::string>& metadata) {
  metadata[kContent] = kTrainingState;
  metadata[kFingerprint] = dump_json(to_json(record.fingerprint));
  metadata[kProgress] = dump_json(record.progress);
}

RunRecord parse_run_record(const std::map<std::string, std::string>& metadata,
                           const std::string& file, SettingsFrom from) try {
  const auto content = metadata.find(kContent);
  if (content == metadata.end() || content->second != kTrainingState) {
    throw Error(file + ": not a '" + kTrainingState +
                "', the only kind that this nmt reads; use the nmt that wrote it");
  }
  const auto part = [&](const char* name) {
    const auto found = metadata.find(name);
    if (found == metadata.end()) refuse_incomplete_state(file);
    return parse_json(found->second);
  };
  RunRecord record{parse_fingerprint(part(kFingerprint), file, from), part(kProgress)};
  if (!is_sound(record.progress)) refuse_incomplete_state(file);
  return record;
} catch (const Json::exception&) {
  refuse_incomplete_state(file);
}

}  // namespace nmt
