#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "config/settings.h"
#include "data/parallel_corpus.h"
#include "distributed/process_group.h"
#include "metrics/bleu.h"
#include "nn/seq2seq.h"
#include "text/protected_spans.h"
#include "text/target_languages.h"
#include "text/tokenizer.h"
#include "train/translation_search.h"

namespace nmt {

struct ValidationResult {
  double loss = 0.0;  // mean negative log-likelihood per target token, EOS included, in nats
  double perplexity = 0.0;
  double bleu = std::numeric_limits<double>::quiet_NaN();  // NaN without translations
  double chrf = std::numeric_limits<double>::quiet_NaN();
  double script = std::numeric_limits<double>::quiet_NaN();  // NaN without validation.script
  std::string script_failure;  // why `script` has no value; empty: no failure
  double seconds = 0.0;
  std::vector<std::string> hypotheses;  // of the lines that were translated

  double value_of(ValidationMetric metric) const;
};

/// ln V: the loss of a uniform guess of every target token. A trained model is below it.
double guessing_loss(const Seq2SeqImpl& model);

/// guessing_loss for messages: "loss 8.987 with a vocabulary of 8000".
std::string guessing_text(const Seq2SeqImpl& model);

/// Measures a model on the validation corpus: the loss on its tokenized pairs; BLEU and chrF of its
/// raw lines, so that no line is dropped and scores do not depend on the vocabulary (BLEU with
/// bleu_options_for the references); and the rating of validation.script. For a language model only
/// the loss.
class Validator {
 public:
  /// Reads the validation lines. Throws Error as read_lines does. The processes of `group`, which
  /// must outlive this object, share the work, and all get the result.
  Validator(const Settings& settings, Tokenizer source, Tokenizer target, ParallelCorpus pairs,
            torch::Device device, ProcessGroup& group);

  /// Throws Interrupted within a few batches of a signal to any of the processes; ProcessLost.
  ValidationResult run(Seq2Seq& model) const;

  const TranslationSearch& search() const { return search_; }
  const std::vector<std::string>& sources() const { return sources_; }
  const std::vector<std::string>& references() const { return references_; }

 private:
  /// The measurements of one process's share.
  struct Measurements {
    double loss_sum = 0.0;
    int64_t tokens = 0;
    std::vector<std::string> hypotheses;
  };

  void measure_loss(Seq2Seq& model, Measurements& measurements) const;
  void measure_fused_loss(const Seq2Seq& model, Measurements& measurements) const;
  ValidationResult join(const Measurements& measurements) const;
  void rate(ValidationResult& result) const;
  std::vector<std::string> translate(Seq2Seq& model) const;

  ValidationConfig config_;
  Tokenizer source_;
  TargetLanguages languages_;
  Tokenizer target_;
  std::vector<SpanKind> placeholders_;
  ParallelCorpus pairs_;
  torch::Device device_;
  ProcessGroup& group_;
  TranslationSearch search_;
  std::vector<std::string> sources_;
  std::vector<std::string> references_;
  BleuOptions bleu_options_;  // for the references
};

}  // namespace nmt
