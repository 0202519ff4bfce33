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

/// A model in memory. It stays there, unloaded and replaced or not, for as long as somebody holds
/// its handle.
struct LoadedModel {
  std::shared_ptr<const void> memory = {};  // returns it to the catalog, after the translator
  ModelStamp stamp = {};                    // of the files that it was read from
  Direction direction;
  std::string marker = {};  // that lines begin with, for a model of several target languages
  std::shared_ptr<const Translator> translator;

  /// A sentence as the translator reads it.
  std::string line(const std::string& sentence) const { return marker + sentence; }
};
using ModelHandle = std::shared_ptr<const LoadedModel>;

struct CatalogOptions {
  /// How models are loaded. Each of model_dirs is a model by itself, not a member of an ensemble.
  TranslatorOptions translators;
  Direction direction = {"", ""};  // of a single model; "": as guess_direction
  uint64_t max_memory = 0;         // bytes of all loaded models together; 0: no limit
};

/// The model directories and .nmt files in a folder, by name. Throws Error when there are none.
std::vector<std::filesystem::path> models_in(const std::filesystem::path& folder);

/// The models of a server, which are loaded when they are first used. Those used least recently are
/// unloaded where others need their memory. One whose files are replaced is loaded anew, a second
/// after the last change; until then, or if that fails, the old version stays in use. Thread-safe.
class ModelCatalog {
 public:
  /// Reads everything but the weights. Throws Error for a model that is broken, does not translate,
  /// or needs more than all memory, and for two of one direction.
  explicit ModelCatalog(const CatalogOptions& options);
  ModelCatalog(const ModelCatalog&) = delete;
  ModelCatalog& operator=(const ModelCatalog&) = delete;

  /// Of the models, in the order of model_dirs; of one with several target languages each. The
  /// other functions take a place in this list.
  const std::vector<Direction>& directions() const { return directions_; }

  /// Callers that may translate at the same time.
  int callers() const { return callers_; }

  /// Loads the model unless it is in memory, and waits until there is memory for it: the caller
  /// must not hold another. Throws Error.
  ModelHandle acquire(size_t place);

  LanguageIdentifier language_identifier(size_t place) const;

  /// Whether the model translates with TranslationOptions::pass_through; others throw.
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
  /// What a model's files say without its weights.
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
  ModelHandle load(size_t model);
  void put(size_t model, ModelHandle loaded);
  std::shared_ptr<const void> make_room(size_t model, uint64_t bytes);
  std::vector<ModelHandle> unload_for(size_t model, uint64_t bytes);

  /// What the watching thread knows of a model's files.
  struct WatchedFiles {
    ModelStamp last;
    bool tried = false;  // to load them
  };
  void watch();
  void check_files(size_t model, WatchedFiles& files);
  void replace(size_t model);

  const CatalogOptions options_;
  std::vector<Direction> directions_;
  std::vector<size_t> models_;  // of the directions: their places in model_dirs
  int callers_ = 1;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  uint64_t memory_in_use_ = 0;
  uint64_t num_uses_ = 0;
  bool closing_ = false;
  std::vector<Entry> entries_;  // they return their memory to what is above

  std::optional<WorkerThreads> watching_;  // stopped before anything else is destroyed
};

}  // namespace nmt
