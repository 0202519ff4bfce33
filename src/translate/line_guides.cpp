#include "translate/line_guides.h"

#include <sstream>

#include "support/error.h"
#include "support/line_reader.h"

namespace nmt {
namespace {

Error unequal(const std::string& first, size_t first_lines, const std::string& second,
              size_t second_lines) {
  return Error(first + " has " + std::to_string(first_lines) + " lines and " + second + " " +
               std::to_string(second_lines) + "; they have to pair line by line");
}

}  // namespace

LineGuides::LineGuides(const std::filesystem::path& prefixes,
                       const std::filesystem::path& constraints) {
  if (!prefixes.empty()) {
    const auto lines = load(prefixes);
    for (size_t i = 0; i < lines.size(); ++i) guides_[i].prefix = lines[i];
  }
  if (!constraints.empty()) {
    content_.add("constraints\n");
    const auto lines = load(constraints);
    for (size_t i = 0; i < lines.size(); ++i) {
      std::istringstream line(lines[i]);
      for (std::string phrase; std::getline(line, phrase, '\t');) {
        guides_[i].constraints.push_back(phrase);
      }
    }
  }
}

std::vector<std::string> LineGuides::load(const std::filesystem::path& path) {
  auto lines = read_lines(path);
  for (const auto& line : lines) content_.add(line + "\n");
  if (empty()) {
    guides_.resize(lines.size());
  } else if (lines.size() != guides_.size()) {
    throw unequal(names_, guides_.size(), path.string(), lines.size());
  }
  names_ += (empty() ? "" : " and ") + path.string();
  return lines;
}

void LineGuides::require_lines(const std::filesystem::path& input, size_t num_lines) const {
  if (empty() || num_lines == size()) return;
  throw unequal(input == "-" ? "standard input" : input.string(), num_lines, names_, size());
}

std::vector<TranslationGuide> LineGuides::slice(size_t first, size_t count) const {
  if (empty()) return {};
  const auto begin = guides_.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace nmt
