#include "train/inputs/held_out_texts.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "config/settings_io.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/side_names.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using File = std::string DataConfig::*;

constexpr File kFiles[] = {&DataConfig::valid_source, &DataConfig::valid_target,
                           &DataConfig::test_source, &DataConfig::test_target};

bool is_held_out(const fs::path& file, const ModelDirectory& directory) {
  std::error_code ignored;
  return !file.empty() && fs::weakly_canonical(file.parent_path(), ignored) ==
                              fs::weakly_canonical(directory.held_out(), ignored);
}

/// Only those who may read the training texts may read it.
void write_held_out(const DataConfig& data, const fs::path& path, const std::string& text) {
  std::vector<fs::path> texts(data.train_source.begin(), data.train_source.end());
  texts.insert(texts.end(), data.train_target.begin(), data.train_target.end());
  make_folder(path.parent_path());
  limit_readers(path.parent_path(), texts);
  write_file_atomically(path, text);
  limit_readers(path, texts);
}

/// The text of a file of the sets; empty if it has none.
std::string text_of(const HeldOutPairs& pairs, File file) {
  const bool validates = file == &DataConfig::valid_source || file == &DataConfig::valid_target;
  const bool is_source = file == &DataConfig::valid_source || file == &DataConfig::test_source;
  const auto side = is_source ? &SentencePair::source : &SentencePair::target;
  std::string text;
  for (const auto& pair : validates ? pairs.validation : pairs.test) text += pair.*side + "\n";
  return text;
}

HoldOutRequest hold_out_request(const Settings& settings) {
  const auto& data = settings.data;
  HoldOutRequest request;
  request.sources = data.train_source;
  request.targets = data.train_target;
  request.languages = data.train_languages;
  request.pairs = data.hold_out;
  request.validation = data.valid_source.empty();
  request.test =
      data.test_source.empty() && settings.model.architecture != Architecture::kLanguageModel;
  auto given = data;
  given.hold_out = 1;
  request.taken = left_out_sentences(given);
  request.progress = [] {
    stop_if_interrupted("interrupted while the validation set was chosen; nothing was trained");
  };
  return request;
}

/// "validation 29 pairs (DIR/valid.de DIR/valid.en)"
std::string set_text(const char* name, size_t pairs, const std::string& source,
                     const std::string& target) {
  if (pairs == 0) return "";
  const bool one_text = source == target;
  return "  " + std::string(name) + " " + std::to_string(pairs) +
         (one_text ? " lines (" : " pairs (") + source + (one_text ? "" : " " + target) + ")";
}

}  // namespace

HeldOutTexts::HeldOutTexts(const Settings& requested, const ModelDirectory& directory)
    : directory_(directory), data_(requested.data) {
  choose(requested);
  require_kept(requested.data);
}

void HeldOutTexts::choose(const Settings& requested) {
  if (data_.hold_out < 0 && !data_.valid_source.empty()) data_.hold_out = 0;
  if (data_.hold_out == 0) return;
  for (const File file : kFiles) {
    if (is_held_out(data_.*file, directory_)) (data_.*file).clear();
  }
  auto settings = requested;
  settings.data = data_;
  const auto request = hold_out_request(settings);
  if (!request.validation && !request.test) return;
  pairs_ = hold_out(request);
  if (pairs_.validation.empty() && pairs_.test.empty()) {
    if (held_out_size(pairs_.source_sentences) == 0) {
      log_warning("{} different {}sentences are too few to hold out a validation set",
                  pairs_.source_sentences,
                  data_.train_source == data_.train_target ? "" : "source ");
    } else {
      log_warning("no validation set is held out: {}", few_possible(pairs_));
    }
    data_.hold_out = 0;
    return;
  }
  // The number that can be held out again from the same corpora.
  data_.hold_out = static_cast<int64_t>(
      pairs_.validation.empty() ? pairs_.test.size()
      : pairs_.test.empty()     ? pairs_.validation.size()
                                : std::min(pairs_.validation.size(), pairs_.test.size()));
  name_files();
}

void HeldOutTexts::name_files() {
  const bool one_text = data_.train_source == data_.train_target;
  const auto names = side_names(data_.train_source.front(), data_.train_target.front());
  const auto [source, target] = one_text ? SideNames("txt", "txt") : names.value_or(kNamelessSides);
  const auto file = [&](const char* set, const std::string& ending) {
    return (directory_.held_out() / (set + ("." + ending))).string();
  };
  if (!pairs_.validation.empty()) {
    data_.valid_source = file("valid", source);
    data_.valid_target = file("valid", target);
  }
  if (!pairs_.test.empty()) {
    data_.test_source = file("test", source);
    data_.test_target = file("test", target);
  }
}

/// With the settings of the previous run, its sets were not named as texts to keep.
void HeldOutTexts::require_kept(const DataConfig& requested) const {
  for (const File file : kFiles) {
    const auto& named = requested.*file;
    if (!is_held_out(named, directory_) || !fs::exists(named)) continue;
    if (data_.hold_out == 0 && data_.*file == named) continue;  // nothing is chosen
    const bool same_name = fs::path(named).filename() == fs::path(data_.*file).filename();
    if (same_name && read_file(named) == text_of(pairs_, file)) continue;
    if (fs::exists(directory_.settings())) {
      const auto saved = load_settings(directory_.settings(), SettingsFrom::kRun).data;
      if (saved.hold_out == requested.hold_out && saved.train_source == requested.train_source &&
          saved.train_target == requested.train_target) {
        return;
      }
    }
    throw Error(named +
                ": would be replaced by another set; copy it elsewhere, or use another "
                "--model-dir");
  }
}

void HeldOutTexts::write() const {
  const bool chosen = !pairs_.validation.empty() || !pairs_.test.empty();
  const bool given = std::any_of(std::begin(kFiles), std::end(kFiles),
                                 [&](File file) { return is_held_out(data_.*file, directory_); });
  if (given && !chosen) return;  // the settings name files that are there already
  if (fs::exists(directory_.held_out())) {
    std::error_code error;
    fs::rename(directory_.held_out(), directory_.replaced_held_out(), error);
    if (error) {
      throw Error(directory_.held_out().string() + ": cannot be renamed: " + error.message());
    }
  }
  if (!chosen) return;
  for (const File file : kFiles) {
    const auto text = text_of(pairs_, file);
    if (!text.empty()) write_held_out(data_, data_.*file, text);
  }
  log_info("held out of training{}{}",
           set_text("validation", pairs_.validation.size(), data_.valid_source, data_.valid_target),
           set_text("test", pairs_.test.size(), data_.test_source, data_.test_target));
}

void restore_held_out(const ModelDirectory& directory) {
  std::error_code ignored;
  if (!fs::exists(directory.replaced_held_out(), ignored)) return;
  fs::remove_all(directory.held_out(), ignored);
  fs::rename(directory.replaced_held_out(), directory.held_out(), ignored);
}

void drop_replaced_held_out(const ModelDirectory& directory) {
  std::error_code ignored;  // a leftover only takes disk space
  fs::remove_all(directory.replaced_held_out(), ignored);
}

DataConfig resumed_held_out(DataConfig requested, const DataConfig& saved,
                            const ModelDirectory& directory) {
  const bool given =
      !requested.valid_source.empty() && !is_held_out(requested.valid_source, directory);
  if (requested.hold_out < 0) requested.hold_out = given ? 0 : saved.hold_out;
  if (requested.hold_out == 0) return requested;
  for (const File file : kFiles) {
    const auto path = directory.text_at(saved.*file);
    if ((requested.*file).empty() && is_held_out(path, directory)) requested.*file = path;
  }
  return requested;
}

DataConfig broadcast_held_out(DataConfig data, const ModelDirectory& directory,
                              ProcessGroup& group) {
  if (group.size() == 1) return data;
  data.hold_out = std::stoll(group.broadcast(std::to_string(data.hold_out)));
  for (const File file : kFiles) {
    const bool own = group.is_rank_zero() && is_held_out(data.*file, directory);
    const auto name = group.broadcast(own ? fs::path(data.*file).filename().string() : "");
    const auto text = group.broadcast(own ? read_file(data.*file) : "");
    if (group.is_rank_zero() || name.empty()) continue;
    const auto path = directory.held_out() / name;
    data.*file = path.string();
    if (fs::exists(path) && read_file(path) == text) continue;  // the machines may share a disk
    write_held_out(data, path, text);
  }
  return data;
}

}  // namespace nmt
