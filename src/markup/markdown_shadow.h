#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// Length of a reference to a footnote, such as "[^1]", at the beginning of the text; 0 if none is.
size_t footnote_length(std::string_view text);

/// A copy of a document, changed so that md4c 0.4.8 finds in it what GitHub finds:
/// - delimiter rows of tables have three hyphens per column, which md4c asks for;
/// - references to footnotes, which it may take for links, are braces;
/// - dollar signs that begin or end no math, such as those of "$5 or $10", are braces, too.
class MarkdownShadow {
 public:
  explicit MarkdownShadow(std::string_view markdown);

  const std::string& text() const { return text_; }

  /// The offset in the document that corresponds to offset `at` in text().
  size_t original(size_t at) const;

 private:
  struct Added {
    size_t at = 0;  // in text_
    size_t size = 0;
    size_t before = 0;  // sum of the sizes of those before it
  };

  void add_delimiter_row(std::string_view row);
  void hide_footnotes();
  void hide_dollars();

  std::string text_;
  std::vector<Added> added_;
};

}  // namespace nmt
