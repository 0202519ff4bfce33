#include "jobs/line_guides.h"

#include <sstream>

#include "errors/error.h"
#include "files/paired_lines.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

std::vector<std::string> phrases_of(const std::string& text) {
  std::vector<std::string> phrases;
  std::istringstream line(text);
  for (std::string phrase; std::getline(line, phrase, '\t');) {
    if (!trimmed(phrase).empty()) phrases.push_back(phrase);
  }
  return phrases;
}

}  // namespace

GuideFile::GuideFile(const std::filesystem::path& path) : name_(path.string()) {
  const bool again = std::filesystem::is_regular_file(path);
  LineReader reader(path);
  reader.require_text();
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

std::vector<std::filesystem::path> GuideFiles::names() const {
  std::vector<std::filesystem::path> names;
  for (const auto* path : {&prefixes, &constraints, &references}) {
    if (!path->empty()) names.push_back(*path);
  }
  return names;
}

LineGuides::LineGuides(const GuideFiles& files) {
  const auto open = [](const std::filesystem::path& path) {
    return path.empty() ? nullptr : std::make_unique<GuideFile>(path);
  };
  prefixes_ = open(files.prefixes);
  constraints_ = open(files.constraints);
  references_ = open(files.references);
  for (const auto* file : this->files()) require_lines(file->name(), file->size());
}

std::vector<const GuideFile*> LineGuides::files() const {
  std::vector<const GuideFile*> files;
  for (const auto* file : {prefixes_.get(), constraints_.get(), references_.get()}) {
    if (file != nullptr) files.push_back(file);
  }
  return files;
}

void LineGuides::require_lines(const std::filesystem::path& input, size_t num_lines) const {
  for (const auto* file : files()) {
    require_paired_lines(input, num_lines, file->name(), file->size());
  }
}

std::vector<LineGuide> LineGuides::slice(size_t first, size_t count) {
  if (empty()) return {};
  std::vector<LineGuide> guides(count);
  for (size_t i = 0; i < count; ++i) {
    auto& constraints = guides[i].constraints;
    if (prefixes_ != nullptr) {
      const auto& prefix = prefixes_->line(first + i);
      if (!trimmed(prefix, " \t").empty()) constraints.prefix = prefix;
    }
    if (constraints_ != nullptr) constraints.phrases = phrases_of(constraints_->line(first + i));
    if (references_ != nullptr) guides[i].reference = references_->line(first + i);
  }
  return guides;
}

}  // namespace nmt
