#pragma once

#include <cstdint>
#include <string>

namespace nmt {

/// One candidate of an n-best list in Moses format:
///
///   0 ||| I read a book. ||| nmt= -0.512345 ||| -0.256789
struct NBestEntry {
  int64_t line = 0;  // line of the source, counted from 0
  std::string text;
  std::string features;  // "NAME= VALUE …", any number of them
  double score = 0.0;    // by which the list is sorted, best first

  /// Appends "NAME= VALUE". Throws Error if there is a feature of this name.
  void add_feature(const std::string& name, double value);
};

/// One line of the list, line end included.
std::string format_n_best_entry(const NBestEntry& entry);

/// Throws Error unless there are four parts, the first a line number and the last a score. The text
/// may contain "|||".
NBestEntry parse_n_best_entry(const std::string& line);

}  // namespace nmt
