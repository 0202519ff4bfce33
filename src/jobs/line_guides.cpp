#include "jobs/line_guides.h"

#include <sstream>
#include <utility>

#include "errors/error.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

Error unequal(const std::string& first, size_t first_lines, const std::string& second,
              size_t second_lines) {
  return Error(first + " has " + std::to_string(first_lines) + " lines and " + second + " " +
               std::to_string(second_lines) + "; they have to pair line by line");
}

std::vector<std::string> phrases_of(const std::string& text) {
  std::vector<std::string> phrases;
  std::istringstream line(text);
  for (std::string phrase; std::getline(line, phrase, '\t');) phrases.push_back(phrase);
  return phrases;
}

}  // namespace

GuideFile::GuideFile(const std::filesystem::path& path) : name_(path.string()) {
  const bool again = std::filesystem::is_regular_file(path);
  LineReader reader(path);
  for (std::string line; reader.next(line); ++size_) {
    require_utf8(line, name_, reader.line_number());
    if (!again) kept_.push_back(line);
  }
  if (again) reader_ = std::make_unique<LineReader>(path);
}

const std::string& GuideFile::line(size_t number) {
  if (reader_ == nullptr) return kept_.at(number);
  while (static_cast<size_t>(reader_->line_number()) <= number) {
    if (!reader_->next(line_)) throw Error(name_ + ": has become shorter since it was first read");
  }
  return line_;
}

LineGuides::LineGuides(const std::filesystem::path& prefixes,
                       const std::filesystem::path& constraints) {
  if (!prefixes.empty()) prefixes_ = std::make_unique<GuideFile>(prefixes);
  if (!constraints.empty()) constraints_ = std::make_unique<GuideFile>(constraints);
  if (prefixes_ == nullptr || constraints_ == nullptr) return;
  if (prefixes_->size() == constraints_->size()) return;
  throw unequal(prefixes_->name(), prefixes_->size(), constraints_->name(), constraints_->size());
}

size_t LineGuides::size() const {
  return prefixes_ != nullptr      ? prefixes_->size()
         : constraints_ != nullptr ? constraints_->size()
                                   : 0;
}

std::string LineGuides::names() const {
  if (prefixes_ == nullptr) return constraints_->name();
  return prefixes_->name() + (constraints_ != nullptr ? " and " + constraints_->name() : "");
}

void LineGuides::require_lines(const std::filesystem::path& input, size_t num_lines) const {
  if (empty() || num_lines == size()) return;
  throw unequal(input == "-" ? "standard input" : input.string(), num_lines, names(), size());
}

std::vector<TranslationGuide> LineGuides::slice(size_t first, size_t count) {
  if (empty()) return {};
  std::vector<TranslationGuide> guides(count);
  for (size_t i = 0; i < count; ++i) {
    if (prefixes_ != nullptr) guides[i].prefix = prefixes_->line(first + i);
    if (constraints_ != nullptr) guides[i].constraints = phrases_of(constraints_->line(first + i));
  }
  return guides;
}

}  // namespace nmt
