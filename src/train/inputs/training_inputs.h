#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "config/settings.h"
#include "data/corpus_mixture.h"
#include "data/parallel_corpus.h"
#include "data/prepare.h"
#include "text/tokenizer.h"

namespace nmt {

struct TrainingCorpora {
  CorpusMixture training;
  std::optional<ParallelCorpus> validation;
};

/// Loads the vocabularies that the settings name, or trains new ones on the training corpora.
Tokenizers make_tokenizers(const Settings& settings);

/// The sampling weight of each corpus, from data.train_weights or data.sampling_temperature. Empty:
/// every pair is used once per epoch.
std::vector<double> corpus_weights(const DataConfig& data,
                                   const std::vector<ParallelCorpus>& corpora);

/// The request for each training corpus, without sampling and progress.
std::vector<CorpusRequest> training_corpus_requests(const Settings& settings,
                                                    const std::filesystem::path& cache_dir);

/// Checks and tokenizes the training corpora into the cache. Throws Error as prepare_corpus does;
/// Interrupted on a signal.
CorpusMixture prepare_training_corpora(const Settings& settings,
                                       const std::filesystem::path& cache_dir,
                                       const Tokenizers& tokenizers);

/// The same for training and validation corpora, if there is one. First throws Error if the
/// vocabularies do not support the requested subword sampling.
TrainingCorpora prepare_corpora(const Settings& settings, const std::filesystem::path& cache_dir,
                                const Tokenizers& tokenizers);

std::vector<ParallelCorpus> all_of(const TrainingCorpora& corpora);

}  // namespace nmt
