#include "terminal/redrawn_text.h"

#include <algorithm>
#include <vector>

#include "unicode/characters.h"

namespace nmt {
namespace {

/// Text is broken into rows here, because some terminals wrap only when the next character arrives.
struct Rows {
  std::vector<std::string> texts = {""};
  size_t cursor_row = 0;
  size_t cursor_column = 0;
};

Rows lay_out(const std::string& text, size_t cursor, size_t columns) {
  Rows rows;
  size_t column = 0;
  size_t at = 0;
  bool placed = false;
  const auto place_cursor = [&](size_t width) {
    if (column + width > columns) {
      rows.texts.emplace_back();
      column = 0;
    }
    if (placed || at < cursor) return;
    placed = true;
    rows.cursor_row = rows.texts.size() - 1;
    rows.cursor_column = column;
  };
  for (const auto& character : split_characters(text)) {
    place_cursor(character.width);
    rows.texts.back().append(character.bytes);
    column += character.width;
    at += character.bytes.size();
  }
  place_cursor(cursor == at ? 1 : 0);
  return rows;
}

std::string join(const std::vector<std::string>& rows, size_t begin, size_t end) {
  std::string text;
  for (size_t row = begin; row < end; ++row) text += (row == begin ? "" : "\r\n") + rows[row];
  return text;
}

std::string move(size_t count, char direction) {
  return count == 0 ? "" : "\x1b[" + std::to_string(count) + direction;
}

}  // namespace

std::string RedrawnText::to_beginning() const { return move(cursor_row_, 'A') + "\r\x1b[J"; }

void RedrawnText::show(const std::string& text, size_t cursor) {
  const auto rows = lay_out(text, cursor, terminal_.columns());
  const size_t height = terminal_.rows();
  const size_t first = rows.cursor_row < height ? 0 : rows.cursor_row - height + 1;
  const size_t end = std::min(rows.texts.size(), first + height);
  terminal_.write(to_beginning() + join(rows.texts, first, end) +
                  move(end - 1 - rows.cursor_row, 'A') + "\r" + move(rows.cursor_column, 'C'));
  cursor_row_ = rows.cursor_row - first;
}

void RedrawnText::finish(const std::string& text) {
  const auto rows = lay_out(text, std::string::npos, terminal_.columns());
  clear();
  terminal_.write(join(rows.texts, 0, rows.texts.size()) + "\r\n");
}

void RedrawnText::clear() {
  terminal_.write(to_beginning());
  cursor_row_ = 0;
}

}  // namespace nmt
