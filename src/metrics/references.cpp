#include "metrics/references.h"

#include <utility>

#include "errors/error.h"

namespace nmt {

References::References(std::vector<std::string> lines) : files_{std::move(lines)} {}

References::References(std::initializer_list<std::string> lines)
    : References(std::vector<std::string>(lines)) {}

References::References(std::vector<std::vector<std::string>> files) : files_(std::move(files)) {
  if (files_.empty()) throw Error("references: none given; use at least one file");
  for (const auto& file : files_) {
    if (file.size() == num_lines()) continue;
    throw Error("references: files of " + std::to_string(num_lines()) + " and " +
                std::to_string(file.size()) + " lines; all need the same number");
  }
}

std::vector<std::string> References::of(size_t line) const {
  std::vector<std::string> found;
  for (const auto& file : files_) {
    if (!file[line].empty()) found.push_back(file[line]);
  }
  if (found.empty()) found.emplace_back();
  return found;
}

std::string References::count() const {
  size_t number = 0;
  for (size_t i = 0; i < num_lines(); ++i) {
    const auto found = of(i);
    if (found.front().empty()) continue;
    if (number != 0 && found.size() != number) return "var";
    number = found.size();
  }
  return std::to_string(number != 0 ? number : files_.size());
}

std::vector<size_t> lines_with_reference(const References& references) {
  std::vector<size_t> lines;
  for (size_t i = 0; i < references.num_lines(); ++i) {
    if (!references.of(i).front().empty()) lines.push_back(i);
  }
  if (lines.empty()) throw Error("references: all lines are empty; check the file");
  return lines;
}

}  // namespace nmt
