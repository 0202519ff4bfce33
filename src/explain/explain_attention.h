#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "attentions/attention_kind.h"
#include "explain/explanation.h"

namespace nmt {

struct ExplainRequest {
  std::string sentence;
  bool example = false;  // uses three small inputs instead of a sentence
  const AttentionKind* kind = &scaled_dot_attention();
  std::filesystem::path model_dir;  // explains this model instead of small numbers; may be empty
  bool target = false;              // explains the target's vocabulary, not the source's
  int64_t beam_size = 3;
  double length_penalty = 1.0;
  std::optional<std::string> translation;  // of the sentence; none: the model's own
  std::filesystem::path output;  // a page (.html) or a picture (.svg); empty: text on a terminal
  Language language = Language::kEnglish;
};

/// The explanation of attention. The caller checks that the options go together. Throws Error for a
/// sentence that is empty or too long, and for a model that cannot be read or has no attention.
Explanation explain_attention(const ExplainRequest& request);

/// Likewise, of a GRU that reads the sentence; with a model_dir, of the model's encoder. `kind` is
/// ignored.
Explanation explain_gru(const ExplainRequest& request);

/// Likewise, of what the model's translation loses without each word of the sentence. Throws Error
/// as measure_omissions() does.
Explanation explain_omission(const ExplainRequest& request);

/// Likewise, of the beam search for the model's translation. Throws Error as grow_beam_tree() does.
Explanation explain_beam(const ExplainRequest& request);

/// Likewise, of the pieces of each word of the sentence. Throws Error as WordSegmenter does.
Explanation explain_pieces(const ExplainRequest& request);

/// Likewise, of back-propagation through a small decoder; with a model_dir, through the model, from
/// the loss of the translation, which must be given.
Explanation explain_gradient(const ExplainRequest& request);

/// Writes what `explain` returns for the request. Throws UsageError for an output with another
/// extension, before calling `explain`.
void write_explanation(const ExplainRequest& request,
                       Explanation (*explain)(const ExplainRequest&));

}  // namespace nmt
