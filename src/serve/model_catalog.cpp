#include "serve/model_catalog.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <system_error>
#include <utility>

#include "checkpoint/model_directory.h"
#include "checkpoint/stored_model.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "processes/heap.h"
#include "text/target_languages.h"
#include "threads/threads.h"
#include "translate/engine_choice.h"
#include "translate/language_detection.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kWatchInterval{1};

std::string rounded_size(uint64_t bytes) {
  return fmt::format("{} MiB", (bytes + (1 << 20) - 1) >> 20);
}

/// As given in an option: 1 KiB, not 1024 B.
std::string exact_size(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB"};
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

/// An estimate in bytes, at most 5 % off for models of 6 to 66 MB. A fused model keeps its file
/// mapped, or its weights converted to float32, in addition to the packed weights.
uint64_t memory_of(const StoredModel& model, const TranslatorOptions& options) {
  uint64_t weights = 0;
  bool converted = false;
  for (const auto& tensor : model.weights.header.tensors) {
    uint64_t size = 1;
    for (const int64_t length : tensor.shape) size *= static_cast<uint64_t>(length);
    weights += size;
    converted = converted || tensor.dtype != "F32";
  }
  // int8 weights that are read one row at a time also have float32 copies.
  const uint64_t packed = options.precision == TranslationPrecision::kInt8 ? 2 : 4;
  const uint64_t vocabularies = model.source.bytes().size() + model.target.bytes().size();
  return model.weights.file->bytes().size() + (packed + (converted ? 4 : 0)) * weights +
         4 * vocabularies;
}

}  // namespace

std::vector<fs::path> models_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    const bool directory = entry.is_directory(ignored);
    const bool model =
        directory ? ModelDirectory{entry.path()}.holds_model() : entry.path().extension() == ".nmt";
    if (model) models.push_back(entry.path());
  }
  if (error) throw Error(folder.string() + ": cannot be read: " + error.message());
  if (models.empty()) {
    throw Error(folder.string() +
                ": holds no models; use a folder of model directories or .nmt files");
  }
  std::sort(models.begin(), models.end());
  return models;
}

ModelCatalog::ModelCatalog(const CatalogOptions& options) : options_(options) {
  const auto& paths = options_.translators.model_dirs;
  for (size_t model = 0; model < paths.size(); ++model) {
    auto outline = read_outline(model);
    if (!outline.left_out.empty()) {
      log_warning("{}: not served, since the ending of the training file names no language: {}",
                  paths[model].string(), directions_text(outline.left_out));
    }
    for (const auto& direction : outline.directions) {
      const auto same = std::find(directions_.begin(), directions_.end(), direction);
      if (same != directions_.end()) {
        const auto& other = paths[models_[static_cast<size_t>(same - directions_.begin())]];
        throw Error(paths[model].string() + " and " + other.string() + ": both translate " +
                    directions_text({direction}) + "; serve one of them");
      }
      directions_.push_back(direction);
      models_.push_back(model);
    }
    if (!outline.plain) callers_ = number_of_threads(options_.translators.threads);
    entries_.emplace_back().outline = std::move(outline);
  }
  watching_.emplace(
      1, [this] { watch(); },
      [this] {
        const std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
        changed_.notify_all();
      });
}

TranslatorOptions ModelCatalog::options_of(size_t model) const {
  auto options = options_.translators;
  options.model_dirs = {options.model_dirs[model]};
  options.callers = 0;  // one independent thread for each core
  return options;
}

ModelCatalog::Outline ModelCatalog::read_outline(size_t model) const {
  const auto options = options_of(model);
  const auto& path = options.model_dirs.front();
  const auto stored = parse_model(read_model_files(path, Checksum::kSkip));
  require_translator(stored.options, path);
  Outline outline;
  const TargetLanguages languages(stored.source);
  outline.several_languages = !languages.empty();
  outline.directions = directions_of(stored.settings, path, languages.codes());
  outline.left_out = directions_left_out(stored.settings);
  auto& first = outline.directions.front();
  const auto& given = options_.direction;
  if (outline.several_languages && !(given.source + given.target).empty()) {
    throw UsageError(path.string() +
                     ": translates into several languages; omit --source-language and "
                     "--target-language");
  }
  if (options_.translators.model_dirs.size() == 1) {
    if (!given.source.empty()) first.source = given.source;
    if (!given.target.empty()) first.target = given.target;
  } else if (first.source == "xx" || first.target == "xx") {
    throw Error(path.string() +
                ": its languages are unknown; rename it to SOURCE-TARGET, such as ko-en");
  }
  // A source vocabulary shared by several languages does not tell them apart.
  outline.languages.emplace(
      Tokenizers{stored.source, outline.several_languages ? stored.source : stored.target});
  outline.can_pass_through =
      !outline.several_languages && (outline.languages->has_two_vocabularies() ||
                                     can_distinguish(guess_direction(stored.settings, path)));
  require_possible(options, {stored.options});
  outline.plain = uses_plain_engine(options, {stored.options});
  outline.memory = memory_of(stored, options);
  if (options_.max_memory > 0 && outline.memory > options_.max_memory) {
    throw Error(fmt::format("{}: needs {} of memory, more than --max-memory {}; allow more",
                            path.string(), rounded_size(outline.memory),
                            exact_size(options_.max_memory)));
  }
  return outline;
}

ModelHandle ModelCatalog::acquire(size_t place) {
  auto loaded = acquire_model(models_[place]);
  if (loaded->marker.empty()) return loaded;
  const auto& direction = directions_[place];
  return std::make_shared<const LoadedModel>(LoadedModel{
      loaded, loaded->stamp, direction, language_marker(direction.target), loaded->translator});
}

ModelHandle ModelCatalog::acquire_model(size_t model) {
  std::packaged_task<ModelHandle()> loads([&] {
    auto loaded = load(model);
    put(model, loaded);
    return loaded;
  });
  std::shared_future<ModelHandle> loading;
  bool first = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& entry = entries_[model];
    entry.last_use = ++num_uses_;
    if (entry.loaded) return entry.loaded;
    first = !entry.loading.valid();
    if (first) entry.loading = loads.get_future().share();
    loading = entry.loading;
  }
  if (first) {
    loads();
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[model].loading = {};
  }
  return loading.get();
}

void ModelCatalog::put(size_t model, ModelHandle loaded) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[model].loaded.swap(loaded);
    ++entries_[model].times_loaded;
  }
  changed_.notify_all();
}  // the old version gives back its memory here

ModelStamp ModelCatalog::stamp_now(size_t model) const {
  const auto& options = options_.translators;
  auto stamp = stamp_of(path_of(model));
  for (const auto& file : {options.terms, options.shortlist, options.language_model}) {
    if (file.empty() || is_readable_once(file)) continue;
    const auto more = stamp_of(file);
    stamp.insert(stamp.end(), more.begin(), more.end());
  }
  return stamp;
}

ModelHandle ModelCatalog::load(size_t model) {
  auto stamp = stamp_now(model);
  auto outline = read_outline(model);
  const auto first = std::find(models_.begin(), models_.end(), model) - models_.begin();
  const auto count = std::count(models_.begin(), models_.end(), model);
  const std::vector<Direction> before(directions_.begin() + first,
                                      directions_.begin() + first + count);
  if (outline.directions != before) {
    throw Error(path_of(model).string() + ": translates " + directions_text(outline.directions) +
                " now, no longer " + directions_text(before) + "; restart the server");
  }
  auto memory = make_room(model, outline.memory);
  auto translator = std::make_shared<const Translator>(options_of(model));
  const auto marker =
      outline.several_languages ? language_marker(before.front().target) : std::string();
  auto loaded = std::make_shared<const LoadedModel>(LoadedModel{
      std::move(memory), std::move(stamp), before.front(), marker, std::move(translator)});
  const std::lock_guard<std::mutex> lock(mutex_);
  entries_[model].outline = std::move(outline);
  return loaded;
}

std::shared_ptr<const void> ModelCatalog::make_room(size_t model, uint64_t bytes) {
  std::unique_lock<std::mutex> lock(mutex_);
  // A replaced version is released once its requests are answered; nothing needs to wait for it.
  const bool replaces = entries_[model].loaded != nullptr;
  while (true) {
    auto unloaded = unload_for(model, bytes);
    if (!unloaded.empty()) {
      lock.unlock();
      unloaded.clear();  // gives back memory, unless a request still uses it
      lock.lock();
    }
    const bool fits = options_.max_memory == 0 || memory_in_use_ + bytes <= options_.max_memory;
    if (fits || replaces) break;
    changed_.wait(lock);
  }
  memory_in_use_ += bytes;
  return {nullptr, [this, bytes](const void*) {
            release_freed_memory();
            {
              const std::lock_guard<std::mutex> released(mutex_);
              memory_in_use_ -= bytes;
            }
            changed_.notify_all();
          }};
}

std::vector<ModelHandle> ModelCatalog::unload_for(size_t model, uint64_t bytes) {
  std::vector<ModelHandle> unloaded;
  if (options_.max_memory == 0) return unloaded;
  while (true) {
    uint64_t kept = 0;
    Entry* oldest = nullptr;
    for (auto& entry : entries_) {
      if (!entry.loaded || &entry == &entries_[model]) continue;
      kept += entry.outline.memory;
      if (oldest == nullptr || entry.last_use < oldest->last_use) oldest = &entry;
    }
    if (oldest == nullptr || kept + bytes <= options_.max_memory) return unloaded;
    unloaded.push_back(std::move(oldest->loaded));
    oldest->loaded = nullptr;
  }
}

void ModelCatalog::watch() {
  std::vector<WatchedFiles> files(entries_.size());
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock, kWatchInterval, [this] { return closing_; })) {
    lock.unlock();
    try {
      for (size_t model = 0; model < files.size(); ++model) check_files(model, files[model]);
    } catch (const std::exception&) {  // out of memory: checks again later
    }
    lock.lock();
  }
}

void ModelCatalog::check_files(size_t model, WatchedFiles& files) {
  ModelStamp used;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!entries_[model].loaded) return;
    used = entries_[model].loaded->stamp;
  }
  const auto stamp = stamp_now(model);
  if (stamp == used) return;
  if (stamp != files.last) {  // more files may follow
    files = {stamp, false};
  } else if (!files.tried) {
    files.tried = true;
    replace(model);
  }
}

void ModelCatalog::replace(size_t model) try {
  put(model, load(model));
  log_info("{}: replaced; requests use the new version", path_of(model).string());
} catch (const std::exception& error) {
  log_warning("{}: not replaced: {}; the old version stays in use", path_of(model).string(),
              error.what());
}

LanguageIdentifier ModelCatalog::language_identifier(size_t place) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return *entries_[models_[place]].outline.languages;
}

bool ModelCatalog::can_pass_through(size_t place) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return entries_[models_[place]].outline.can_pass_through;
}

std::vector<ModelCatalog::ModelState> ModelCatalog::states() const {
  std::vector<ModelState> states;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t place = 0; place < models_.size(); ++place) {
    const auto& entry = entries_[models_[place]];
    states.push_back({directions_[place], entry.loaded != nullptr, entry.times_loaded});
  }
  return states;
}

uint64_t ModelCatalog::memory_in_use() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return memory_in_use_;
}

}  // namespace nmt
