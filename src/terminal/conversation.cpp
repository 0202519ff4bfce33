#include "terminal/conversation.h"

#include <chrono>

#include "errors/error.h"
#include "terminal/redrawn_text.h"
#include "terminal/translation_text.h"
#include "unicode/characters.h"
#include "unicode/code_points.h"

namespace nmt {

void warm_up(const Translator& translator, const TranslationOptions& options) {
  const bool line_names_language =
      !translator.target_languages().empty() && translator.target_language().empty();
  if (!line_names_language) translator.translate({"a"}, options);
}

Conversation::Conversation(Terminal& terminal, KeyReader& keys, const TranslatorOptions& models,
                           const TranslationOptions& options, const std::filesystem::path& program)
    : terminal_(terminal),
      keys_(keys),
      models_(models),
      options_(options),
      beam_size_(options.beam_size),
      translator_(std::make_unique<Translator>(models)),
      corrected_(program, models.device, models.threads),
      kept_(models.model_dirs.front()),
      attention_(options.attention) {
  options_.words = true;
  options_.scores = true;
  options_.attention = false;  // draws that of words instead
  warm_up(*translator_, options_);
}

bool Conversation::answer(const std::string& line) {
  if (split_whitespace(line).empty()) return true;
  try {
    if (line.rfind(':', 0) == 0) return run_command(line);
    const auto prefix = std::move(prefix_);
    prefix_.clear();
    translate(line, prefix);
  } catch (const Error& error) {
    say(printable(error.what()) + "\n");
  }
  return true;
}

/// Writes whole lines, wrapped between words.
void Conversation::say(const std::string& lines) {
  terminal_.write(wrapped(lines, terminal_.columns()));
}

/// Shows the partial translation as it grows.
void Conversation::translate(const std::string& source, const std::string& prefix) {
  if (format_ != DocumentFormat::kText) return translate_markup(source, prefix);
  RedrawnText growing(terminal_);
  const auto begin = std::chrono::steady_clock::now();
  try {
    last_ = translator_->translate(source, options_, {prefix, {}}, [&](const std::string& so_far) {
      if (keys_.take_interrupt()) throw Error("stopped");
      const auto text = printable(so_far);
      growing.show(text, text.size());
    });
  } catch (const Error&) {
    growing.clear();
    throw;
  }
  source_ = source;
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  growing.clear();
  say(candidates_text(last_, scores_));
  if (scores_) say(time_text(last_, seconds_));
  if (alignment_) say(alignment_text(last_));
  if (attention_) terminal_.write(attention_grid(last_, style()));
}

/// Translates the last line of text again with the current model, without showing it.
void Conversation::translate_again() {
  const auto begin = std::chrono::steady_clock::now();
  last_ = translator_->translate({source_}, options_).front();
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Shows only the translated document: commands that show details need a line without markup.
void Conversation::translate_markup(const std::string& source, const std::string& prefix) {
  if (!prefix.empty()) require_text_format(":prefix");
  source_.clear();
  last_ = {};
  say(printable(translate_document(*translator_, source, format_, options_)) + "\n");
}

}  // namespace nmt
