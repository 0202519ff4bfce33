#include "data/pair_reader.h"

#include "data/alignment_check.h"

namespace nmt {

PairReader::PairReader(const std::filesystem::path& source, const std::filesystem::path& target,
                       const TextPlace& after)
    : source_path_(source), target_path_(target), source_(source), target_(target) {
  if (after.lines == 0) return;  // what is no file (a pipe) can be read, not sought in
  source_.go_on_after(after.lines, after.source_bytes);
  target_.go_on_after(after.lines, after.target_bytes);
}

bool PairReader::next(std::string& source, std::string& target) {
  const bool more_source = source_.next(source);
  const bool more_target = target_.next(target);
  if (more_source != more_target) report_unequal(source_path_, target_path_);
  return more_source;
}

TextPlace PairReader::place() const {
  return {source_.line_number(), source_.position(), target_.position()};
}

void for_each_pair(const std::filesystem::path& source, const std::filesystem::path& target,
                   const PairLines& visit) {
  PairReader reader(source, target);
  std::string source_line;
  std::string target_line;
  while (reader.next(source_line, target_line)) {
    visit(reader.place().lines, source_line, target_line);
  }
}

}  // namespace nmt
