#include "train/inputs/epoch_corpora.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "data/hold_out.h"
#include "data/prepare.h"
#include "data/text_hashes.h"
#include "errors/error.h"
#include "numbers/random.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

// Leaves the other cores to training. The result does not depend on this number.
constexpr int kBackgroundThreads = 1;

void require_unchanged(const RunFingerprint& fingerprint, const std::string& name,
                       const std::string& path) {
  if (text_hash(path) == fingerprint.content.at(name)) return;
  throw Error(path +
              ": changed since this run began, and sampling (data.*_subword_sampling, "
              "data.case_augmentation) reads it in every epoch; restore the old text, or use "
              "--accept-changes to continue with the new one");
}

}  // namespace

EpochCorpora::EpochCorpora(const RunFingerprint& fingerprint, const Tokenizers& tokenizers,
                           const std::filesystem::path& cache_dir, const CorpusMixture& plain)
    : fingerprint_(fingerprint), tokenizers_(tokenizers), cache_dir_(cache_dir), plain_(plain) {}

EpochCorpora::~EpochCorpora() { stopped_ = true; }

CorpusMixture EpochCorpora::corpora_of(int64_t epoch) {
  const auto& data = fingerprint_.settings.data;
  if (data.source_subword_sampling == 0 && data.target_subword_sampling == 0 &&
      data.case_augmentation == 0) {
    return plain_;
  }
  auto corpora = prepared(epoch);
  const int64_t last = fingerprint_.settings.train.max_epochs;
  if (last == 0 || epoch < last) {
    next_ = std::async(std::launch::async,
                       [this, epoch] { return prepare(epoch + 1, kBackgroundThreads); });
  }
  return corpora;
}

/// What failed in the background, perhaps long ago, is tried once more.
CorpusMixture EpochCorpora::prepared(int64_t epoch) {
  if (next_.valid()) {
    try {
      return next_.get();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
    }
  }
  return prepare(epoch, fingerprint_.threads);
}

CorpusMixture EpochCorpora::prepare(int64_t epoch, int threads) const {
  const auto& data = fingerprint_.settings.data;
  for (const auto& [name, path] : training_texts(data)) require_unchanged(fingerprint_, name, path);
  for (const auto& [name, path] : left_out_texts(data)) require_unchanged(fingerprint_, name, path);
  Random seeds(static_cast<uint64_t>(fingerprint_.settings.train.seed),
               static_cast<uint64_t>(epoch));
  std::vector<ParallelCorpus> corpora;
  for (auto& request : training_corpus_requests(fingerprint_.settings, cache_dir_)) {
    request.threads = threads;
    request.sampling = {data.source_subword_sampling, data.target_subword_sampling, seeds.next(),
                        data.case_augmentation};
    request.progress = [&](int64_t) {
      if (interrupted() || stopped_) {
        throw Interrupted("interrupted while preparing the corpus of epoch " +
                          std::to_string(epoch) + "; the last saved state is intact");
      }
    };
    corpora.push_back(prepare_corpus(request, tokenizers_.source, tokenizers_.target));
    // Deleted at once: the mapping stays valid, and a killed program leaves no file behind.
    std::error_code ignored;
    std::filesystem::remove_all(corpora.back().folder(), ignored);
  }
  const auto weights = corpus_weights(data, corpora);
  return CorpusMixture(std::move(corpora), weights);
}

}  // namespace nmt
