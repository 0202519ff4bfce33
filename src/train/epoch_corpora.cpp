#include "train/epoch_corpora.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "data/prepare.h"
#include "data/text_hashes.h"
#include "errors/error.h"
#include "numbers/random.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

// Training has the other cores; nothing depends on the number.
constexpr int kThreadsBesideTraining = 1;

void require_unchanged(const RunOrigin& origin, const std::string& name, const std::string& path) {
  if (text_hash(path) == origin.content.at(name)) return;
  throw Error(path + ": has changed since this run began, and " +
              "sampled segmentations need its text in every epoch; put the old text back, or say "
              "--accept-changes to go on with the new one");
}

}  // namespace

EpochCorpora::EpochCorpora(const RunOrigin& origin, const Tokenizers& tokenizers,
                           const std::filesystem::path& cache_dir, const CorpusMixture& plain)
    : origin_(origin), tokenizers_(tokenizers), cache_dir_(cache_dir), plain_(plain) {}

EpochCorpora::~EpochCorpora() { dismissed_ = true; }

CorpusMixture EpochCorpora::corpora_of(int64_t epoch) {
  const auto& data = origin_.settings.data;
  if (data.source_subword_sampling == 0 && data.target_subword_sampling == 0) return plain_;
  auto corpora = next_.valid() ? next_.get() : prepare(epoch, origin_.threads);
  const int64_t last = origin_.settings.train.max_epochs;
  if (last == 0 || epoch < last) {
    next_ = std::async(std::launch::async,
                       [this, epoch] { return prepare(epoch + 1, kThreadsBesideTraining); });
  }
  return corpora;
}

CorpusMixture EpochCorpora::prepare(int64_t epoch, int threads) const {
  const auto& data = origin_.settings.data;
  for (size_t i = 0; i < data.train_source.size(); ++i) {
    require_unchanged(origin_, training_text_name("source", i), data.train_source[i]);
    require_unchanged(origin_, training_text_name("target", i), data.train_target[i]);
  }
  Random seeds(static_cast<uint64_t>(origin_.settings.train.seed), static_cast<uint64_t>(epoch));
  std::vector<ParallelCorpus> corpora;
  for (auto& request : training_corpus_requests(origin_.settings, cache_dir_)) {
    request.threads = threads;
    request.sampling = {data.source_subword_sampling, data.target_subword_sampling, seeds.next()};
    request.progress = [&](int64_t) {
      if (interrupted() || dismissed_) {
        throw Interrupted("interrupted while preparing the corpus of epoch " +
                          std::to_string(epoch) + "; what was saved before stands");
      }
    };
    corpora.push_back(prepare_corpus(request, tokenizers_.source, tokenizers_.target));
    // It stays mapped while it is in use, and no file is left behind when the program is killed.
    std::error_code ignored;
    std::filesystem::remove_all(corpora.back().folder(), ignored);
  }
  return CorpusMixture(std::move(corpora), data.train_weights);
}

}  // namespace nmt
