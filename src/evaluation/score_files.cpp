#include "evaluation/score_files.h"

#include <spdlog/fmt/fmt.h>

#include <iostream>
#include <vector>

#include "files/line_reader.h"
#include "files/output_file.h"
#include "files/paired_lines.h"

namespace nmt {
namespace {

void write_scores(const std::vector<PairScore>& scores, const std::filesystem::path& path) {
  OutputFile output(path);
  for (const auto& score : scores) output.write(fmt::format("{:.6f}\n", score.log_probability));
  output.finish();
}

}  // namespace

void score_pairs(const PairScoringRequest& request) {
  const auto sources = read_lines(request.source);
  const auto targets = read_lines(request.target);
  require_paired_lines(request.source, sources.size(), request.target, targets.size());
  const Translator translator(request.translator);
  write_scores(translator.score(sources, targets, request.batch_size), request.output);
}

void score_lines(const LineScoringRequest& request) {
  const auto scores = score_text(request.options, read_lines(request.input));
  write_scores(scores, request.output);
  if (scores.empty()) return;
  int64_t tokens = 0;
  for (const auto& score : scores) tokens += score.num_tokens;
  std::cerr << fmt::format("perplexity {:.3f}  lines {}  tokens {}\n", perplexity_of(scores),
                           scores.size(), tokens);
}

}  // namespace nmt
