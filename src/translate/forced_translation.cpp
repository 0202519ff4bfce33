#include "translate/forced_translation.h"

#include "text/placeholders.h"
#include "translate/text_scoring.h"
#include "translate/words.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

void add_given_words(const GivenPair& pair, const Hypothesis& hypothesis,
                     const AssemblyContext& context, TranslationCandidate& candidate) {
  const auto words = words_of_text(pair.target, pair.target_tokens, context.tokenizers.target);
  candidate.words = words.texts;
  if (hypothesis.token_log_probabilities.empty()) return;  // the source is empty
  candidate.word_log_probabilities =
      word_log_probabilities(hypothesis.token_log_probabilities, words);
  candidate.word_log_probabilities.push_back(double{hypothesis.token_log_probabilities.back()});
  const bool attends = !hypothesis.attention.empty() && !hypothesis.attention.front().empty();
  if (!attends) return;
  const auto& source = pair.source.words;
  candidate.word_attention =
      word_attention({hypothesis.attention, source, 0, pair.source.tokens.size()}, words);
  for (auto& row : candidate.word_attention) {  // columns for words without tokens
    row.insert(row.begin(), source.of_token.front(), 0.0F);
    row.resize(source.texts.size());
  }
  for (const auto& link : strongest_links(candidate.word_attention)) {
    const auto& row = candidate.word_attention[static_cast<size_t>(link.target)];
    if (row[static_cast<size_t>(link.source)] > 0.0F) candidate.alignment.push_back(link);
  }
}

}  // namespace

GivenPair make_given_pair(const std::string& source, const std::string& target, size_t line,
                          const Tokenizers& tokenizers, const std::vector<SpanKind>& placeholders) {
  GivenPair pair;
  const auto text = replace_invalid_utf8(source);
  pair.target = replace_invalid_utf8(target);
  const auto for_model = with_placeholders({text, pair.target}, placeholders);
  pair.source.tokens = tokenizers.source.encode(for_model.source);
  pair.target_tokens = tokenizers.target.encode(for_model.target);
  require_scorable(pair.source.tokens.size(), "source", line);
  require_scorable(pair.target_tokens.size(), "target", line);
  pair.source.words = words_of_text(text, pair.source.tokens, tokenizers.source);
  return pair;
}

Translation forced_translation(const GivenPair& pair, const Hypothesis& hypothesis,
                               const AssemblyContext& context, const TranslationOptions& options) {
  Translation translation;
  translation.text = pair.target;
  translation.source_tokens = context.tokenizers.source.pieces(pair.source.tokens);
  auto& candidate = translation.candidates.emplace_back();
  candidate.text = pair.target;
  candidate.score = hypothesis.score;
  candidate.log_probability = hypothesis.log_probability;
  candidate.tokens = context.tokenizers.target.pieces(pair.target_tokens);
  candidate.token_log_probabilities = {hypothesis.token_log_probabilities.begin(),
                                       hypothesis.token_log_probabilities.end()};
  if (options.attention) candidate.attention = hypothesis.attention;
  if (!options.words) return translation;
  add_given_words(pair, hypothesis, context, candidate);
  add_source_words(pair.source, context, translation);
  return translation;
}

}  // namespace nmt
