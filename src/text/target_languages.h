#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"
#include "text/tokenizer.h"

namespace nmt {

// A model that translates into several languages reads the target language first (Johnson et al.
// 2017, section 3): a control piece of its source vocabulary such as <2de>, which no text is
// encoded to, not even "<2de>". A line names its language by starting with the piece and a space.

/// "<2de>"
std::string language_piece(const std::string& code);

/// "<2de> ", by which a line names its language; "" of no code.
std::string language_marker(const std::string& code);

/// Throws Error unless the code consists of 1 to 32 ASCII letters, digits, - and _.
void require_language_name(const std::string& code);

/// The language that a line names, or "", and the rest of the line.
struct MarkedLine {
  std::string language;
  std::string_view text;
};
MarkedLine split_marker(std::string_view line);

/// Appends a control piece for each language that the model lacks. Throws Error, beginning with
/// `name`, if such a piece exists already and stands for text.
Tokenizer with_languages(const Tokenizer& tokenizer, const std::vector<std::string>& codes,
                         const std::string& name);

/// A language that a model lacks, or a line that names none.
class UnknownLanguage : public UsageError {
 public:
  using UsageError::UsageError;
};

/// How errors name the option that sets the language of all lines.
inline constexpr char kTargetOption[] = "--to where the command has it";

/// The languages that a model translates into.
class TargetLanguages {
 public:
  TargetLanguages() = default;

  /// Empty for a vocabulary without such pieces.
  explicit TargetLanguages(const Tokenizer& source);

  const std::vector<std::string>& codes() const { return codes_; }
  bool empty() const { return codes_.empty(); }

  /// Throws UnknownLanguage, which lists the languages, unless it is one of them.
  void require(const std::string& code) const;

  /// What the model reads for a line.
  struct Line {
    int32_t token = kPadId;  // of its language; kPadId: none, or the line is blank
    std::string_view text;

    /// The tokens with that of the language in front; empty for empty text.
    std::vector<int32_t> tokens(std::vector<int32_t> of_text) const;
  };

  /// Reads a line with the language `code` or, if that is empty, the one that the line names.
  /// Throws UnknownLanguage for an unknown language, and for a line without one unless it is blank;
  /// the message lists the languages and mentions `option`, if not empty.
  Line read(std::string_view line, const std::string& code = "",
            const std::string& option = kTargetOption) const;

  /// Throws Error unless read() accepts all lines; UsageError if no earlier line names a language.
  /// The message has the file, if any, and the line's number, counted from `first_line`.
  void require_lines(const std::vector<std::string>& lines, const std::string& file,
                     const std::string& option = kTargetOption, size_t first_line = 1) const;

  /// Tokens of a line that names its language.
  std::vector<int32_t> encode(std::string_view line, const Tokenizer& source) const;

  /// Whether the first token is that of a language.
  bool in_front_of(const std::vector<int32_t>& tokens) const;

 private:
  std::vector<std::string> codes_;
  std::vector<int32_t> tokens_;  // of the codes
};

}  // namespace nmt
