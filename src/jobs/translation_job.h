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

/// What translations are a function of, beside the input: options, hashes of models. By name.
using JobDescription = std::map<std::string, std::string>;

/// The files that a long translation writes. It may be ended at any moment, by a signal, an error
/// or a power cut, and goes on another time: each file is NAME.part until all is there, and beside
/// the first stands a journal, NAME.part.json, which says how much of the parts is good, of which
/// job it is and which lines it translates. Work of a few seconds has neither journal nor cost.
class TranslationJob {
 public:
  struct Options {
    bool restart = false;  // throw away what there is
    std::chrono::milliseconds save_every{2000};
  };

  /// Goes on with the parts where there are such. `describe` is asked when the journal is read or
  /// first written. Throws Error where the parts are not this job's, are damaged, or cannot be
  /// written.
  TranslationJob(const std::vector<std::filesystem::path>& files,
                 std::function<JobDescription()> describe, const Options& options);

  /// The lines, from the first on, that have been translated and saved.
  int64_t lines_saved() const { return saved_.lines; }

  /// One of them. Throws Error, at the last, unless they are those that have been translated.
  void skip(const std::string& source);

  /// Writes what belongs to the line that add() is called for next.
  void write(size_t file, const std::string& text);
  void add(const std::string& source);

  /// May be gone on from here. Saves, if the last time is long ago.
  void pause();

  /// Gives the files their names; the journal goes.
  void finish();

 private:
  struct Journal {
    JobDescription job;
    int64_t lines = 0;
    std::string content;         // SHA-256 of the lines
    std::vector<int64_t> bytes;  // of each file
    bool whole = false;          // all is translated, and some files may have their names
  };

  void begin();
  void go_on();
  Journal read_journal() const;
  Error damaged() const;
  void write_journal() const;
  void save(bool whole);

  std::filesystem::path journal_;
  std::function<JobDescription()> describe_;
  std::chrono::milliseconds save_every_;
  std::vector<std::unique_ptr<PartFile>> parts_;  // null: has its name already
  Journal saved_;                                 // without a job, none has been written
  int64_t lines_ = 0;
  Sha256 content_;  // of these lines
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
};

}  // namespace nmt
