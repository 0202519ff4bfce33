#pragma once

#include <string>
#include <vector>

#include "attentions/attention_kind.h"
#include "attentions/walk.h"
#include "checkpoint/stored_model.h"
#include "explain/beam.h"
#include "explain/explanation.h"
#include "explain/gradient.h"
#include "explain/gru.h"
#include "explain/omission.h"
#include "explain/segmentation.h"
#include "nn/seq2seq_options.h"
#include "translate/translator.h"

namespace nmt {

/// Three inputs that a reader can follow by hand.
WalkInput example_input();

/// The words of a sentence with their word_vector. Throws Error as words_to_explain does.
WalkInput sentence_input(const std::string& sentence);

/// Explains this kind of self-attention of the words, step by step.
Explanation walk_attention(const AttentionKind& kind, const WalkInput& input);

/// Explains the attention of a trained model from the translation of a sentence. The translation
/// must include attention and words (TranslationOptions). With `has_languages`, the attention omits
/// the token of the target language. Throws Error if the translation has no attention.
Explanation explain_translation(const std::string& sentence, const Translation& translation,
                                const Seq2SeqOptions& options, bool has_languages = false);

/// Explains a GRU of two units, with the weights of worked_gru(), as it reads the words.
Explanation walk_gru(const WalkInput& input);

/// Weights that are small integers, for computing by hand.
GruWeights worked_gru();

/// The first layer of a model's encoder as it reads a sentence, in both directions.
/// Throws Error, with `name` for the model, unless it is a recurrent model with GRU cells.
Explanation explain_encoder_gru(const StoredModel& model, const std::string& name,
                                const std::string& sentence);

/// Each step of the search with its candidates, the tree and the ranking.
Explanation explain_beam_tree(const BeamTree& tree);

/// How each word becomes pieces: merge by merge, or the best ways through the lattice.
Explanation explain_segmentations(const std::vector<SegmentedWord>& words, bool is_bpe);

/// The small decoder's forward and backward passes, with all numbers and derivative checks.
Explanation explain_small_gradient(const SmallDecoder& decoder);

/// Loss, chain rule, gradient norms and checked derivatives of a model on a sentence pair.
Explanation explain_model_gradients(const std::string& sentence, const std::string& translation,
                                    const ModelGradients& gradients, const Seq2SeqOptions& options);

/// Losses and attention as tables and pictures.
Explanation explain_omissions(const Omissions& omissions);

/// For a terminal of 80 columns; `emphasis` adds escape sequences.
std::string explanation_text(const Explanation& explanation, Language language, bool emphasis);

/// A self-contained HTML page in both languages, initially showing `language`.
std::string explanation_page(const Explanation& explanation, Language language);

/// Only the picture, an SVG file.
std::string explanation_picture(const Explanation& explanation, Language language);

}  // namespace nmt
