#include "data/alignment_check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/error.h"
#include "support/line_reader.h"
#include "support/utf8.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

/// Lengths of all lines, in bytes, capped; 2 bytes a line, and only gathered for broken corpora.
std::vector<double> line_lengths(const fs::path& path) {
  std::vector<double> lengths;
  std::string line;
  for (LineReader reader(path); reader.next(line);) {
    lengths.push_back(std::log(1.0 + static_cast<double>(line.size())));
  }
  return lengths;
}

/// Where the longer file most likely has its extra line: the split k at which pairing lines up to k
/// straight and lines after k shifted makes the lengths of partners most alike. With one extra line
/// (or a block of them) lengths correlate before k unshifted and after k shifted.
int64_t first_suspicious_line(const std::vector<double>& shorter,
                              const std::vector<double>& longer) {
  const size_t shift = longer.size() - shorter.size();
  const auto gap = [&](size_t i, size_t offset) {
    return std::abs(shorter[i] - longer[i + offset]);
  };
  double cost = 0.0;
  for (size_t i = 0; i < shorter.size(); ++i) cost += gap(i, shift);
  double best_cost = cost;
  size_t best = 0;
  for (size_t i = 0; i < shorter.size(); ++i) {
    cost += gap(i, 0) - gap(i, shift);
    if (cost < best_cost) {
      best_cost = cost;
      best = i + 1;
    }
  }
  return static_cast<int64_t>(best) + 1;
}

[[noreturn]] void report_unequal(const fs::path& source, const fs::path& target) {
  const auto source_lengths = line_lengths(source);
  const auto target_lengths = line_lengths(target);
  const bool source_shorter = source_lengths.size() < target_lengths.size();
  const auto line = source_shorter ? first_suspicious_line(source_lengths, target_lengths)
                                   : first_suspicious_line(target_lengths, source_lengths);
  throw Error(source.string() + " has " + std::to_string(source_lengths.size()) + " lines and " +
              target.string() + " " + std::to_string(target_lengths.size()) +
              "; they have to be translations line by line (look near line " +
              std::to_string(line) + ", where they seem to part)");
}

}  // namespace

int64_t check_alignment(const fs::path& source, const fs::path& target) {
  LineReader source_reader(source);
  LineReader target_reader(target);
  std::string source_line;
  std::string target_line;
  while (true) {
    const bool more_source = source_reader.next(source_line);
    const bool more_target = target_reader.next(target_line);
    if (more_source) require_utf8(source_line, source.string(), source_reader.line_number());
    if (more_target) require_utf8(target_line, target.string(), target_reader.line_number());
    if (more_source != more_target) report_unequal(source, target);
    if (!more_source) break;
  }
  if (source_reader.line_number() == 0) {
    throw Error(source.string() + " and " + target.string() + ": the corpus is empty");
  }
  return source_reader.line_number();
}

}  // namespace nmt
