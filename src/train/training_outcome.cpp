#include "train/training_outcome.h"

#include <torch/version.h>

#include <cmath>
#include <string>
#include <vector>

#include "files/file.h"
#include "files/json.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Describes a file with the hash from when the run began, found by its name in run.content.
OrderedJson describe_file(const RunFingerprint& run, const std::string& name,
                          const std::string& path) {
  return {{"path", path}, {"sha256", run.content.at(name)}};
}

/// One file as an object, several as a list.
OrderedJson describe_files(const RunFingerprint& run, const std::string& name,
                           const std::vector<std::string>& paths) {
  if (paths.size() == 1) return describe_file(run, name, paths.front());
  auto list = OrderedJson::array();
  for (size_t i = 0; i < paths.size(); ++i) {
    list.push_back(
        describe_file(run, name + (i == 0 ? "" : " " + std::to_string(i + 1)), paths[i]));
  }
  return list;
}

}  // namespace

nlohmann::ordered_json best_to_json(const TrainingOutcome& outcome) {
  if (!outcome.best) return nullptr;
  OrderedJson best = {{"update", outcome.best_update},
                      {"loss", outcome.best->loss},
                      {"perplexity", outcome.best->perplexity},
                      {"bleu", outcome.best->bleu},
                      {"chrf", outcome.best->chrf}};
  if (!std::isnan(outcome.best->script)) best["script"] = outcome.best->script;
  return best;
}

void restore_best(const nlohmann::json& best, TrainingOutcome& outcome) {
  outcome.best.reset();
  if (best.is_null()) return;
  outcome.best_update = best.at("update");
  outcome.best.emplace();
  outcome.best->loss = read_number(best, "loss");
  outcome.best->perplexity = read_number(best, "perplexity");
  outcome.best->bleu = read_number(best, "bleu");
  outcome.best->chrf = read_number(best, "chrf");
  outcome.best->script = read_number(best, "script");
}

void write_training_summary(const std::filesystem::path& path, const RunFingerprint& run,
                            const CorpusReport& corpora, int64_t parameters,
                            const TrainingOutcome& outcome) {
  const auto& data = run.settings.data;
  OrderedJson summary = {
      {"nmt_version", NMT_VERSION},
      {"libtorch_version", TORCH_VERSION},
      {"threads", run.threads},
      {"parameters", parameters},
      {"updates", outcome.updates},
      {"epochs", outcome.epochs},
      {"target_tokens", outcome.target_tokens},
      {"minutes", outcome.minutes},
      {"stop_reason", outcome.stop_reason},
      {"skipped_updates", outcome.skipped_updates},
      {"best", best_to_json(outcome)},
      {"train_source", describe_files(run, "training source text", data.train_source)},
      {"train_target", describe_files(run, "training target text", data.train_target)},
      {"pairs_read", corpora.lines},
      {"pairs_held_out", corpora.held_out},
      {"pairs_kept", corpora.kept},
  };
  if (!data.valid_source.empty()) {
    summary["valid_source"] = describe_file(run, "validation source text", data.valid_source);
    summary["valid_target"] = describe_file(run, "validation target text", data.valid_target);
  }
  write_file_atomically(path, dump_json(summary, 2) + "\n");
}

}  // namespace nmt
