#include "jobs/line_guides.h"

#include <sstream>

#include "errors/error.h"
#include "files/paired_lines.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

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
    if (!reader_->next(line_))
      throw Error(name_ + ": shorter than when it was first read; do not change it meanwhile");
  }
  return line_;
}

LineGuides::LineGuides(const std::filesystem::path& prefixes,
                       const std::filesystem::path& constraints) {
  if (!prefixes.empty()) prefixes_ = std::make_unique<GuideFile>(prefixes);
  if (!constraints.empty()) constraints_ = std::make_unique<GuideFile>(constraints);
  if (prefixes_ == nullptr || constraints_ == nullptr) return;
  require_paired_lines(prefixes_->name(), prefixes_->size(), constraints_->name(),
                       constraints_->size());
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
  if (empty()) return;
  require_paired_lines(input, num_lines, names(), size());
}

std::vector<TranslationConstraints> LineGuides::slice(size_t first, size_t count) {
  if (empty()) return {};
  std::vector<TranslationConstraints> guides(count);
  for (size_t i = 0; i < count; ++i) {
    if (prefixes_ != nullptr) guides[i].prefix = prefixes_->line(first + i);
    if (constraints_ != nullptr) guides[i].phrases = phrases_of(constraints_->line(first + i));
  }
  return guides;
}

}  // namespace nmt
