#include "evaluation/test_score.h"

#include <string>

#include "config/settings_io.h"
#include "errors/log.h"
#include "evaluation/evaluate_test_set.h"
#include "files/file.h"
#include "files/json.h"
#include "files/sha256.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

constexpr int64_t kFewLines = 200;  // give or take several BLEU

/// As a POSIX shell reads it.
std::string shell_word(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") ==
                     std::string::npos;
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string command_of(const EvaluationRequest& request) {
  return "nmt evaluate --model-dir " + shell_word(request.translator.model_dirs.front().string()) +
         " --source " + shell_word(request.source.string()) + " --reference " +
         shell_word(request.reference.string());
}

EvaluationReport evaluate_or_explain(const EvaluationRequest& request) try {
  return evaluate_test_set(request);
} catch (const Interrupted&) {
  throw Interrupted("the model is saved but not scored on its test set; use " +
                    command_of(request));
}

}  // namespace

void score_test_set(const ModelDirectory& directory) {
  const auto settings = load_settings(directory.settings());
  const auto& data = settings.data;
  auto summary = nlohmann::ordered_json::parse(read_file(directory.summary()));
  if (data.test_source.empty() || summary.contains("test")) return;
  EvaluationRequest request;
  request.translator.model_dirs = {directory.root};
  request.translator.threads = static_cast<int>(settings.train.threads);
  request.source = data.test_source;
  request.reference = data.test_target;
  log_info("scoring the test set: {}", command_of(request));
  const auto report = evaluate_or_explain(request);
  log_info("test  BLEU {:.2f}  chrF2 {:.2f}  TER {:.2f}  pairs {}{}", report.bleu->score,
           report.chrf->score, report.ter->score, report.lines,
           report.lines < kFewLines ? " (few: the scores are rough)" : "");
  summary["test"] = {
      {"source", data.test_source},    {"source_sha256", sha256_of_file(data.test_source)},
      {"target", data.test_target},    {"target_sha256", sha256_of_file(data.test_target)},
      {"pairs", report.lines},         {"bleu", report.bleu->score},
      {"chrf", report.chrf->score},    {"ter", report.ter->score},
      {"command", command_of(request)}};
  write_file_atomically(directory.summary(), dump_json(summary, 2) + "\n");
}

}  // namespace nmt
