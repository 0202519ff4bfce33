#include "attention_views/attention_grid.h"

#include <algorithm>
#include <array>

#include "attention_views/attention_box.h"
#include "attention_views/attention_svg.h"
#include "unicode/characters.h"
#include "unicode/scripts.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxLabel = 18;  // columns
constexpr size_t kMaxCell = 14;
constexpr size_t kMinCell = 5;  // "░ 87"
constexpr int kMinShown = 5;    // percent

/// Background from dark to bright with a contrasting foreground, from the 256-color palette.
std::string colored(const std::string& text, int percent) {
  struct Color {
    int background;
    int foreground;
  };
  static constexpr std::array<Color, 5> kColors = {
      {{17, 255}, {19, 255}, {26, 255}, {38, 16}, {51, 16}}};
  const auto& color = kColors[static_cast<size_t>(std::min(percent / 20, 4))];
  return "\x1b[48;5;" + std::to_string(color.background) + ";38;5;" +
         std::to_string(color.foreground) + "m" + text + "\x1b[0m";
}

std::string shade(int percent) {
  static constexpr std::array<const char*, 4> kShades = {"░", "▒", "▓", "█"};
  return kShades[static_cast<size_t>(std::min(percent / 25, 3))];
}

std::string cell(float weight, size_t columns, bool colors) {
  const int percent = percent_of(weight);
  if (percent < kMinShown) return right_aligned("·", columns);
  const auto number = std::to_string(percent);
  if (colors) return colored(right_aligned(number, columns), percent);
  std::string text;
  for (size_t i = number.size() + 1; i < columns; ++i) text += shade(percent);
  return text + " " + number;
}

/// The label with left-to-right marks if it is written from right to left; otherwise terminals with
/// bidirectional text would draw it, the cells after it and other labels as one run.
std::string in_its_column(const std::string& label) {
  return has_right_to_left(label) ? "\u200E" + label + "\u200E" : label;
}

/// The titles of rows and columns, as in attention_svg().
std::string axis_titles(size_t label, size_t columns) {
  const AxisTitles titles;
  return shortened(padded_to(titles.target + " ↓", label) + " " + titles.source + " →", columns) +
         "\n";
}

/// Column widths of the source words from `first` on: as many as fit, at least one.
std::vector<size_t> widths_from(const std::vector<std::string>& words, size_t first, size_t room) {
  std::vector<size_t> widths;
  for (size_t i = first; i < words.size(); ++i) {
    const size_t width = std::clamp(display_width(words[i]), kMinCell - 1, kMaxCell - 1) + 1;
    if (width > room && !widths.empty()) break;
    widths.push_back(width);
    room -= std::min(width, room);
  }
  return widths;
}

}  // namespace

std::string attention_grid(const Translation& translation, const DrawingStyle& style) {
  const auto& best = translation.candidates.front();
  const auto sources = printable_all(translation.source_words);
  const auto targets = printable_all(best.words);
  const size_t label = std::min(widest(targets), kMaxLabel);
  std::string matrix;
  // Without attention, only text that passes through has rows.
  const bool fits = best.word_attention.size() == targets.size();
  for (size_t first = 0; first < sources.size() && fits && !targets.empty();) {
    const auto widths =
        widths_from(sources, first, style.columns - std::min(style.columns, label + 1));
    matrix += (first == 0 ? axis_titles(label, style.columns) : "\n") + std::string(label, ' ');
    for (size_t i = 0; i < widths.size(); ++i) {
      const auto word = shortened(sources[first + i], widths[i] - 1);
      matrix += " " + right_aligned(in_its_column(word), widths[i] - 1);
    }
    matrix += "\n";
    for (size_t row = 0; row < targets.size(); ++row) {
      matrix += padded_to(in_its_column(shortened(targets[row], label)), label);
      for (size_t i = 0; i < widths.size(); ++i) {
        const float weight = best.word_attention[row][first + i];
        matrix += " " + cell(weight, widths[i] - 1, style.colors);
      }
      matrix += "\n";
    }
    first += widths.size();
  }
  return matrix.empty() ? "(no attention to show)\n" : matrix;
}

}  // namespace nmt
