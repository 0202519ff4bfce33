#include "jobs/translation_job.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

#include "files/file.h"
#include "files/json.h"

namespace nmt {
namespace {

constexpr int kJournalVersion = 1;
constexpr char kUseRestart[] = "; use --restart to start over";

std::string shown_value(const JobDescription& job, const std::string& name) {
  const auto found = job.find(name);
  return found == job.end() || found->second.empty() ? "none" : found->second;
}

/// "NAME BEFORE → NOW; …"; empty if nothing differs.
std::string changes_between(const JobDescription& before, const JobDescription& now) {
  auto names = before;
  names.insert(now.begin(), now.end());
  std::string changes;
  for (const auto& [name, value] : names) {
    const auto was = shown_value(before, name);
    const auto is = shown_value(now, name);
    if (was != is)
      changes += fmt::format("{}{} {} → {}", changes.empty() ? "" : "; ", name, was, is);
  }
  return changes;
}

}  // namespace

std::vector<std::filesystem::path> TranslationJob::unfinished_files(
    const std::vector<std::filesystem::path>& files) {
  std::vector<std::filesystem::path> unfinished;
  for (const auto& file : files) unfinished.emplace_back(file.string() + ".part");
  unfinished.emplace_back(unfinished.front().string() + ".json");
  return unfinished;
}

TranslationJob::TranslationJob(const std::vector<std::filesystem::path>& files,
                               std::function<JobDescription()> describe, bool restart,
                               std::chrono::milliseconds save_every)
    : describe_(std::move(describe)), save_every_(save_every) {
  for (const auto& file : files) parts_.push_back(std::make_unique<PartFile>(file));
  journal_ = unfinished_files(files).back();
  remove_unfinished_journals();
  std::error_code ignored;
  if (restart) {
    std::filesystem::remove(journal_, ignored);
    for (auto& part : parts_) part->cut(0);
  }
  if (std::filesystem::exists(journal_, ignored)) {
    resume();
    return;
  }
  for (const auto& part : parts_) {
    if (part->size() == 0) continue;
    throw Error(part->part().string() + ": exists without its journal " + journal_.string() +
                "; remove it, or use --restart to start over");
  }
}

void TranslationJob::remove_unfinished_journals() const {
  const auto folder = std::filesystem::path(journal_).replace_filename(".");
  const auto unfinished = journal_.filename().string() + ".tmp";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (!is_numbered(entry.path().filename().string(), unfinished)) continue;
    std::filesystem::remove(entry.path(), ignored);
  }
}

void TranslationJob::resume() {
  saved_ = read_journal();
  const auto changes = changes_between(saved_.job, describe_());
  if (!changes.empty()) {
    throw Error(parts_.front()->part().string() + ": started with other settings: " + changes +
                "; use the same ones, or --restart to start over");
  }
  if (saved_.bytes.size() != parts_.size() || saved_.hashes.size() != parts_.size()) {
    throw damaged();
  }
  for (size_t i = 0; i < parts_.size(); ++i) {
    auto& part = parts_[i];
    const int64_t bytes = saved_.bytes[i];
    if (part->size() >= bytes) {
      part->read(bytes);
      if (part->hash() != saved_.hashes[i]) {
        throw Error(part->part().string() +
                    ": edited since nmt wrote it; undo that, or use --restart to start over");
      }
      part->cut(bytes);
    } else if (saved_.whole && part->size() == 0) {
      part.reset();
    } else {
      throw Error(part->part().string() + ": has " + std::to_string(part->size()) + " bytes, but " +
                  std::to_string(bytes) + " according to " + journal_.string() + kUseRestart);
    }
  }
}

TranslationJob::Journal TranslationJob::read_journal() const try {
  constexpr size_t kMaxBytes = 1 << 20;
  const auto json = parse_json(read_file(journal_, kMaxBytes));
  if (json.at("version").get<int64_t>() > kJournalVersion) {
    throw Error(journal_.string() + ": written by a newer nmt; use that version" + kUseRestart);
  }
  Journal journal = {json.at("job").get<JobDescription>(),
                     json.at("lines").get<int64_t>(),
                     json.at("content").get<std::string>(),
                     json.at("bytes").get<std::vector<int64_t>>(),
                     json.at("hashes").get<std::vector<std::string>>(),
                     json.at("whole").get<bool>()};
  bool sound = journal.lines >= 0 && !journal.job.empty();
  for (const int64_t bytes : journal.bytes) sound = sound && bytes >= 0;
  if (!sound) throw damaged();
  return journal;
} catch (const nlohmann::json::exception&) {
  throw damaged();
}

Error TranslationJob::damaged() const {
  return Error(journal_.string() + ": damaged" + kUseRestart);
}

void TranslationJob::write_journal() const {
  const nlohmann::ordered_json json = {{"version", kJournalVersion}, {"lines", saved_.lines},
                                       {"bytes", saved_.bytes},      {"whole", saved_.whole},
                                       {"content", saved_.content},  {"job", saved_.job},
                                       {"hashes", saved_.hashes}};
  write_file_atomically(journal_, dump_json(json, 2) + "\n");
}

void TranslationJob::skip(const std::string& source) {
  add(source);
  if (lines_ != saved_.lines || content_.hexadecimal() == saved_.content) return;
  throw Error(journal_.string() + ": the first " + std::to_string(lines_) +
              " lines of the input, or what guides them, have changed" + kUseRestart);
}

void TranslationJob::write(size_t file, const std::string& text) {
  if (parts_[file] == nullptr) {
    throw Error(journal_.string() + ": the input has grown since its translation was completed" +
                kUseRestart);
  }
  parts_[file]->write(text);
}

void TranslationJob::add(const std::string& source) {
  content_.add(source);
  content_.add("\n");
  ++lines_;
}

void TranslationJob::pause() {
  if (std::chrono::steady_clock::now() - last_save_ >= save_every_) {
    save(false);
  } else if (!saved_.job.empty()) {
    for (auto& part : parts_) part->save(false);  // limits memory: save_every may be much output
  }
}

void TranslationJob::save(bool whole) {
  if (saved_.job.empty()) {
    // First, so that no part exists without a journal.
    saved_.job = describe_();
    saved_.content = Sha256().hexadecimal();
    saved_.bytes.resize(parts_.size());
    saved_.hashes.assign(parts_.size(), saved_.content);
    write_journal();
  }
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i] == nullptr) continue;
    parts_[i]->save(true);
    saved_.bytes[i] = parts_[i]->size();
    saved_.hashes[i] = parts_[i]->hash();
  }
  saved_.lines = lines_;
  saved_.content = content_.hexadecimal();
  saved_.whole = whole;
  write_journal();
  last_save_ = std::chrono::steady_clock::now();
}

void TranslationJob::discard_empty() const {
  std::error_code ignored;
  if (std::filesystem::exists(journal_, ignored)) return;  // which describes them
  for (const auto& part : parts_) {
    if (part == nullptr || !std::filesystem::is_empty(part->part(), ignored)) continue;
    std::filesystem::remove(part->part(), ignored);
  }
}

void TranslationJob::finish() {
  if (lines_ < saved_.lines) {
    throw Error(journal_.string() + ": translates " + std::to_string(saved_.lines) +
                " lines, but the input has " + std::to_string(lines_) + kUseRestart);
  }
  const bool journaled = !saved_.job.empty();
  if (journaled) save(true);
  // The first output last: once it has its final name, all outputs are complete.
  for (size_t i = parts_.size(); i-- > 0;) {
    if (parts_[i] == nullptr) continue;
    parts_[i]->save(false);
    parts_[i]->finish();
  }
  std::error_code ignored;
  if (journaled) std::filesystem::remove(journal_, ignored);
}

}  // namespace nmt
