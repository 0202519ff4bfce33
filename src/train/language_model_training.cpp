#include "train/language_model_training.h"

#include "errors/error.h"

namespace nmt {
namespace {

std::string vocabulary_file(const std::filesystem::path& model_dir, const std::string& side) {
  const ModelDirectory model{model_dir};
  const auto file = side == "source" ? model.source_tokenizer() : model.target_tokenizer();
  if (std::filesystem::exists(file)) return file.string();
  throw Error(model_dir.string() + ": --vocabulary-of needs a model directory" +
              (std::filesystem::is_regular_file(model_dir) ? "; use nmt unpack to make one" : ""));
}

}  // namespace

void train_language_model(LanguageModelRequest request) {
  auto& settings = request.training.settings;
  if (settings.data.train_source.empty() &&
      request.training.existing_run != ExistingRunPolicy::kResume) {
    throw UsageError("lm train: --text is missing; name the file to train on");
  }
  if (!request.vocabulary_of.empty()) {
    settings.vocab.source_model = vocabulary_file(request.vocabulary_of, request.side);
    settings.vocab.target_model.clear();
  }
  settings.vocab.joint = true;
  settings.model.architecture = Architecture::kLanguageModel;
  train(request.training);
}

}  // namespace nmt
