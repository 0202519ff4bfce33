#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "checkpoint/model_stamp.h"
#include "text/language_identifier.h"
#include "threads/worker_threads.h"
#include "translate/languages.h"
#include "translate/translator.h"

namespace nmt {

/// A model in memory. It stays there for as long as a handle to it exists, even after the catalog
/// has unloaded or replaced it.
struct LoadedModel {
  std::shared_ptr<const void> memory = {};  // freed in the catalog after the translator
  ModelStamp stamp = {};                    // of the files that it was read from
  Direction direction;
  std::string marker = {};  // prefix of each line, for a model of several target languages
  std::shared_ptr<const Translator> translator;

  /// A sentence as the translator reads it.
  std::string line(const std::string& sentence) const { return marker + sentence; }

  /// A sentence's constraints, for its line.
  TranslationConstraints in_line(TranslationConstraints constraints) const {
    for (auto& [begin, end] : constraints.copied) {
      begin += marker.size();
      end += marker.size();
    }
    return constraints;
  }
};
using ModelHandle = std::shared_ptr<const LoadedModel>;

struct CatalogOptions {
  /// How models are loaded. Each of model_dirs is a separate model, not a member of an ensemble.
  TranslatorOptions translators;
  Direction direction = {"", ""};  // of a single model; "": as guess_direction
  uint64_t max_memory = 0;         // bytes of all loaded models together; 0: no limit
};

/// The model directories and .nmt files in a folder, sorted by name. Throws Error if there are
/// none.
std::vector<std::filesystem::path> models_in(const std::filesystem::path& folder);

/// The models of a server, loaded on first use. The least recently used are unloaded when others
/// need their memory. A model whose files are replaced, or whose terms, shortlist or language model
/// are, is reloaded a second after the last change; until then, or if that fails, the old version
/// stays in use. Thread-safe.
class ModelCatalog {
 public:
  /// Reads everything but the weights. Throws Error for a model that is broken, does not translate,
  /// or needs more than max_memory, and for two models of the same direction.
  explicit ModelCatalog(const CatalogOptions& options);
  ModelCatalog(const ModelCatalog&) = delete;
  ModelCatalog& operator=(const ModelCatalog&) = delete;

  /// The models' directions, in the order of model_dirs; a model of several target languages has
  /// several. `place` below is an index into this list.
  const std::vector<Direction>& directions() const { return directions_; }

  /// Number of callers that may translate at the same time.
  int callers() const { return callers_; }

  /// Loads the model unless it is in memory, and waits until there is memory for it. The caller
  /// must not hold another model's handle meanwhile, since that memory may be needed. Throws Error.
  ModelHandle acquire(size_t place);

  LanguageIdentifier language_identifier(size_t place) const;

  /// Whether the model supports TranslationOptions::pass_through; translating with it throws
  /// otherwise.
  bool can_pass_through(size_t place) const;

  struct ModelState {
    Direction direction;
    bool loaded = false;
    int64_t times_loaded = 0;
  };
  std::vector<ModelState> states() const;  // of all directions

  /// Bytes, as estimated from the files.
  uint64_t memory_in_use() const;

 private:
  /// What is known of a model without loading its weights.
  struct Outline {
    std::vector<Direction> directions;
    std::vector<Direction> left_out;  // directions_left_out
    bool several_languages = false;
    std::optional<LanguageIdentifier> languages;
    bool can_pass_through = false;
    uint64_t memory = 0;  // bytes, once loaded
    bool plain = false;   // computed by the plain engine
  };

  struct Entry {
    Outline outline;
    ModelHandle loaded;                       // null: not in memory
    std::shared_future<ModelHandle> loading;  // valid while a thread loads it
    uint64_t last_use = 0;                    // a number that grows with every use
    int64_t times_loaded = 0;
  };

  ModelHandle acquire_model(size_t model);
  TranslatorOptions options_of(size_t model) const;
  Outline read_outline(size_t model) const;
  const std::filesystem::path& path_of(size_t model) const {
    return options_.translators.model_dirs[model];
  }
  ModelStamp stamp_now(size_t model) const;
  ModelHandle load(size_t model);
  void put(size_t model, ModelHandle loaded);
  std::shared_ptr<const void> make_room(size_t model, uint64_t bytes);
  std::vector<ModelHandle> unload_for(size_t model, uint64_t bytes);

  /// What the watching thread knows about a model's files.
  struct WatchedFiles {
    ModelStamp last;
    bool tried = false;  // whether loading `last` was attempted
  };
  void watch();
  void check_files(size_t model, WatchedFiles& files);
  void replace(size_t model);

  const CatalogOptions options_;
  std::vector<Direction> directions_;
  std::vector<size_t> models_;  // of each direction: index into model_dirs
  int callers_ = 1;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  uint64_t memory_in_use_ = 0;
  uint64_t num_uses_ = 0;
  bool closing_ = false;
  std::vector<Entry> entries_;  // destroyed before what they give memory back to

  std::optional<WorkerThreads> watching_;  // stopped before anything else is destroyed
};

}  // namespace nmt
