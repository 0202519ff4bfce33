#include "files/paired_lines.h"

#include "errors/counted.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/line_reader.h"

namespace nmt {

void require_paired_lines(const std::string& first, size_t first_lines, const std::string& second,
                          size_t second_lines, const std::string& hint) {
  if (first_lines == second_lines) return;
  throw Error(shown_name(first) + ": " + counted(first_lines, "line") + ", but " +
              std::to_string(second_lines) + " in " + shown_name(second) +
              "; the two must pair line by line" + (hint.empty() ? "" : " (" + hint + ")"));
}

PairedLines read_paired_lines(const std::filesystem::path& source,
                              const std::filesystem::path& target) {
  PairedLines lines{read_lines(source), read_lines(target)};
  require_paired_lines(source, lines.sources.size(), target, lines.targets.size());
  return lines;
}

}  // namespace nmt
