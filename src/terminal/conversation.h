#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "terminal/attention_matrix.h"
#include "terminal/correction.h"
#include "terminal/keys.h"
#include "terminal/terminal.h"
#include "translate/translator.h"

namespace nmt {

/// What `nmt interactive` does on a terminal: sentences are translated, lines that begin with ":"
/// change how, or ask for more about the last one.
class Conversation {
 public:
  /// Loads the models. Throws Error as Translator does. `program` is nmt, for corrections; empty:
  /// the program that runs.
  Conversation(Terminal& terminal, KeyReader& keys, const TranslatorOptions& models,
               const TranslationOptions& options, const std::filesystem::path& program = {});

  /// Answers a line; what is wrong with it is said in one. False when it asks to end.
  bool answer(const std::string& line);

  /// The commands that a text may be the beginning of.
  static std::vector<std::string> completions(const std::string& begun);

 private:
  struct Command;
  static const std::vector<Command>& commands();

  bool run_command(const std::string& line);
  void translate(const std::string& source, const std::string& prefix);

  void set_beam(const std::string& argument);
  void set_n_best(const std::string& argument);
  void toggle_attention(const std::string& argument);
  void toggle_alignment(const std::string& argument);
  void toggle_scores(const std::string& argument);
  void finish_prefix(const std::string& argument);
  void show_alternatives(const std::string& argument);
  void fix(const std::string& argument);
  void keep(const std::string& argument);
  void discard(const std::string& argument);
  void save(const std::string& argument);
  void show_help(const std::string& argument);
  void use_model(const std::filesystem::path& model);

  DrawingStyle style() const { return {terminal_.columns(), terminal_.colours()}; }

  Terminal& terminal_;
  KeyReader& keys_;  // Ctrl-C stops a translation
  TranslatorOptions models_;
  TranslationOptions options_;
  std::unique_ptr<Translator> translator_;
  CorrectedModels corrected_;
  std::filesystem::path kept_;  // what :discard goes back to
  bool attention_;
  bool alignment_ = false;
  bool scores_ = false;
  std::string prefix_;    // of the next sentence
  std::string source_;    // the last one
  Translation last_;      // has no candidates before the first
  double seconds_ = 0.0;  // that it took
};

}  // namespace nmt
