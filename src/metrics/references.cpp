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
  if (num_lines() == 0) return std::to_string(files_.size());
  const size_t first = of(0).size();
  for (size_t i = 1; i < num_lines(); ++i) {
    if (of(i).size() != first) return "var";
  }
  return std::to_string(first);
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
