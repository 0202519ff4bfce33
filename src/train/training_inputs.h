#pragma once

#include <filesystem>
#include <optional>

#include "config/settings.h"
#include "data/parallel_corpus.h"
#include "data/prepare.h"
#include "text/tokenizer.h"

namespace nmt {

struct Tokenizers {
  Tokenizer source;
  Tokenizer target;
};

struct TrainingCorpora {
  ParallelCorpus training;
  std::optional<ParallelCorpus> validation;
};

/// Throws Error when the settings name no training corpus, or files that are not there.
void require_corpora(const DataConfig& data);

/// The vocabularies that the settings name, or new ones trained on the training corpus.
Tokenizers make_tokenizers(const Settings& settings);

/// What the settings say of the training corpus, without sampling and progress.
CorpusRequest training_corpus_request(const Settings& settings,
                                      const std::filesystem::path& cache_dir);

/// Checks and tokenises the training corpus into the cache. Throws Error as prepare_corpus does,
/// and when a signal asks to stop.
ParallelCorpus prepare_training_corpus(const Settings& settings,
                                       const std::filesystem::path& cache_dir,
                                       const Tokenizers& tokenizers);

/// The same with the validation corpus, if there is one. Throws Error, before it begins, on
/// sampling from a vocabulary that can't.
TrainingCorpora prepare_corpora(const Settings& settings, const std::filesystem::path& cache_dir,
                                const Tokenizers& tokenizers);

/// Removes other runs' corpora from the cache.
void remove_unused_caches(const std::filesystem::path& cache_dir, const TrainingCorpora& corpora);

}  // namespace nmt
