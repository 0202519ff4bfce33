#include "evaluation/test_score.h"

#include <algorithm>
#include <string>

#include "config/settings_io.h"
#include "errors/log.h"
#include "errors/shell_word.h"
#include "evaluation/evaluate_test_set.h"
#include "files/file.h"
#include "files/json.h"
#include "files/line_reader.h"
#include "files/sha256.h"
#include "metrics/bleu.h"
#include "metrics/references.h"
#include "processes/interrupt.h"
#include "text/word_vocabulary.h"

namespace nmt {
namespace {

std::string command_of(const EvaluationRequest& request) {
  const auto tokenizer = request.options.bleu.tokenizer;
  return "nmt evaluate --model-dir " + shell_word(request.translator.model_dirs.front().string()) +
         " --source " + shell_word(request.source.string()) + " --reference " +
         shell_word(request.references.front().string()) +
         (tokenizer == BleuTokenizer::k13a ? "" : " --tokenize " + choice_name(tokenizer));
}

EvaluationReport evaluate_or_explain(const EvaluationRequest& request) try {
  return evaluate_test_set(request);
} catch (const Interrupted&) {
  throw Interrupted(request.translator.model_dirs.front().string() +
                    ": the model is saved, but not scored on its test set; use " +
                    command_of(request));
}

}  // namespace

void score_test_set(const ModelDirectory& directory) {
  const auto settings = load_settings(directory.settings(), SettingsFrom::kModel);
  const auto& data = settings.data;
  auto summary = nlohmann::ordered_json::parse(read_file(directory.summary()));
  if (data.test_source.empty()) return;
  const auto source_hash = sha256_of_file(data.test_source);
  const auto target_hash = sha256_of_file(data.test_target);
  const auto known = summary.value("test", nlohmann::ordered_json::object());
  if (known.value("source_sha256", "") == source_hash &&
      known.value("target_sha256", "") == target_hash) {
    return;
  }
  const auto targets = text_of_tokens(read_lines(data.test_target),
                                      Tokenizer::from_file(directory.target_tokenizer()));
  if (std::all_of(targets.begin(), targets.end(), [](const auto& line) { return line.empty(); })) {
    log_warning("{}: all lines are empty; the model is not scored", data.test_target);
    return;
  }
  EvaluationRequest request;
  request.translator.model_dirs = {directory.root};
  request.translator.threads = static_cast<int>(settings.train.threads);
  request.source = data.test_source;
  request.references = {data.test_target};
  request.options.bleu = bleu_options_for(targets);
  log_info("scoring the test set: {}", command_of(request));
  const auto report = evaluate_or_explain(request);
  const auto pairs = report.lines - report.lines_left_out;
  log_info("test  BLEU {:.2f}  chrF2 {:.2f}  TER {:.2f}  pairs {}{}", report.bleu->score,
           *report.chrf, *report.ter, pairs,
           pairs < kFewLines ? " (few: the scores are rough)" : "");
  summary["test"] = {{"source", data.test_source},
                     {"source_sha256", source_hash},
                     {"target", data.test_target},
                     {"target_sha256", target_hash},
                     {"pairs", pairs},
                     {"bleu", report.bleu->score},
                     {"chrf", *report.chrf},
                     {"ter", *report.ter},
                     {"command", command_of(request)}};
  write_file_atomically(directory.summary(), dump_json(summary, 2) + "\n");
}

}  // namespace nmt
