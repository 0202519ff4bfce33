#include <algorithm>
#include <cmath>

#include "explain/walks.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kIndent = 2;
constexpr size_t kLongestBar = 24;
constexpr char kGap[] = "  ";  // between numbers

/// Lines of text, each `width` columns wide.
struct Block {
  std::vector<std::string> lines;
  size_t width = 0;
};

std::string paragraph(const std::string& text, size_t indent) {
  return std::string(indent, ' ') + wrapped(text, kColumns, indent, indent) + "\n";
}

/// The name of a row in lines, between words as far as possible.
std::vector<std::string> name_lines(const std::string& name) {
  std::vector<std::string> lines;
  std::string line;
  for (const auto& character : split_characters(name)) {
    const bool fits = display_width(line) + character.width <= kWidestRowName;
    line += character.bytes;
    if (fits) continue;
    const auto space = line.rfind(' ');
    const bool has_space = space != std::string::npos;
    const auto end = has_space ? space : line.size() - character.bytes.size();
    lines.push_back(line.substr(0, end));
    line.erase(0, has_space ? end + 1 : end);
  }
  lines.push_back(line);
  return lines;
}

size_t name_width(const LabelledMatrix& matrix) {
  size_t width = 0;
  for (const auto& name : matrix.rows) width = std::max(width, widest(name_lines(name)));
  return width;
}

size_t cell_width(const LabelledMatrix& matrix) {
  const bool whole = is_whole(matrix.values);
  size_t width = widest(matrix.columns);
  for (const auto& row : matrix.values) {
    for (const double value : row) {
      width = std::max(width, display_width(figure_text(value, whole)));
    }
  }
  return width;
}

/// Columns [first, end) of the matrix, under its name.
Block matrix_block(const LabelledMatrix& matrix, size_t first, size_t end) {
  const bool whole = is_whole(matrix.values);
  const auto cell = cell_width(matrix);
  const auto label = name_width(matrix);
  Block block;
  if (!matrix.name.empty()) block.lines.push_back(matrix.name);
  if (!matrix.columns.empty()) {
    std::string head(label, ' ');
    for (size_t i = first; i < end; ++i) {
      head += (head.empty() ? "" : kGap) + right_aligned(matrix.columns[i], cell);
    }
    block.lines.push_back(head);
  }
  for (size_t row = 0; row < matrix.values.size(); ++row) {
    auto names = name_lines(matrix.rows.empty() ? "" : matrix.rows[row]);
    auto line = padded_to(names.front(), label);
    for (size_t i = first; i < end; ++i) {
      line += (line.empty() ? "" : kGap) +
              right_aligned(figure_text(matrix.values[row][i], whole), cell);
    }
    names.front() = line;
    block.lines.insert(block.lines.end(), names.begin(), names.end());
  }
  block.width = widest(block.lines);
  return block;
}

/// Splits the matrix by columns into blocks that fit the terminal.
std::vector<Block> matrix_blocks(const LabelledMatrix& matrix) {
  const size_t sign = 4;
  const auto room = kColumns - kIndent - sign - name_width(matrix);
  const auto at_once = std::max<size_t>(1, room / (cell_width(matrix) + sizeof(kGap) - 1));
  const auto columns = matrix.values.front().size();
  std::vector<Block> blocks;
  for (size_t first = 0; first < columns; first += at_once) {
    blocks.push_back(matrix_block(matrix, first, std::min(columns, first + at_once)));
  }
  return blocks;
}

std::string without_end_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

void put_beside(Block& left, const Block& right, const std::string& sign) {
  const auto height = std::max(left.lines.size(), right.lines.size());
  left.lines.resize(height);
  const auto gap = sign.empty() ? "   " : "  " + sign + "  ";
  const auto sign_row = std::min<size_t>(right.lines.size() / 2 + 1, height - 1);
  for (size_t i = 0; i < height; ++i) {
    left.lines[i] = padded_to(left.lines[i], left.width) +
                    (i == sign_row ? gap : std::string(display_width(gap), ' ')) +
                    (i < right.lines.size() ? right.lines[i] : "");
  }
  left.width += display_width(gap) + right.width;
}

std::string block_text(const Block& block) {
  std::string text;
  for (const auto& line : block.lines) {
    text += without_end_spaces(std::string(kIndent, ' ') + line) + "\n";
  }
  return text + "\n";
}

/// Terms side by side as far as they fit, continued below.
std::string terms_text(const std::vector<Term>& terms) {
  std::string text;
  Block open;
  for (const auto& term : terms) {
    auto sign = term.sign;
    for (const auto& block : matrix_blocks(term.matrix)) {
      const bool beside = open.width > 0 && kIndent + open.width + 5 + block.width <= kColumns;
      if (!beside) {
        if (open.width > 0) text += block_text(open);
        open = Block();
        open.lines.assign(1, "");
      }
      if (beside || !sign.empty()) {
        put_beside(open, block, sign);
      } else {
        open = block;
      }
      sign.clear();
    }
  }
  return text + block_text(open);
}

std::string bar(double weight) {
  std::string text;
  const auto length = static_cast<size_t>(std::lround(weight * static_cast<double>(kLongestBar)));
  for (size_t i = 0; i < length; ++i) text += "█";
  return padded_to(text, kLongestBar);
}

std::string lookups_text(const std::vector<Lookup>& found) {
  size_t word = 0;
  size_t answer = 0;
  for (const auto& lookup : found) {
    word = std::max(word, display_width(lookup.word));
    for (const auto& share : lookup.shares) answer = std::max(answer, display_width(share.word));
  }
  std::string text;
  for (const auto& lookup : found) {
    for (size_t i = 0; i < lookup.shares.size(); ++i) {
      const auto& share = lookup.shares[i];
      text += std::string(kIndent, ' ') + padded_to(i == 0 ? lookup.word : "", word) + "   " +
              padded_to(share.word, answer) + "  " + bar(share.weight) + " " +
              right_aligned(share_text(share.weight), 5) + "\n";
    }
  }
  return text + "\n";
}

std::string heading(const Text& title, const Text& text, size_t number, Language language,
                    bool emphasis) {
  const auto line = std::to_string(number) + ". " + title.in(language);
  return (emphasis ? "\x1b[1m" + line + "\x1b[0m" : line) + "\n" +
         paragraph(text.in(language), kIndent) + "\n";
}

std::string table_text(const FigureTable& table, size_t number, Language language, bool emphasis) {
  std::vector<std::string> head;
  for (const auto& column : table.columns) head.push_back(column.in(language));
  std::vector<size_t> widths;
  for (size_t i = 0; i < head.size(); ++i) {
    widths.push_back(display_width(head[i]));
    for (const auto& row : table.rows) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    auto text = std::string(kIndent, ' ') + padded_to(cells.front(), widths.front());
    for (size_t i = 1; i < cells.size(); ++i) text += kGap + right_aligned(cells[i], widths[i]);
    return text + "\n";
  };
  auto text = heading(table.title, table.text, number, language, emphasis) + line(head);
  for (const auto& row : table.rows) text += line(row);
  return text + "\n";
}

std::string step_text(const Step& step, size_t number, Language language, bool emphasis) {
  auto text = heading(step.title, step.text, number, language, emphasis);
  if (!step.equation.empty()) text += "    " + step.equation + "\n\n";
  for (const auto& terms : step.lines) text += terms_text(terms);
  if (!step.worked.empty()) text += paragraph(step.worked, 4) + "\n";
  if (!step.lookups.empty()) text += lookups_text(step.lookups);
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation, Language language, bool emphasis) {
  const auto& about = explanation.about.in(language);
  const auto& title = explanation.title.in(language);
  auto text = (emphasis ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n\n" +
              paragraph(explanation.introduction.in(language), 0) + "\n" +
              (about.empty() ? "" : paragraph(about, 0) + "\n") +
              (explanation.outline.empty() ? "" : explanation.outline + "\n");
  for (size_t i = 0; i < explanation.steps.size(); ++i) {
    text += step_text(explanation.steps[i], i + 1, language, emphasis);
  }
  for (size_t i = 0; i < explanation.tables.size(); ++i) {
    text += table_text(explanation.tables[i], explanation.steps.size() + i + 1, language, emphasis);
  }
  text.pop_back();  // the empty line that separates steps
  return text;
}

}  // namespace nmt
