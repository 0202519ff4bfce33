#include "pages/marked_differences.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pages/html_escape.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

constexpr size_t kMaxPairs = 4000000;

/// A word, a punctuation mark or a run of white space.
struct Piece {
  std::u32string text;
  bool is_space = false;
  bool is_common = false;
};
using Pieces = std::vector<Piece>;

bool joins(char32_t before, char32_t after) {
  if (is_whitespace(before) || is_whitespace(after))
    return is_whitespace(before) && is_whitespace(after);
  const auto is_of_word = [](char32_t code) {
    return !is_punctuation(code) && !is_symbol(code) && !is_written_without_spaces(code);
  };
  return is_of_word(before) && is_of_word(after);
}

Pieces split(std::string_view text) {
  Pieces pieces;
  for (const char32_t code : to_code_points(text)) {
    if (pieces.empty() || !joins(pieces.back().text.back(), code)) pieces.push_back({});
    pieces.back().text += code;
    pieces.back().is_space = is_whitespace(code);
  }
  return pieces;
}

std::vector<Piece*> without_spaces(Pieces& pieces) {
  std::vector<Piece*> words;
  for (auto& piece : pieces) {
    if (!piece.is_space) words.push_back(&piece);
  }
  return words;
}

void find_common(const std::vector<Piece*>& first, const std::vector<Piece*>& second) {
  // length[i][j]: length of the longest common subsequence of the texts from i and j on.
  std::vector<std::vector<uint32_t>> length(first.size() + 1,
                                            std::vector<uint32_t>(second.size() + 1));
  for (size_t i = first.size(); i-- > 0;) {
    for (size_t j = second.size(); j-- > 0;) {
      length[i][j] = first[i]->text == second[j]->text
                         ? length[i + 1][j + 1] + 1
                         : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  for (size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    if (first[i]->text == second[j]->text) {
      first[i++]->is_common = second[j++]->is_common = true;
    } else if (length[i + 1][j] >= length[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
}

/// White space between marked pieces is marked too.
std::string marked(const Pieces& pieces) {
  std::string html;
  bool is_open = false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto& piece = pieces[i];
    const bool is_marked = piece.is_space
                               ? is_open && i + 1 < pieces.size() && !pieces[i + 1].is_common
                               : !piece.is_common;
    if (is_marked != is_open) html += is_marked ? "<mark>" : "</mark>";
    is_open = is_marked;
    html += escape_html(to_utf8(piece.text));
  }
  return html + (is_open ? "</mark>" : "");
}

}  // namespace

MarkedTexts mark_differences(std::string_view first, std::string_view second) {
  auto ours = split(first);
  auto theirs = split(second);
  const auto our_words = without_spaces(ours);
  const auto their_words = without_spaces(theirs);
  if (our_words.size() * their_words.size() > kMaxPairs) {
    return {escape_html(first), escape_html(second)};
  }
  find_common(our_words, their_words);
  return {marked(ours), marked(theirs)};
}

}  // namespace nmt
