#include "text/letterless_sentences.h"

#include "text/byte_pieces.h"
#include "text/protected_spans.h"
#include "text/target_languages.h"
#include "text/word_vocabulary.h"
#include "unicode/code_points.h"

namespace nmt {

LetterlessSentences::LetterlessSentences(const Tokenizer& source)
    : reads_tokens_(source.reads_tokens()) {
  const TargetLanguages languages(source);
  for (int32_t id = kEosId + 1; id < source.vocabulary_size() && !exist_; ++id) {
    const auto& piece = source.piece(id);
    exist_ = has_letters(piece) && !byte_of_piece(piece) && !languages.in_front_of({id});
  }
}

bool LetterlessSentences::contain(std::string_view sentence) const {
  return exist_ && !sentence.empty() && !has_letters(sentence.substr(list_mark_length(sentence))) &&
         !(reads_tokens_ && have_space_marks(sentence));
}

}  // namespace nmt
