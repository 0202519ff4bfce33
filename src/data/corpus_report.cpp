#include "data/corpus_report.h"

#include <sstream>

namespace nmt {

std::string to_text(const CorpusReport& report) {
  std::ostringstream text;
  text << "pairs " << report.kept << " of " << report.lines << "  source-tokens "
       << report.source_tokens << "  target-tokens " << report.target_tokens;
  if (report.empty > 0) text << "  dropped-empty " << report.empty;
  if (report.too_long > 0) text << "  dropped-too-long " << report.too_long;
  if (report.over_ratio > 0) text << "  dropped-over-ratio " << report.over_ratio;
  return text.str();
}

}  // namespace nmt
