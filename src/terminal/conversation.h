#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "attention_views/attention_grid.h"
#include "markup/document.h"
#include "terminal/correction.h"
#include "terminal/keys.h"
#include "terminal/terminal.h"
#include "translate/translator.h"

namespace nmt {

/// Translates a dummy sentence, so that the first real one takes no longer than others. Does
/// nothing if each line must name its language.
void warm_up(const Translator& translator, const TranslationOptions& options);

/// `nmt interactive` on a terminal: translates each sentence; lines that begin with ":" are
/// commands.
class Conversation {
 public:
  /// Loads the models; throws Error as Translator does. `program` is the nmt that trains
  /// corrections; empty: the running one.
  Conversation(Terminal& terminal, KeyReader& keys, const TranslatorOptions& models,
               const TranslationOptions& options, const std::filesystem::path& program = {});

  /// Answers a line, or prints one line that says what is wrong with it. Returns false on :quit.
  bool answer(const std::string& line);

  /// From now on, treats each line as a document of that format.
  void use_format(DocumentFormat format) { format_ = format; }

  /// The commands that begin with this text.
  static std::vector<std::string> completions(const std::string& begun);

 private:
  struct Command;
  static const std::vector<Command>& commands();

  bool run_command(const std::string& line);
  void say(const std::string& lines);
  void translate(const std::string& source, const std::string& prefix);
  void translate_again();
  void translate_markup(const std::string& source, const std::string& prefix);

  void set_beam(const std::string& argument);
  void set_n_best(const std::string& argument);
  void set_format(const std::string& argument);
  void set_language(const std::string& argument);
  bool toggle(bool& details, const char* name);
  void toggle_attention(const std::string& argument);
  void toggle_alignment(const std::string& argument);
  void toggle_scores(const std::string& argument);
  void finish_prefix(const std::string& argument);
  void show_alternatives(const std::string& argument);
  void fix(const std::string& argument);
  void keep(const std::string& argument);
  void discard(const std::string& argument);
  void save(const std::string& argument);
  void show_settings(const std::string& argument);
  void show_help(const std::string& argument);
  void use(const TranslatorOptions& models);
  void use_model(const std::filesystem::path& model);
  void require_text_format(const std::string& command) const;
  void require_translation(const std::string& command) const;  // of a line of text

  DrawingStyle style() const { return {terminal_.columns(), terminal_.colors()}; }

  Terminal& terminal_;
  KeyReader& keys_;  // for Ctrl-C during a translation
  TranslatorOptions models_;
  TranslationOptions options_;
  int64_t beam_size_;  // as set by the user; :nbest may widen that of options_
  std::unique_ptr<Translator> translator_;
  CorrectedModels corrected_;
  std::filesystem::path kept_;  // the model that :discard returns to
  DocumentFormat format_ = DocumentFormat::kText;
  bool attention_;
  bool alignment_ = false;
  bool scores_ = false;
  std::string prefix_;    // for the next sentence
  std::string source_;    // the last one
  Translation last_;      // without candidates before the first
  double seconds_ = 0.0;  // duration of the last one
};

}  // namespace nmt
