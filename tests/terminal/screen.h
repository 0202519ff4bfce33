#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "unicode/characters.h"

namespace nmt {

/// What a terminal shows of what is written to it: enough of one to see that drawing is right.
class Screen {
 public:
  Screen(size_t columns, size_t rows) : columns_(columns), rows_(rows), lines_(rows) {}

  void write(const std::string& more) {
    bytes_ += more;
    while (!bytes_.empty()) {
      const size_t taken = take();
      if (taken == 0) return;
      bytes_.erase(0, taken);
    }
  }

  /// The line without the spaces at its end; wide characters stand once.
  std::string line(size_t row) const {
    std::string text;
    for (const auto& cell : lines_.at(row)) text += cell;
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

  std::string text() const {
    std::string text;
    for (size_t row = 0; row < rows_; ++row) text += line(row) + "\n";
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }

  size_t row() const { return row_; }
  size_t column() const { return column_; }
  size_t columns() const { return columns_; }
  size_t rows() const { return rows_; }

  void resize(size_t columns, size_t rows) {
    columns_ = columns;
    rows_ = rows;
    lines_.resize(rows);
    row_ = std::min(row_, rows - 1);
  }

 private:
  /// Bytes of what the buffer begins with; 0 where it is not whole yet.
  size_t take() {
    if (bytes_[0] == '\x1b') return take_sequence();
    if (static_cast<unsigned char>(bytes_[0]) < 32) return take_control();
    const auto whole = split_characters(bytes_);
    if (whole.empty()) return 0;
    put(whole.front());
    return whole.front().bytes.size();
  }

  size_t take_control() {
    column_ = bytes_[0] == '\r' || bytes_[0] == '\n' ? 0 : column_;  // as a driver adds it
    if (bytes_[0] == '\n' && ++row_ == rows_) {
      lines_.erase(lines_.begin());
      lines_.emplace_back();
      --row_;
    }
    return 1;
  }

  size_t take_sequence() {
    if (bytes_.size() < 2) return 0;
    if (bytes_[1] != '[') throw std::runtime_error("unknown escape sequence");
    const auto end = bytes_.find_first_not_of("0123456789;", 2);
    if (end == std::string::npos) return 0;
    const auto number = static_cast<size_t>(std::max(1, std::atoi(bytes_.c_str() + 2)));
    switch (bytes_[end]) {
      case 'A':
        row_ -= std::min(row_, number);
        break;
      case 'C':
        column_ = std::min(column_ + number, columns_ - 1);
        break;
      case 'H':
        row_ = column_ = 0;
        break;
      case 'J':
        erase(bytes_[2] == '2');
        break;
      case 'm':
        break;
      default:
        throw std::runtime_error("unknown control sequence");
    }
    return end + 1;
  }

  void erase(bool all) {
    if (all) lines_.assign(rows_, {});
    lines_[row_].resize(std::min(lines_[row_].size(), column_));
    for (size_t row = row_ + 1; row < rows_; ++row) lines_[row].clear();
  }

  void put(const Character& character) {
    auto& line = lines_[row_];
    if (column_ + character.width > columns_) throw std::runtime_error("a row is too long");
    if (line.size() < column_ + character.width) line.resize(column_ + character.width, " ");
    line[column_] = std::string(character.bytes);
    for (size_t i = 1; i < character.width; ++i) line[column_ + i].clear();
    column_ += character.width;
  }

  size_t columns_;
  size_t rows_;
  std::vector<std::vector<std::string>> lines_;  // a string for each column
  size_t row_ = 0;
  size_t column_ = 0;
  std::string bytes_;  // not shown yet
};

}  // namespace nmt
