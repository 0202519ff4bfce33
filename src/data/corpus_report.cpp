#include "data/corpus_report.h"

#include <cmath>
#include <sstream>

namespace nmt {
namespace {

/// "  NAME 5 %" if more than 1 % of the tokens are unknown.
std::string unknown_text(const char* name, int64_t unknown, int64_t tokens) {
  const double percent = unknown_percent(unknown, tokens);
  return percent > 1 ? std::string("  ") + name + " " + std::to_string(std::lround(percent)) + " %"
                     : "";
}

}  // namespace

CorpusReport& operator+=(CorpusReport& sum, const CorpusReport& report) {
  sum.lines += report.lines;
  sum.kept += report.kept;
  sum.held_out += report.held_out;
  sum.empty += report.empty;
  sum.too_long += report.too_long;
  sum.over_ratio += report.over_ratio;
  sum.unguided += report.unguided;
  sum.source_tokens += report.source_tokens;
  sum.target_tokens += report.target_tokens;
  sum.source_unknown += report.source_unknown;
  sum.target_unknown += report.target_unknown;
  return sum;
}

std::string to_text(const CorpusReport& report, CorpusUnit unit) {
  std::ostringstream text;
  const bool pairs = unit == CorpusUnit::kPairs;
  text << (pairs ? "pairs " : "lines ") << report.kept << " of " << report.lines;
  if (pairs) text << "  source-tokens " << report.source_tokens;
  text << (pairs ? "  target-tokens " : "  tokens ") << report.target_tokens;
  if (pairs) text << unknown_text("unknown-source", report.source_unknown, report.source_tokens);
  text << unknown_text(pairs ? "unknown-target" : "unknown", report.target_unknown,
                       report.target_tokens);
  if (report.held_out > 0) {
    text << "  held-out " << report.held_out << " (repeated sentences included)";
  }
  if (report.empty > 0) text << "  dropped-empty " << report.empty;
  if (report.too_long > 0) text << "  dropped-too-long " << report.too_long;
  if (report.over_ratio > 0) text << "  dropped-over-ratio " << report.over_ratio;
  if (report.unguided > 0) text << "  without-alignment " << report.unguided;
  return text.str();
}

}  // namespace nmt
