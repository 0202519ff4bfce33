#include "train/metrics_log.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/error.h"

namespace nmt {
namespace {

using Json = nlohmann::ordered_json;

Json position(const char* type, const TrainingProgress& progress) {
  return {{"type", type},
          {"update", progress.update},
          {"epoch", progress.epoch},
          {"seconds", progress.seconds}};
}

}  // namespace

MetricsLog::MetricsLog(const std::filesystem::path& path) : stream_(path, std::ios::app) {
  if (!stream_) throw Error(path.string() + ": cannot be written");
}

void MetricsLog::train(const TrainingProgress& progress) {
  auto line = position("train", progress);
  line["loss"] = progress.loss;
  line["perplexity"] = std::exp(progress.loss);
  line["learning_rate"] = progress.learning_rate;
  line["gradient_norm"] = progress.gradient_norm;
  line["tokens_per_second"] = progress.tokens_per_second;
  stream_ << line << std::endl;
}

void MetricsLog::validation(const TrainingProgress& progress, const ValidationResult& result,
                            bool best) {
  auto line = position("validation", progress);
  line["loss"] = result.loss;
  line["perplexity"] = result.perplexity;
  line["bleu"] = result.bleu;
  line["chrf"] = result.chrf;
  line["best"] = best;
  line["validation_seconds"] = result.seconds;
  stream_ << line << std::endl;
}

}  // namespace nmt
