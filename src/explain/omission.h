#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attentions/equations.h"
#include "translate/translator.h"

namespace nmt {

/// What a translation loses without each source word, and the attention to the same words.
/// S source words, T words of the translation; all logarithms are natural.
struct Omissions {
  std::string source;
  std::string translation;
  std::vector<std::string> source_words;  // [S]
  std::vector<std::string> words;         // [T]
  double log_probability = 0.0;           // log p(y | x), end of sentence included

  /// log p(y | x) − log p(y | x without word i), importance by erasure (Li, Monroe and Jurafsky
  /// 2016: Understanding Neural Networks through Representation Erasure, section 3). [S]
  std::vector<double> losses;

  /// The same for each word of y and for its end: a column sums to the loss of its source word.
  WorkedMatrix word_losses;  // [T + 1, S]

  WorkedMatrix attention;              // [T, S]; empty: the model has none
  std::vector<double> mean_attention;  // over the words of the translation, [S]; or empty
};

/// Scores the translation (by default the translator's own) given the sentence, and given the
/// sentence without each of its words, all in one batch. Throws Error unless the sentence has 2 to
/// 32 words separated by spaces and the translation at least one, and if the words of a text cannot
/// be recovered from the model's tokens.
Omissions measure_omissions(const Translator& translator, const std::string& sentence,
                            const std::optional<std::string>& translation = std::nullopt);

}  // namespace nmt
