#include "translate/protection.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "text/placeholders.h"
#include "text/sentence_marks.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "translate/source_measures.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxReplacements = 500;  // per sentence; further spans are left to the model

/// The index of the word that contains byte `at`.
size_t word_at(const std::vector<Extent>& words, size_t at) {
  const auto follows = [](size_t place, const Extent& word) { return place < word.begin; };
  const auto next = std::upper_bound(words.begin(), words.end(), at, follows);
  return static_cast<size_t>(next - words.begin()) - 1;
}

/// Whether the text ends within a word that is more than punctuation.
bool ends_in_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && !is_between_words(text[begin - 1])) --begin;
  return has_letter_or_number(text.substr(begin));
}

/// Whether the range is delimited by white space or the text's ends.
bool is_word(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || is_between_words(text[begin - 1])) &&
         (end == text.size() || is_between_words(text[end]));
}

Replacement::Extent extent_of(std::string_view text, size_t begin, size_t end) {
  if (begin == 0 && end == text.size()) return Replacement::Extent::kSentence;
  const bool has_words =
      has_letter_or_number(text.substr(0, begin)) || has_letter_or_number(text.substr(end));
  return has_words ? Replacement::Extent::kPart : Replacement::Extent::kAllWords;
}

/// The numbers that are single pieces and begin a word, most frequent first.
std::vector<std::string> numbers_of(const Tokenizer& tokenizer) {
  std::vector<std::string> numbers;
  for (int32_t id = kEosId + 1; id < tokenizer.vocabulary_size(); ++id) {
    std::string_view piece = tokenizer.piece(id);
    if (!begins_with(piece, kSpaceMark)) continue;
    piece.remove_prefix(kSpaceMark.size());
    if (!piece.empty() && std::all_of(piece.begin(), piece.end(), is_ascii_digit)) {
      numbers.emplace_back(piece);
    }
  }
  return numbers;
}

/// Whether many nouns have a capital, as in German: more than one in five of the pieces that begin
/// a word and have at least four letters, the others in lower case. Vocabularies of German have
/// 0.34 to 0.60 of them, of English and French 0.01 to 0.19.
bool capitalizes_nouns(const Tokenizer& tokenizer) {
  size_t words = 0;
  size_t capitalized = 0;
  for (int32_t id = kEosId + 1; id < tokenizer.vocabulary_size(); ++id) {
    const auto codes = to_code_points(tokenizer.piece(id));  // the first is kSpaceMark
    if (codes.size() < 5 || !begins_with(tokenizer.piece(id), kSpaceMark)) continue;
    if (!std::all_of(codes.begin() + 2, codes.end(), is_lower)) continue;
    if (is_lower(codes[1])) ++words;
    if (is_upper(codes[1])) ++capitalized;
  }
  return 4 * capitalized > words;
}

bool is_one_piece(std::string_view text, const Tokenizer& tokenizer) {
  const auto tokens = tokenizer.encode(text);
  const bool split = tokens.size() == 2 && tokenizer.piece(tokens.front()) == kSpaceMark;
  return !tokens.empty() && tokens.back() != kUnknownId && (tokens.size() == 1 || split);
}

/// Removes from `spans` those outside [begin, end), leading emoji, blanks and tags such as
/// "@name:", and trailing spans other than numbers. Returns the byte range between the removed
/// spans.
std::pair<size_t, size_t> take_outer_spans(const std::string& sentence, size_t begin, size_t end,
                                           std::vector<ProtectedSpan>& spans) {
  const auto is_empty = [&](size_t first, size_t last) {
    return split_whitespace(std::string_view(sentence).substr(first, last - first)).empty();
  };
  while (!spans.empty() && spans.back().begin >= end) spans.pop_back();
  while (!spans.empty() && spans.back().kind != SpanKind::kNumber && spans.back().begin >= begin &&
         is_empty(spans.back().end, end)) {
    end = spans.back().begin;
    spans.pop_back();
  }
  const auto is_sign = [](const ProtectedSpan& span) {
    return span.kind == SpanKind::kEmoji || span.kind == SpanKind::kBlank ||
           span.kind == SpanKind::kTag;
  };
  const auto label_mark = [&](const ProtectedSpan& span) {  // as in "@name:" and "@name :"
    if (span.kind != SpanKind::kTag) return span.end;
    const size_t mark = span.end + (sentence.compare(span.end, 2, " :") == 0 ? 1 : 0);
    return mark < end && is_one_of(sentence[mark], U":,") ? mark + 1 : span.end;
  };
  auto first_span = spans.begin();
  for (; first_span != spans.end(); ++first_span) {
    const bool is_first = is_empty(begin, std::max(begin, first_span->begin));
    const size_t next = label_mark(*first_span);
    const bool ends_word =
        next == end || next > first_span->end || is_between_words(sentence[next]);
    const bool is_outer =
        is_first && is_sign(*first_span) && (first_span->kind != SpanKind::kTag || ends_word);
    if (first_span->begin >= begin && !is_outer) break;
    begin = std::max(begin, next);
  }
  spans.erase(spans.begin(), first_span);
  return {begin, end};
}

/// Extends spans other than numbers to directly enclosing round brackets within [begin, end).
/// Returns the digits of the numbers.
std::vector<std::string> widen_to_brackets(const std::string& sentence, size_t begin, size_t end,
                                           std::vector<ProtectedSpan>& spans) {
  std::vector<std::string> numbers;
  for (auto& span : spans) {
    const bool bracketed = span.begin > begin && sentence[span.begin - 1] == '(' &&
                           span.end < end && sentence[span.end] == ')';
    if (span.kind == SpanKind::kNumber) {
      numbers.push_back(digits_of(sentence.substr(span.begin, span.end - span.begin)));
    } else if (bracketed) {
      span = {span.kind, span.begin - 1, span.end + 1};
    }
  }
  return numbers;
}

/// The spans with these ranges, in place of the spans that share bytes with them; an address with
/// such a range in it is copied as a whole.
std::vector<ProtectedSpan> with_copied(std::vector<ProtectedSpan> spans,
                                       const std::vector<ProtectedSpan>& copied) {
  for (auto range : copied) {
    const auto first = std::find_if(spans.begin(), spans.end(), [&](const ProtectedSpan& span) {
      return span.end > range.begin;
    });
    const auto last = std::find_if(
        first, spans.end(), [&](const ProtectedSpan& span) { return span.begin >= range.end; });
    for (auto span = first; span != last; ++span) {
      const bool is_address = span->kind == SpanKind::kUrl || span->kind == SpanKind::kEmail ||
                              span->kind == SpanKind::kCopied;
      if (!is_address) continue;
      range = {SpanKind::kCopied, std::min(range.begin, span->begin),
               std::max(range.end, span->end)};
    }
    spans.insert(spans.erase(first, last), range);
  }
  return spans;
}

/// The span, including the brackets around it if the model does not know them.
ProtectedSpan in_unknown_brackets(std::string_view text, const ProtectedSpan& span, size_t from,
                                  const Tokenizer& tokenizer) {
  if (span.begin <= from || span.end >= text.size()) return span;
  const auto brackets = std::string{text[span.begin - 1], text[span.end]};
  const bool is_word = span.begin == 1 || is_between_words(text[span.begin - 2]);
  if (!is_word || (brackets != "()" && brackets != "[]")) return span;
  if (!has_unknown_piece(brackets, tokenizer)) return span;
  return {span.kind, span.begin - 1, span.end + 1};
}

/// The number's span, including its signs if the model does not know them.
ProtectedSpan with_unknown_sign(std::string_view text, const ProtectedSpan& number, size_t from,
                                const Tokenizer& tokenizer) {
  auto span = number;
  const auto found = find_signed_number(text, number, from);
  const auto sign = found ? to_utf8({&found->sign, 1}) : "";
  if (found && (has_unknown_piece(sign, tokenizer) ||
                (is_one_of(found->sign, kUnitSigns) && !is_one_piece(sign, tokenizer)))) {
    span = {number.kind, found->begin, found->end};
  }
  // A vocabulary that has "-" may know it as a hyphen only.
  span.begin = sign_begin(text, span.begin, from);
  return in_unknown_brackets(text, span, from, tokenizer);
}

}  // namespace

bool has_kind(const std::vector<Replacement>& replacements, Replacement::Kind kind) {
  return std::any_of(replacements.begin(), replacements.end(),
                     [&](const Replacement& one) { return one.kind == kind; });
}

Protection::Protection(const Tokenizers& tokenizers, std::vector<TermPair> terms, SentenceForm form)
    : tokenizers_(tokenizers),
      form_(std::move(form)),
      reads_tokens_(tokenizers.source.reads_tokens()),
      capitalizes_nouns_(capitalizes_nouns(tokenizers.source)),
      placeholders_(placeholders_of(tokenizers)),
      terms_(std::move(terms)) {
  const auto target_numbers = numbers_of(tokenizers.target);
  for (auto& number : numbers_of(tokenizers.source)) {
    if (std::find(target_numbers.begin(), target_numbers.end(), number) == target_numbers.end() ||
        std::find(carriers_.begin(), carriers_.end(), number) != carriers_.end()) {
      continue;
    }
    if (is_one_piece(number, tokenizers.source)) carriers_.push_back(std::move(number));
  }
}

/// Notes what the translation needs in place of what the model does not read as it is written.
void Protection::read_as_familiar(ProtectedSentence& sentence) const {
  using Kind = Replacement::Kind;
  const bool has_gaps = has_kind(sentence.replacements, Kind::kInserted);
  const auto familiar = form_.familiar(sentence.for_model, tokenizers_.source, has_gaps);
  const size_t last = word_extents(sentence.text).size() - 1;
  if (!familiar.first_marks.empty()) {
    sentence.replacements.push_back({Kind::kFirstMarks, 0, 0, familiar.first_marks});
  }
  if (!familiar.last_marks.empty() || !familiar.carrier.empty()) {
    sentence.replacements.push_back(
        {Kind::kLastMarks, last, last, familiar.last_marks, familiar.carrier});
  }
  if (familiar.capitalized) sentence.replacements.push_back({Kind::kLowerCase, 0, 0, ""});
  // Marks between spaces are words that the model does not read.
  const auto words = written_words(sentence.for_model);
  size_t unread = words.size() - std::min(words.size(), word_extents(familiar.text).size());
  for (size_t i = 0; unread > 0 && !familiar.first_marks.empty() && !has_letter_or_number(words[i]);
       ++i, --unread) {
    sentence.unread.push_back(i);
  }
  for (; unread > 0; --unread) sentence.unread.push_back(last + 1 - unread);
  sentence.for_model = familiar.text;
}

bool Protection::begins_sentence(std::string_view word) const {
  if (!capitalizes_nouns_) return true;
  const auto& source = tokenizers_.source;
  const auto lower = source.encode(to_lower(word));
  return lower.size() == 1 && lower.front() != kUnknownId && lower != source.encode(word);
}

size_t Protection::marks_length(std::string_view sentence) const {
  // German nouns have capitals anywhere, so "1. Mai" is an ordinal number and "1. Ein" is not.
  return list_mark_length(sentence, [&](std::string_view word) { return begins_sentence(word); });
}

/// Reads a sentence from left to right, span by span, into what the model reads and what the
/// translation needs besides.
class Protection::SpanReader {
 public:
  /// What comes before byte `mark` and from `footnotes` on is not read.
  SpanReader(const Protection& protection, const std::string& sentence, size_t mark,
             size_t footnotes, std::vector<ProtectedSpan> spans)
      : protection_(protection), sentence_(sentence), spans_(std::move(spans)) {
    std::tie(begin_, end_) = take_outer_spans(sentence, mark, footnotes, spans_);
    if (spans_.size() > kMaxReplacements) spans_.resize(kMaxReplacements);
    const auto core = whole_text(std::string_view(sentence).substr(begin_, end_ - begin_));
    result_.before = sentence.substr(0, begin_);
    result_.gap = core.between.front();
    result_.text = core.sentences.empty() ? "" : core.sentences.front();
    result_.last_gap = core.between.back();
    result_.after = sentence.substr(end_);
    begin_ += result_.gap.size();
    numbers_ = widen_to_brackets(sentence, begin_, end_, spans_);
    terms_ = protection.terms_.find(result_.text, spans_, begin_, kMaxReplacements - spans_.size());
    words_ = word_extents(result_.text);
  }

  ProtectedSentence read() {
    for (const auto& span : spans_) {
      if (span.begin < begin_ + at_) continue;  // within a sign, such as C@b.org after 30°
      const bool in_term = is_in_term(span);
      if (span.kind != SpanKind::kNumber) {
        read_other(span, in_term);
      } else if (in_term) {  // read as it is; the term's translation replaces it
        has_words_ = true;
      } else if (!is_part_of_token(span)) {
        read_number(span);
      }
    }
    read_plain(result_.text.size());
    if (continues_copied())
      result_.replacements.push_back({Replacement::Kind::kLowerCase, 0, 0, ""});
    if (!has_words_ && !protection_.reads_tokens_) result_.for_model.clear();
    for (size_t i = trailing_; i < result_.replacements.size(); ++i) {
      result_.replacements[i].next_word = words_.size();
    }
    for (const auto& [first, last, target] : terms_) {
      result_.replacements.push_back(
          {Replacement::Kind::kTerm, word_at(words_, first), word_at(words_, last - 1), target});
      result_.replacements.back().extent = extent_of(result_.text, first, last);
    }
    return std::move(result_);
  }

  /// Whether a term brings the sentence's final mark. Call before read().
  bool ends_with_term_of_mark() const {
    if (terms_.empty()) return false;
    const auto& [begin, end, target] = terms_.back();
    const auto ends_in_mark = [](const std::string& term) {
      return is_sentence_mark(last_code(term));
    };
    return !has_letter_or_number(result_.text.substr(end)) &&
           (ends_in_mark(target) || (end == result_.text.size() && ends_in_mark(result_.text)));
  }

 private:
  const Tokenizer& source() const { return protection_.tokenizers_.source; }

  std::string written(const ProtectedSpan& span) const {
    return sentence_.substr(span.begin, span.end - span.begin);
  }

  bool is_in_term(const ProtectedSpan& span) const {
    return std::any_of(terms_.begin(), terms_.end(), [&](const FoundTerm& term) {
      return term.begin <= span.begin - begin_ && span.end - begin_ <= term.end;
    });
  }

  /// Whether text that was given to be copied begins the sentence, and the next word has no capital
  /// or has it as a noun.
  bool continues_copied() const {
    if (spans_.empty() || spans_[0].kind != SpanKind::kCopied || spans_[0].begin != begin_) {
      return false;
    }
    size_t next = 0;
    while (next < words_.size() && words_[next].begin < spans_[0].end - begin_) ++next;
    if (next == words_.size()) return false;
    const auto word = result_.text.substr(words_[next].begin, words_[next].size());
    return is_lower(first_code(word)) || !protection_.begins_sentence(word);
  }

  /// In tokenized text, tokens such as "▁193" and "4" may form one number.
  bool is_part_of_token(const ProtectedSpan& number) const {
    return protection_.reads_tokens_ && (!is_word(sentence_, number.begin, number.end) ||
                                         is_one_piece(written(number), source()));
  }

  /// Reads the text before byte `end`, which the model reads as it is.
  void read_plain(size_t end) {
    const auto plain = result_.text.substr(at_, end - at_);
    const size_t words = terms_.empty() ? measurement_end(result_.text, at_) : at_;
    has_words_ =
        has_words_ || (words < end && has_letters(result_.text.substr(words, end - words)));
    if (has_letter_or_number(plain)) trailing_ = result_.replacements.size();
    result_.for_model += plain;
  }

  /// Reads the text up to the span. Returns the replacement of its first word, not yet added.
  Replacement read_until(const ProtectedSpan& span) {
    const size_t first = span.begin - begin_;
    if (first > at_ || unread_at_ == std::string::npos) unread_at_ = first;
    read_plain(first);
    at_ = span.end - begin_;
    const size_t word = word_at(words_, first);
    return {Replacement::Kind::kInserted, word, word, written(span)};
  }

  /// The number that the model reads in place of this one: of those that the sentence does not
  /// have, one with about as many digits; empty if there is none.
  std::string carrier_for(std::string_view number) const {
    const auto digits = static_cast<std::ptrdiff_t>(digits_of(number).size());
    const auto distance = [&](const std::string& carrier) {
      return std::abs(static_cast<std::ptrdiff_t>(carrier.size()) - digits);
    };
    const std::string* best = nullptr;
    for (const auto& carrier : protection_.carriers_) {
      if (std::find(numbers_.begin(), numbers_.end(), carrier) != numbers_.end()) continue;
      if (best == nullptr || distance(carrier) < distance(*best)) best = &carrier;
    }
    return best == nullptr ? "" : *best;
  }

  void read_number(const ProtectedSpan& number) {
    const auto read = std::string_view(sentence_).substr(0, end_);
    const auto span = with_unknown_sign(read, number, begin_ + at_, source());
    auto replacement = read_until(span);
    const auto digits = written(number);
    const bool has_sign = replacement.text != digits;
    const bool known = is_one_piece(digits, source());
    replacement.kind =
        known && !has_sign ? Replacement::Kind::kKnownNumber : Replacement::Kind::kNewNumber;
    if (!known) replacement.carrier = carrier_for(digits);
    if (has_sign && replacement.carrier.empty()) replacement.carrier = digits;
    numbers_.push_back(replacement.carrier);
    result_.for_model += replacement.carrier.empty() ? replacement.text : replacement.carrier;
    replacement.last_word = word_at(words_, at_ - 1);
    replacement.has_place = !is_in_unspaced_word(result_.text, span.begin - begin_, at_);
    for (size_t sign = replacement.first_word; sign < replacement.last_word; ++sign) {
      result_.unread.push_back(sign + 1);  // the sign may be a word
    }
    trailing_ = result_.replacements.size() + 1;
    unread_at_ = std::string::npos;
    const bool is_word = !has_letters(digits) && measurement_end(result_.text, at_) == at_;
    has_words_ = has_words_ || is_word;  // unlike an identifier and a measurement
    result_.replacements.push_back(std::move(replacement));
  }

  void read_other(const ProtectedSpan& span, bool in_term) {
    auto replacement = read_until(span);
    const size_t word = replacement.first_word;
    if (ends_in_word(result_.for_model)) replacement.next_word = word + 1;
    const auto& known = protection_.placeholders_;
    if (std::find(known.begin(), known.end(), span.kind) != known.end()) {
      replacement.kind = Replacement::Kind::kPlaceholder;
      replacement.carrier = placeholder_of(span.kind);
      result_.for_model += replacement.carrier;
      unread_at_ = std::string::npos;
    } else {
      const size_t last = word_at(words_, at_ - 1);
      for (size_t one = word_at(words_, unread_at_); one <= last; ++one) {
        const bool is_unread = unread_at_ <= words_[one].begin && words_[one].end <= at_;
        if (is_unread) result_.unread.push_back(one);
      }
    }
    if (!in_term) result_.replacements.push_back(std::move(replacement));
  }

  const Protection& protection_;
  const std::string& sentence_;
  std::vector<ProtectedSpan> spans_;
  std::vector<FoundTerm> terms_;
  ProtectedSentence result_;
  std::vector<Extent> words_;         // of result_.text
  std::vector<std::string> numbers_;  // which no carrier may repeat
  size_t begin_ = 0;                  // of result_.text in the sentence
  size_t end_ = 0;
  size_t at_ = 0;                         // position in result_.text
  size_t unread_at_ = std::string::npos;  // begin of the unread spans that end at `at_`
  size_t trailing_ = 0;  // the first replacement with nothing but punctuation after it
  bool has_words_ = false;
};

ProtectedSentence Protection::protect(const std::string& sentence,
                                      const ProtectionChoice& choice) const {
  std::vector<ProtectedSpan> given;
  for (const auto& [begin, end] : choice.copied) {
    const auto text = std::string_view(sentence).substr(begin, end - begin);
    const bool is_number = !carriers_.empty() && is_number_placeholder(text);
    given.push_back({is_number ? SpanKind::kNumber : SpanKind::kCopied, begin, end});
  }
  auto spans = with_copied(find_protected_spans(sentence), given);
  if (reads_tokens_) {  // in tokenized text, "...." is an ellipsis even between spaces
    const auto is_blank = [](const ProtectedSpan& span) { return span.kind == SpanKind::kBlank; };
    spans.erase(std::remove_if(spans.begin(), spans.end(), is_blank), spans.end());
  }
  const bool keeps_marks = choice.list_marks && !reads_tokens_;
  size_t mark = keeps_marks ? marks_length(sentence) : 0;
  size_t footnotes = keeps_marks ? footnotes_begin(sentence) : sentence.size();
  for (const auto& span : spans) {  // neither divides what is copied
    if (span.kind != SpanKind::kCopied) continue;
    if (span.begin < mark && mark < span.end) mark = 0;
    if (span.begin < footnotes && footnotes < span.end) footnotes = span.end;
  }
  const bool is_plain =
      spans.empty() && terms_.empty() && mark == 0 && footnotes == sentence.size();
  ProtectedSentence result{"", "", sentence, sentence, "", "", {}, {}};
  bool gives_form = choice.form && keeps_marks;
  if (!is_plain) {
    SpanReader reader(*this, sentence, mark, footnotes, std::move(spans));
    gives_form = gives_form && !reader.ends_with_term_of_mark();
    result = reader.read();
  }
  if (gives_form) read_as_familiar(result);
  return result;
}

}  // namespace nmt
