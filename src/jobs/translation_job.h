#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "errors/error.h"
#include "files/part_file.h"
#include "files/sha256.h"

namespace nmt {

/// What determines translations besides the input, by name: options and hashes of models.
using JobDescription = std::map<std::string, std::string>;

/// The outputs of a translation that can be interrupted at any moment, by a signal, an error or a
/// power cut, and resumed. Each is NAME.part until it is complete; a journal next to the first,
/// NAME.part.json, records the job, the lines translated, how many bytes of each part are valid,
/// and their hash. Translations of a few seconds write no journal.
class TranslationJob {
 public:
  /// The files that exist until the job is finished: parts and journal.
  static std::vector<std::filesystem::path> unfinished_files(
      const std::vector<std::filesystem::path>& files);

  /// Resumes from existing parts or, with `restart`, discards them. `describe` is called when the
  /// journal is read or first written. Throws Error when the parts belong to another job, are
  /// damaged, or cannot be written.
  TranslationJob(const std::vector<std::filesystem::path>& files,
                 std::function<JobDescription()> describe, bool restart,
                 std::chrono::milliseconds save_every = std::chrono::seconds(2));

  /// The number of lines, from the first, whose translations are saved.
  int64_t lines_saved() const { return saved_.lines; }

  /// Call for each of these lines. The last call throws Error if they differ from the lines
  /// translated.
  void skip(const std::string& source);

  /// Writes output of the line that the next add() completes.
  void write(size_t file, const std::string& text);
  void add(const std::string& source);

  /// Marks a place to resume from. Saves if the last save is more than save_every ago.
  void pause();

  /// Removes the parts if nothing has been saved, for a program that ends without destructors; from
  /// any thread.
  void discard_empty() const;

  /// Renames the parts to their final names and removes the journal.
  void finish();

 private:
  struct Journal {
    JobDescription job;
    int64_t lines = 0;
    std::string content;              // SHA-256 of the lines
    std::vector<int64_t> bytes;       // of each file
    std::vector<std::string> hashes;  // SHA-256 of these bytes
    bool whole = false;               // translation is complete; some parts may be renamed
  };

  /// Removes temporary journals of runs that were killed while writing one. The parts are locked,
  /// so none is in use.
  void remove_unfinished_journals() const;
  void resume();
  Journal read_journal() const;
  Error damaged() const;
  void write_journal() const;
  void save(bool whole);

  std::filesystem::path journal_;
  std::function<JobDescription()> describe_;
  std::chrono::milliseconds save_every_;
  std::vector<std::unique_ptr<PartFile>> parts_;  // null: already renamed
  Journal saved_;                                 // its job is empty until a journal is written
  int64_t lines_ = 0;
  Sha256 content_;  // hash of the lines so far
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
};

}  // namespace nmt
