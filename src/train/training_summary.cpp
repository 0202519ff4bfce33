#include "train/training_summary.h"

#include <ATen/Parallel.h>
#include <torch/version.h>

#include "data/text_hashes.h"
#include "files/file.h"
#include "files/json.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson describe_file(const std::string& path) {
  return {{"path", path}, {"sha256", text_hash(path)}};
}

/// One file as an object, several as a list.
OrderedJson describe_files(const std::vector<std::string>& paths) {
  if (paths.size() == 1) return describe_file(paths.front());
  auto list = OrderedJson::array();
  for (const auto& path : paths) list.push_back(describe_file(path));
  return list;
}

}  // namespace

void write_training_summary(const std::filesystem::path& path, const Settings& settings,
                            const CorpusReport& corpora, int64_t parameters,
                            const TrainingOutcome& outcome) {
  OrderedJson summary = {
      {"nmt_version", NMT_VERSION},
      {"libtorch_version", TORCH_VERSION},
      {"threads", at::get_num_threads()},
      {"parameters", parameters},
      {"updates", outcome.updates},
      {"epochs", outcome.epochs},
      {"minutes", outcome.minutes},
      {"stop_reason", outcome.stop_reason},
      {"skipped_updates", outcome.skipped_updates},
      {"best", best_to_json(outcome)},
      {"train_source", describe_files(settings.data.train_source)},
      {"train_target", describe_files(settings.data.train_target)},
      {"pairs_read", corpora.lines},
      {"pairs_kept", corpora.kept},
  };
  if (!settings.data.valid_source.empty()) {
    summary["valid_source"] = describe_file(settings.data.valid_source);
    summary["valid_target"] = describe_file(settings.data.valid_target);
  }
  write_file_atomically(path, dump_json(summary, 2) + "\n");
}

}  // namespace nmt
