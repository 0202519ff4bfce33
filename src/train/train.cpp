#include "train/train.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "checkpoint/model_directory.h"
#include "checkpoint/model_parts.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "support/error.h"
#include "support/folder_lock.h"
#include "support/interrupt.h"
#include "support/threads.h"
#include "train/objective.h"
#include "train/training_run.h"
#include "train/training_summary.h"

namespace nmt {
namespace {

Tokenizers saved_tokenizers(const ModelDirectory& directory) {
  return {Tokenizer::from_file(directory.source_tokenizer()),
          Tokenizer::from_file(directory.target_tokenizer())};
}

void write_files(const ModelDirectory& directory, const Settings& settings,
                 const Tokenizers& tokenizers) {
  write_parts(directory, {to_yaml(settings, /*with_comments=*/true), tokenizers.source.bytes(),
                          tokenizers.target.bytes(), "", ""});
}

/// Clears the folder for a new run.
void write_inputs(const ModelDirectory& directory, const Settings& settings,
                  const Tokenizers& tokenizers) {
  directory.clear();
  write_files(directory, settings, tokenizers);
}

void run_to_the_end(Trainer& trainer, const TrainingRun& run, const Seq2Seq& network,
                    const ModelDirectory& directory) {
  const auto outcome = trainer.run();
  write_training_summary(directory.summary(), run.origin.settings, run.corpora.training.report(),
                         count_parameters(*network), outcome);
  if (outcome.finished) trainer.save();
  spdlog::info("training ended: {}  updates {}  epochs {}  minutes {:.1f}", outcome.stop_reason,
               outcome.updates, outcome.epochs, outcome.minutes);
  if (!outcome.finished) {
    throw Interrupted(directory.root.string() + ": training was interrupted at update " +
                      std::to_string(outcome.updates) +
                      " and saved; the same command goes on from there");
  }
  spdlog::info("the model is in {}", directory.root.string());
}

/// Takes the model's folder away again when training fails before anything is in it.
class NewFolder {
 public:
  explicit NewFolder(const ModelDirectory& directory)
      : directory_(directory), is_new_(!std::filesystem::exists(directory.root)) {
    directory.make();
  }
  ~NewFolder() {
    std::error_code ignored;
    std::filesystem::remove(directory_.corpus_cache(), ignored);
    if (is_new_) std::filesystem::remove(directory_.root, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

 private:
  const ModelDirectory& directory_;
  bool is_new_;
};

}  // namespace

void train(const TrainRequest& request) {
  const Settings& settings = request.settings;
  validate(settings);
  catch_interrupts();
  require_corpora(settings.data);
  const ModelDirectory directory{request.model_dir};
  std::optional<FolderLock> lock;
  lock.emplace(directory.root);
  const auto state = find_run_to_resume(directory, request.old_run);
  if (!state) directory.require_free(request.old_run == OldRun::kReplace);
  const NewFolder folder(directory);
  lock.emplace(directory.root);  // it may be a new one
  directory.remove_temporaries();
  at::set_num_threads(number_of_threads(settings.train.threads));

  const auto tokenizers = state ? saved_tokenizers(directory) : make_tokenizers(settings);
  const auto origin = describe_origin(settings, tokenizers, directory.corpus_cache());
  if (state) {
    require_same_origin(origin_from_json(state->origin), origin, request.accept_changes);
  }
  make_objective(settings.train, tokenizers, torch::kCPU);  // what it needs is there, or the end
  const auto run = prepare_run(origin, tokenizers, directory.corpus_cache());
  const auto network = make_network(run, state);
  if (state) {
    write_files(directory, settings, tokenizers);
  } else {
    write_inputs(directory, settings, tokenizers);
  }
  const auto trainer = make_trainer(run, network, directory, state);
  spdlog::info("model  parameters {}  device {}  threads {}", count_parameters(*network),
               settings.train.device, at::get_num_threads());
  if (state && !finish_of(*state).empty() && !trainer->reason_to_stop().empty()) {
    spdlog::info("{}: training is finished already ({}); a higher limit lets it go on",
                 directory.root.string(), trainer->reason_to_stop());
    return;
  }
  if (state)
    spdlog::info("the run in {} goes on after update {}", directory.root.string(),
                 trainer->updates());
  run_to_the_end(*trainer, run, network, directory);
}

}  // namespace nmt
