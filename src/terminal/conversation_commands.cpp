#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdint>

#include "config/choice.h"
#include "config/suggest.h"
#include "errors/error.h"
#include "numbers/parse.h"
#include "terminal/conversation.h"
#include "terminal/redrawn_text.h"
#include "terminal/translation_text.h"
#include "text/target_languages.h"
#include "translate/translator_choices.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

constexpr int64_t kNumAlternatives = 8;
constexpr int64_t kMaxNBest = 1000;  // as of the beam size, which :nbest widens

int64_t whole_number(const std::string& argument, const std::string& usage) {
  if (const auto number = parse_number<int64_t>(argument)) return *number;
  throw UsageError("'" + argument + "' is not a whole number; use " + usage);
}

/// The argument without surrounding spaces, except at the end of a prefix, which says whether its
/// last word may continue.
std::string argument_of(const std::string& line, const std::string& name) {
  constexpr char kSpace[] = " \t";
  const auto begin = std::min(line.find_first_not_of(kSpace, name.size()), line.size());
  const auto end = name == ":prefix" ? line.size() : line.find_last_not_of(kSpace) + 1;
  return begin < end ? line.substr(begin, end - begin) : "";
}

std::string state_text(const char* what, bool on) {
  return std::string(what) + (on ? " on\n" : " off\n");
}

std::string search_text(const TranslationOptions& options) {
  return fmt::format("beam {}, nbest {}", options.beam_size, options.n_best);
}

std::string engine_text(const TranslatorOptions& models) {
  auto text = fmt::format("device {}, threads {}, engine {}, precision {}\n", models.device,
                          models.threads == 0 ? "one per core" : std::to_string(models.threads),
                          choice_name(models.engine), choice_name(models.precision));
  if (!models.language_model.empty()) {
    text += fmt::format("lm {}, lm-weight {}\n", printable(models.language_model.string()),
                        models.language_model_weight);
  }
  std::string weights;
  for (const double weight : models.model_weights) weights += fmt::format(" {}", weight);
  if (!weights.empty()) text += "model-weights" + weights + "\n";
  if (!models.target_language.empty()) text += "to " + printable(models.target_language) + "\n";
  if (!models.terms.empty()) text += "terms " + printable(models.terms.string()) + "\n";
  if (!models.shortlist.empty()) {
    text += "shortlist " + printable(models.shortlist.string()) + "\n";
  }
  return text;
}

/// All settings of the flags of `nmt interactive`, under the flags' names.
std::string options_text(const TranslationOptions& options) {
  const auto sampling =
      fmt::format("sample: temperature {}, top-k {}, top-p {}, seed {}\n", options.temperature,
                  options.top_k, options.top_p, options.seed);
  return fmt::format(
             "length-normalization {}, length-penalty {}\n"
             "max-length {}, min-length {}, max-length-ratio {}\n"
             "split {}, max-source-length {}\n"
             "coverage-penalty {}, no-repeat-ngram {}\n"
             "diverse-groups {}, diversity-strength {}\n",
             choice_name(options.length_normalization), options.length_penalty, options.max_length,
             options.min_length, options.max_length_ratio, choice_name(options.split),
             options.max_source_length, options.coverage_penalty, options.no_repeat_ngram,
             options.diverse_groups, options.diversity_strength) +
         state_text("pass-through", options.pass_through) +
         state_text("copy-unknown", options.copy_unknown) + state_text("recase", options.recase) +
         (options.sample ? sampling : state_text("sample", false));
}

}  // namespace

struct Conversation::Command {
  std::string name;
  std::string arguments;
  std::string meaning;
  void (Conversation::*run)(const std::string& argument);
};

const std::vector<Conversation::Command>& Conversation::commands() {
  static const std::vector<Command> all = {
      {":beam", "N", "set the beam size; 1 is greedy search", &Conversation::set_beam},
      {":nbest", "N", "show the N best translations", &Conversation::set_n_best},
      {":format", "NAME", "read lines as " + list_of(choice_names<DocumentFormat>()),
       &Conversation::set_format},
      {":to", "CODE", "translate into another of the model's languages",
       &Conversation::set_language},
      {":attention", "", "toggle the attention matrix", &Conversation::toggle_attention},
      {":align", "", "toggle the source word of each word", &Conversation::toggle_alignment},
      {":score", "", "toggle scores and time", &Conversation::toggle_scores},
      {":prefix", "TEXT", "complete a translation that begins with TEXT",
       &Conversation::finish_prefix},
      {":alternatives", "N", "list alternatives for word N of the last translation",
       &Conversation::show_alternatives},
      {":fix", "TEXT", "train a copy of the model on TEXT for the last sentence",
       &Conversation::fix},
      {":keep", "", "keep the corrected model until you quit", &Conversation::keep},
      {":discard", "", "undo every :fix since the last :keep", &Conversation::discard},
      {":save", "DIR", "save the corrected model in DIR", &Conversation::save},
      {":settings", "", "show the current settings", &Conversation::show_settings},
      {":help", "", "list the commands", &Conversation::show_help},
      {":quit", "", "quit, as does Ctrl-D", nullptr},
  };
  return all;
}

std::vector<std::string> Conversation::completions(const std::string& begun) {
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    const bool fits = command.name.compare(0, begun.size(), begun) == 0;
    if (fits && !begun.empty()) names.push_back(command.name);
  }
  return names;
}

bool Conversation::run_command(const std::string& line) {
  const auto name = line.substr(0, line.find_first_of(" \t"));
  const auto argument = argument_of(line, name);
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    names.push_back(command.name);
    if (command.name != name) continue;
    if (command.run == nullptr) return false;
    if (command.arguments.empty() && !argument.empty()) {
      throw UsageError(name + " takes no argument");
    }
    if (!command.arguments.empty() && argument.empty()) {
      throw UsageError(fmt::format("{0}: missing argument; use {0} {1}", name, command.arguments));
    }
    (this->*command.run)(argument);
    return true;
  }
  throw UsageError(name + ": unknown command" + suggestion(name, names) +
                   "; use :help for the list");
}

void Conversation::set_language(const std::string& argument) {
  auto models = models_;
  models.target_language = argument;
  use(models);
  last_ = {};  // in another language
  say("translating into " + printable(argument) + "\n");
}

void Conversation::set_beam(const std::string& argument) {
  if (options_.sample) throw UsageError(":beam: sampling has no beam; restart without --sample");
  auto changed = options_;
  changed.beam_size = whole_number(argument, ":beam N");
  changed.n_best = std::min(changed.n_best, changed.beam_size);
  require_valid(changed);
  options_ = changed;
  beam_size_ = changed.beam_size;
  say(search_text(options_) + "\n");
}

void Conversation::set_n_best(const std::string& argument) {
  auto changed = options_;
  changed.n_best = whole_number(argument, ":nbest N");
  if (changed.n_best < 1 || changed.n_best > kMaxNBest) {
    throw UsageError(
        fmt::format("n_best: {} is out of range; use 1 to {}", changed.n_best, kMaxNBest));
  }
  if (!changed.sample) {
    const auto groups = changed.diverse_groups;  // groups have equally many hypotheses
    changed.beam_size = std::max(beam_size_, (changed.n_best + groups - 1) / groups * groups);
  }
  require_valid(changed);
  options_ = changed;
  say(search_text(options_) + "\n");
}

void Conversation::set_format(const std::string& argument) {
  const auto format = parse_choice<DocumentFormat>(argument);
  if (!format)
    throw UsageError(":format " + unknown_choice(argument, choice_names<DocumentFormat>()));
  use_format(*format);
  say(format_ == DocumentFormat::kText
          ? "format text\n"
          : "format " + choice_name(format_) + "; shows the best translation alone\n");
}

/// Turns details of translations on or off. Says so, or returns true if those of the last
/// translation are to be shown instead.
bool Conversation::toggle(bool& details, const char* name) {
  details = !details;
  const bool shown = details && !last_.candidates.empty();
  if (!shown) say(state_text(name, details));
  return shown;
}

void Conversation::toggle_attention(const std::string&) {
  if (toggle(attention_, "attention")) terminal_.write(attention_grid(last_, style()));
}

void Conversation::toggle_alignment(const std::string&) {
  if (toggle(alignment_, "alignment")) say(alignment_text(last_));
}

void Conversation::toggle_scores(const std::string&) {
  if (toggle(scores_, "scores")) say(candidates_text(last_, true) + time_text(last_, seconds_));
}

void Conversation::finish_prefix(const std::string& argument) {
  require_text_format(":prefix");
  if (!source_.empty()) return translate(source_, argument);
  prefix_ = argument;
  say("prefix set for the next sentence\n");
}

void Conversation::require_text_format(const std::string& command) const {
  if (format_ == DocumentFormat::kText) return;
  throw UsageError(command + ": not for " + choice_name(format_) + "; use :format text");
}

void Conversation::require_translation(const std::string& command) const {
  if (!last_.candidates.empty()) return;
  require_text_format(command);
  throw UsageError(source_.empty()
                       ? "no translation yet; type a sentence first"
                       : "no translation into this language yet; type a sentence first");
}

void Conversation::show_alternatives(const std::string& argument) {
  require_translation(":alternatives");
  const auto place = whole_number(argument, ":alternatives N");
  const auto& words = last_.candidates.front().words;
  if (place < 1 || place > static_cast<int64_t>(words.size()) + 1) {
    throw UsageError(fmt::format(":alternatives {}: the last translation has {} words; use 1 to {}",
                                 argument, words.size(), words.size() + 1));
  }
  const auto before = list_of({words.begin(), words.begin() + place - 1}, " ");
  const auto found = translator_->alternatives(source_, before, kNumAlternatives, options_);
  say(found.empty() ? "(none)\n" : alternatives_text(found));
}

void Conversation::fix(const std::string& argument) {
  require_translation(":fix");
  if (models_.model_dirs.size() != 1)
    throw UsageError("an ensemble cannot be corrected; load one model");
  if (!models_.shortlist.empty()) {
    throw UsageError(
        "a shortlist lacks the words that a correction teaches; restart without --shortlist");
  }
  RedrawnText waiting(terminal_);
  waiting.show("learning …", 0);
  std::filesystem::path learned;
  try {
    const auto marked = language_marker(models_.target_language) + source_;
    learned = corrected_.learn({models_.model_dirs.front(), marked, argument},
                               [this] { return keys_.take_interrupt(); });
  } catch (const Error&) {
    waiting.clear();
    throw;
  }
  waiting.clear();
  translate_again();  // without a prefix
  const auto before = last_.text;
  use_model(learned);
  translate_again();
  say("before: " + printable(before) + "\nafter:  " + printable(last_.text) +
      "\nuse :keep or :discard\n");
}

void Conversation::keep(const std::string&) {
  if (models_.model_dirs.front() == kept_) throw UsageError("nothing to keep; use :fix first");
  kept_ = models_.model_dirs.front();
  say("kept until you quit; use :save DIR to save it\n");
}

void Conversation::discard(const std::string&) {
  if (models_.model_dirs.front() == kept_) {
    throw UsageError("nothing to discard; use :fix first");
  }
  use_model(kept_);
  if (!last_.candidates.empty()) translate_again();
  say(corrected_.made(kept_) ? "using the model of the last :keep\n"
                             : "using the model from before :fix\n");
}

void Conversation::save(const std::string& argument) {
  const auto& model = models_.model_dirs.front();
  if (!corrected_.made(model)) throw UsageError("nothing to save; use :fix first");
  CorrectedModels::save(model, argument);
  say("saved in " + printable(argument) + "\n");
}

void Conversation::use(const TranslatorOptions& models) {
  translator_ = std::make_unique<Translator>(models);
  models_ = models;
}

void Conversation::use_model(const std::filesystem::path& model) {
  auto models = models_;
  models.model_dirs = {model};
  use(models);
}

void Conversation::show_settings(const std::string&) {
  std::string models;
  for (const auto& model : models_.model_dirs) models += " " + printable(model.string());
  auto text = "model" + models + "\n" + engine_text(models_) + search_text(options_) + "\n" +
              options_text(options_) + "format " + choice_name(format_) + "\n" +
              state_text("attention", attention_) + state_text("alignment", alignment_) +
              state_text("scores", scores_);
  if (!prefix_.empty()) text += "prefix for the next sentence " + printable(prefix_) + "\n";
  say(text);
}

void Conversation::show_help(const std::string&) {
  std::string text =
      "Type a sentence and press Enter to translate it. Commands, completed by Tab:\n";
  for (const auto& command : commands()) {
    text += "  " + padded_to(command.name + " " + command.arguments, 18) + command.meaning + "\n";
  }
  say(text + "Put a space before a sentence that begins with a colon.\n");
}

}  // namespace nmt
