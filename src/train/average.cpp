#include "train/average.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "checkpoint/model.h"
#include "config/dropout_rates.h"
#include "config/settings_io.h"
#include "errors/error.h"
#include "errors/log.h"
#include "text/model_description.h"
#include "train/runs/checkpoint_keeper.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

constexpr double kRelated = 0.3;  // least cosine of models that can be averaged

std::vector<fs::path> checkpoints_of(const fs::path& model, bool last) {
  const ModelDirectory directory{model};
  if (!fs::exists(directory.run_state())) {
    throw Error(model.string() + ": " + directory.run_state().filename().string() +
                " is missing, which lists the checkpoints to average; name several models");
  }
  const auto kept = read_kept_checkpoints(directory);
  const auto& paths = last ? kept.latest : kept.best;
  if (paths.size() >= 2) return paths;
  throw Error(model.string() + ": keeps only " + std::to_string(paths.size()) + " of the " +
              (last
                   ? "latest checkpoints; train with --keep-last 2 or more"
                   : "best checkpoints; train with --keep-best 2 or more and several validations") +
              ", or name several models");
}

/// The mean, accumulated in double precision.
class Mean {
 public:
  void add(const Seq2Seq& network) {
    const auto parameters = network->named_parameters();
    if (sums_.empty()) {
      for (const auto& parameter : parameters) {
        sums_.push_back(torch::zeros_like(parameter.value(), at::kDouble));
      }
    }
    for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += parameters[i].value().detach();
    ++count_;
  }

  void copy_to(const Seq2Seq& network) const {
    const at::NoGradGuard no_gradients;
    const auto parameters = network->named_parameters();
    for (size_t i = 0; i < sums_.size(); ++i) {
      parameters[i].value().copy_(sums_[i] / static_cast<double>(count_));
    }
  }

 private:
  std::vector<torch::Tensor> sums_;
  int64_t count_ = 0;
};

void require_same_kind(const ModelFiles& first, const Model& first_model, const ModelFiles& other,
                       const Model& other_model) {
  const auto both = other.path.string() + " and " + first.path.string() + ": ";
  if (!same_vocabulary(other.parts.source_tokenizer, first.parts.source_tokenizer) ||
      !same_vocabulary(other.parts.target_tokenizer, first.parts.target_tokenizer)) {
    throw Error(both + "only models of the same vocabularies can be averaged");
  }
  // Dropout and initialization do not affect what a trained model computes.
  const auto kind = [](const Model& model) {
    Settings settings;
    settings.model = model.settings.model;
    remove_dropout(settings.model);
    settings.model.embedding_init_std = ModelConfig().embedding_init_std;
    return to_yaml(settings, /*with_comments=*/false);
  };
  if (kind(other_model) != kind(first_model)) {
    throw Error(both + "only models of the same settings under 'model:' can be averaged");
  }
}

/// The cosine of all matrices of two models of the same kind: near 1 for checkpoints of one run,
/// near 0 for models that were trained from different initial weights.
double cosine(const Seq2Seq& a, const Seq2Seq& b) {
  const auto first = a->named_parameters();
  const auto second = b->named_parameters();
  const auto dot = [](const torch::Tensor& x, const torch::Tensor& y) {
    return x.dim() < 2 ? 0.0 : (x.detach() * y.detach()).sum(at::kDouble).item<double>();
  };
  double product = 0;
  double a_squared = 0;
  double b_squared = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    product += dot(first[i].value(), second[i].value());
    a_squared += dot(first[i].value(), first[i].value());
    b_squared += dot(second[i].value(), second[i].value());
  }
  return product / std::max(std::sqrt(a_squared * b_squared), 1e-30);
}

void add_models(const std::vector<fs::path>& paths, const ModelFiles& first, const Model& model,
                Mean& mean) {
  mean.add(model.network);
  for (size_t i = 1; i < paths.size(); ++i) {
    const auto files = read_model_files(paths[i]);
    const auto other = make_model(files, torch::kCPU);
    require_same_kind(first, model, files, other);
    if (const double similarity = cosine(model.network, other.network); similarity < kRelated) {
      log_warning(
          "{} and {}: seem to be trained independently (cosine of their weights {:.2f}), so their "
          "mean does not translate; give both to nmt translate -m, as an ensemble",
          files.path.string(), first.path.string(), similarity);
    }
    mean.add(other.network);
  }
}

}  // namespace

std::string average_models(const AverageRequest& request) {
  if (request.models.empty()) throw UsageError("average: no model is given");
  if (request.last && request.models.size() > 1) {
    throw UsageError("average: --last needs one model directory, not several");
  }
  const ModelDirectory directory{request.output};
  require_not_model({directory.root}, request.models);
  directory.require_no_run(request.overwrite);
  const auto files = read_model_files(request.models.front());
  const auto model = make_model(files, torch::kCPU);
  Mean mean;
  std::vector<fs::path> averaged = request.models;
  if (averaged.size() > 1) {
    add_models(averaged, files, model, mean);
  } else {
    averaged = checkpoints_of(averaged.front(), request.last);
    for (const auto& path : averaged) {
      load_weights(path, model.network);
      mean.add(model.network);
    }
  }
  mean.copy_to(model.network);
  const auto parts = files.parts.without_measurements();
  std::string names;
  for (const auto& path : averaged) names += (names.empty() ? "" : ", ") + path.string();
  write_model_directory(directory, parts, model.network, {{"average_of", names}});
  return "the mean of " + std::to_string(averaged.size()) +
         (request.models.size() > 1 ? " models"
          : request.last            ? " latest checkpoints"
                                    : " best checkpoints") +
         " is in " + directory.root.string();
}

}  // namespace nmt
