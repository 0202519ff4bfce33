#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"
#include "text/tokenizer.h"

namespace nmt {

// A model that translates into several languages reads first which one (Johnson et al. 2017,
// section 3): a control piece of its source vocabulary, such as <2de>, which no text is encoded to,
// not even
// "<2de>". A line names its language by beginning with the name of the piece and a space.

/// "<2de>"
std::string language_piece(const std::string& code);

/// Throws Error for what cannot be the code of a language in a piece: empty, over 32 characters, or
/// with others than letters, digits, - and _.
void require_language_name(const std::string& code);

/// A line as the language that it names, or "", and the text after that.
struct MarkedLine {
  std::string language;
  std::string_view text;
};
MarkedLine split_marker(std::string_view line);

/// The SentencePiece model with a control piece, after its own, for each language that it lacks.
/// Throws Error, beginning with `name`, where such a piece stands for text.
Tokenizer with_languages(const Tokenizer& tokenizer, const std::vector<std::string>& codes,
                         const std::string& name);

/// A language that a model lacks, or a line that names none.
class UnknownLanguage : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Sets the language of all lines, as errors name it.
inline constexpr char kTargetOption[] = "--to where the command has it";

/// The languages that a model translates into.
class TargetLanguages {
 public:
  TargetLanguages() = default;

  /// None of a vocabulary without such pieces.
  explicit TargetLanguages(const Tokenizer& source);

  const std::vector<std::string>& codes() const { return codes_; }
  bool empty() const { return codes_.empty(); }

  /// Throws UnknownLanguage, which lists the languages, unless it is one of them.
  void require(const std::string& code) const;

  /// What the model reads for a line.
  struct Line {
    int32_t token = kPadId;  // of its language; kPadId for a model without languages
    std::string_view text;

    /// The tokens with that of the language before them; none of no text.
    std::vector<int32_t> tokens(std::vector<int32_t> of_text) const;
  };

  /// A line of text in the language `code` or, if that is empty, the line's own. Throws
  /// UnknownLanguage, which lists the languages and names the option, for a line that names none,
  /// unless it is blank.
  Line read(std::string_view line, const std::string& code = "",
            const std::string& option = kTargetOption) const;

  /// Throws Error with file and line, from `first_line`, unless read() takes all lines; UsageError
  /// where no line before that one names a language.
  void require_lines(const std::vector<std::string>& lines, const std::string& file,
                     const std::string& option = kTargetOption, size_t first_line = 1) const;

  /// The tokens of such a line.
  std::vector<int32_t> encode(std::string_view line, const Tokenizer& source) const;

  /// Whether the tokens begin with that of a language.
  bool in_front_of(const std::vector<int32_t>& tokens) const;

 private:
  std::vector<std::string> codes_;
  std::vector<int32_t> tokens_;  // of the codes
};

}  // namespace nmt
