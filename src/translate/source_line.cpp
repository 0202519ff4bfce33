#include "translate/source_line.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/protected_spans.h"
#include "text/sentence_marks.h"
#include "text/special_tokens.h"
#include "translate/constraint_encoder.h"
#include "translate/source_measures.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

bool begins_word(const std::string& piece) { return begins_with(piece, kSpaceMark); }

/// What precedes a token, as a place to split a long sentence; worst first.
enum class Break { kWithinWord, kFarWord, kWord, kComma, kSemicolon, kSentence };

/// Whether the words around the place before token `at` are of different sentences, unlike "Dr.
/// Lee".
bool divides_sentences(const std::vector<int32_t>& tokens, size_t at, const Tokenizer& tokenizer) {
  constexpr size_t kNear = 16;  // tokens of a word
  const auto word_begins = [&](size_t i) { return begins_word(tokenizer.piece(tokens[i])); };
  size_t first = at - 1;
  while (first > 0 && at - first < kNear && !word_begins(first)) --first;
  size_t last = at + 1;
  while (last < tokens.size() && last - at < kNear && !word_begins(last)) ++last;
  const std::vector<int32_t> near(tokens.data() + first, tokens.data() + last);
  return split_text(tokenizer.decode(near)).sentences.size() > 1;
}

Break break_before(const std::vector<int32_t>& tokens, size_t at, const Tokenizer& tokenizer) {
  const char32_t mark = last_code(tokenizer.piece(tokens[at - 1]));
  if (is_wide_sentence_mark(mark)) return Break::kSentence;
  if (is_one_of(mark, U"；：")) return Break::kSemicolon;
  if (is_one_of(mark, U"，、")) return Break::kComma;
  if (!begins_word(tokenizer.piece(tokens[at]))) return Break::kWithinWord;
  if (is_sentence_mark(mark) && divides_sentences(tokens, at, tokenizer)) return Break::kSentence;
  if (is_one_of(mark, U";:؛")) return Break::kSemicolon;
  return is_one_of(mark, U",،") ? Break::kComma : Break::kWord;
}

/// The number of tokens of the next part, which starts at `begin`: a sentence, or, of a longer one,
/// up to the best break near equal lengths of as few parts as possible.
size_t part_length(const std::vector<int32_t>& tokens, size_t begin, size_t max_length,
                   const Tokenizer& tokenizer) {
  const size_t rest = tokens.size() - begin;
  const size_t parts = (rest + max_length - 1) / max_length;
  const size_t equal = (rest + parts - 1) / parts;
  const auto distance = [&](size_t length) {
    return std::max(length, equal) - std::min(length, equal);
  };
  size_t best = equal;
  auto best_break = Break::kWithinWord;
  for (size_t length = 1; length <= std::min(rest - 1, max_length); ++length) {
    auto own = break_before(tokens, begin + length, tokenizer);
    if (own == Break::kSentence) return length;
    const bool needs_more_parts = rest - length > (parts - 1) * max_length;
    if (needs_more_parts) own = std::min(own, Break::kFarWord);
    if (distance(length) > equal / 2) own = std::min(own, Break::kWord);
    if (own < best_break || (own == best_break && distance(length) >= distance(best))) continue;
    best = length;
    best_break = own;
  }
  return rest <= max_length ? rest : best;
}

/// Splits the tokens of a sentence or line into parts of at most max_length.
std::vector<std::vector<int32_t>> split_tokens(const std::vector<int32_t>& tokens,
                                               size_t max_length, const Tokenizer& tokenizer) {
  if (tokens.size() <= max_length) return {tokens};
  std::vector<std::vector<int32_t>> parts;
  for (size_t begin = 0; begin < tokens.size();) {
    const size_t length = part_length(tokens, begin, max_length, tokenizer);
    const auto* first = tokens.data() + begin;
    parts.emplace_back(first, first + length);
    begin += length;
  }
  return parts;
}

/// A sentence encoded for the model.
struct ReadSentence {
  std::vector<int32_t> tokens;
  bool all_caps = false;
};

/// Whether an invisible character between these is part of the spelling: a joiner, as in Persian,
/// Hindi and Mongolian, or a space between words of a script without visible ones, such as Khmer.
bool is_spelled(char32_t before, char32_t invisible, char32_t after) {
  if (invisible == 0x200B) {
    const auto has_spaces = [](char32_t code) {
      return is_letter(code) && !is_written_without_spaces(code);
    };
    return !has_spaces(before) || !has_spaces(after);
  }
  if (!is_one_of(invisible, U"\u200C\u200D\u180E")) return false;
  const auto script = script_of(before);
  return script == Script::kArabic || script == Script::kDevanagari || script == Script::kIndic ||
         script == Script::kSoutheast || (script >= Script::kEthiopic && is_letter(before));
}

/// Removes invisible characters that no word needs, such as direction marks around a name.
std::string without_invisible(const std::string& text) {
  const auto codes = to_code_points(text);
  std::u32string kept;
  for (auto at = codes.begin(); at != codes.end();) {
    const auto end = std::find_if_not(at, codes.end(), is_invisible);
    const char32_t before = kept.empty() ? U' ' : kept.back();
    const char32_t after = end == codes.end() ? U' ' : *end;
    std::copy_if(at, end, std::back_inserter(kept),
                 [&](char32_t code) { return is_spelled(before, code, after); });
    if ((at = end) != codes.end()) kept += *at++;
  }
  return kept.size() == codes.size() ? text : to_utf8(kept);
}

ReadSentence read_sentence(const std::string& written, const TranslationOptions& options,
                           const Tokenizer& tokenizer, const Recaser* recaser) {
  const auto text = without_invisible(written);
  if (recaser == nullptr || !options.recase) return {tokenizer.encode(text)};
  const auto letter_case = letter_case_of(text);
  const auto recased = recaser->ordinary(text, letter_case);
  return {tokenizer.encode(recased ? *recased : text),
          recased && letter_case == LetterCase::kAllCaps};
}

/// The ranges that lie within each sentence of a text of `size` bytes, counted from its beginning;
/// none if the pieces are not the text as it was given.
std::vector<std::vector<Extent>> copied_in_sentences(const TextPieces& pieces, size_t size,
                                                     const std::vector<Extent>& copied) {
  std::vector<std::vector<Extent>> found(pieces.sentences.size());
  size_t begin = pieces.between.front().size();
  for (size_t i = 0; i < found.size(); ++i) {
    const size_t end = begin + pieces.sentences[i].size();
    for (const auto& range : copied) {
      const bool is_within = begin <= range.begin && range.begin < range.end && range.end <= end;
      if (is_within) found[i].push_back({range.begin - begin, range.end - begin});
    }
    begin = end + pieces.between[i + 1].size();
  }
  return begin == size ? found : std::vector<std::vector<Extent>>(found.size());
}

class LineBuilder {
 public:
  LineBuilder(const TranslationOptions& options, bool needs_words, const Tokenizer& tokenizer)
      : options_(options), needs_words_(needs_words), tokenizer_(tokenizer) {}

  void add(const ProtectedSentence& sentence, const ReadSentence& read, const std::string& before) {
    auto gap = before;  // white space before the next addition
    if (!sentence.before.empty()) {
      pass(sentence.before, std::exchange(gap, sentence.gap));
    }
    if (!sentence.for_model.empty()) {
      add_sentence(sentence, read, std::exchange(gap, sentence.last_gap));
    } else if (!sentence.text.empty()) {
      pass(sentence.text, std::exchange(gap, sentence.last_gap));
    }
    if (!sentence.after.empty()) pass(sentence.after, gap);
  }

  /// Adds text verbatim, word by word, so that each word is aligned with itself.
  void pass(const std::string& text, const std::string& before) {
    auto gap = before;
    size_t at = 0;
    for (const auto& word : word_extents(text)) {
      gap += text.substr(at, word.begin - at);
      add_verbatim(text.substr(word.begin, word.size()), std::exchange(gap, ""));
      at = word.end;
    }
  }

  SourceLine finish() {
    if (line_.parts.empty()) line_.parts.emplace_back();
    line_.parts.front().before.clear();
    return std::move(line_);
  }

 private:
  void add_verbatim(const std::string& text, const std::string& before) {
    SourcePart part;
    part.before = before;
    part.verbatim = text;
    part.first_word = line_.words.texts.size();
    if (needs_words_) line_.words.texts.push_back(text);
    line_.parts.push_back(std::move(part));
  }

  void add_sentence(const ProtectedSentence& sentence, const ReadSentence& read,
                    const std::string& before) {
    const auto& tokens = read.tokens;
    const size_t first_word = line_.words.texts.size();
    const size_t first_part = line_.parts.size();
    if (needs_words_) add_words(sentence, tokens);
    const auto limit = options_.split == LineSplit::kNone
                           ? kMaxUnsplitTokens
                           : static_cast<size_t>(std::max<int64_t>(options_.max_source_length, 1));
    auto joined_by = before;
    size_t token = line_.tokens.size();
    for (auto& part_tokens : split_tokens(tokens, limit, tokenizer_)) {
      SourcePart part;
      part.before = std::exchange(joined_by, " ");
      part.first_word = needs_words_ && !part_tokens.empty() ? line_.words.of_token[token] : 0;
      token += part_tokens.size();
      part.tokens = std::move(part_tokens);
      part.all_caps = read.all_caps;
      line_.parts.push_back(std::move(part));
    }
    if (line_.parts.size() == first_part + 1) line_.parts.back().text = sentence.text;
    line_.tokens.insert(line_.tokens.end(), tokens.begin(), tokens.end());
    for (auto replacement : sentence.replacements) {
      replacement.first_word += first_word;
      replacement.last_word += first_word;
      replacement.next_word += first_word;
      part_of(replacement.first_word, first_part).replacements.push_back(std::move(replacement));
    }
  }

  /// The part, from index `first`, in which the word begins.
  SourcePart& part_of(size_t word, size_t first) {
    const auto follows = [&](const SourcePart& part) { return part.first_word > word; };
    const auto begin = line_.parts.begin() + static_cast<std::ptrdiff_t>(first) + 1;
    return *(std::find_if(begin, line_.parts.end(), follows) - 1);
  }

  void add_words(const ProtectedSentence& sentence, const std::vector<int32_t>& tokens) {
    auto words = words_of_text(sentence.for_model, tokens, tokenizer_);
    auto written = written_words(sentence.text);
    if (words.texts.size() + sentence.unread.size() == written.size()) {
      // The model reads all written words except those in `unread`.
      std::vector<size_t> read;
      for (size_t word = 0; word < written.size(); ++word) {
        const auto& unread = sentence.unread;
        if (std::find(unread.begin(), unread.end(), word) == unread.end()) read.push_back(word);
      }
      for (size_t& word : words.of_token) word = read[word];
      words.texts = std::move(written);
    }
    for (const size_t word : words.of_token) {
      line_.words.of_token.push_back(line_.words.texts.size() + word);
    }
    words.is_mark.resize(words.of_token.size());
    line_.words.is_mark.insert(line_.words.is_mark.end(), words.is_mark.begin(),
                               words.is_mark.end());
    std::move(words.texts.begin(), words.texts.end(), std::back_inserter(line_.words.texts));
  }

  const TranslationOptions& options_;
  const bool needs_words_;
  const Tokenizer& tokenizer_;
  SourceLine line_;
};

}  // namespace

TextPieces line_pieces(std::string_view text, LineSplit split, const SentenceHints& hints) {
  auto valid = replace_invalid_utf8(text);
  replace_all(valid, "\u00AD", "");  // soft hyphens, where a word may be divided
  return split == LineSplit::kSentences ? split_text(valid, hints) : whole_text(valid);
}

SourceLine make_source_line(const std::string& text, const TranslationOptions& options,
                            const SentenceHints& hints, const Protection& protection,
                            const Tokenizer& tokenizer, const PassThrough& pass_through,
                            const Recaser* recaser, ProtectionChoice choice) {
  const auto pieces = line_pieces(text, options.split, hints);
  const auto copied_of = copied_in_sentences(pieces, text.size(), choice.copied);
  std::vector<ProtectedSentence> sentences;
  sentences.reserve(pieces.sentences.size());
  for (size_t i = 0; i < pieces.sentences.size(); ++i) {
    choice.copied = copied_of[i];
    sentences.push_back(protection.protect(pieces.sentences[i], choice));
  }
  const bool replaces = std::any_of(sentences.begin(), sentences.end(), [](const auto& sentence) {
    return !sentence.replacements.empty();
  });
  std::vector<ReadSentence> read;
  read.reserve(sentences.size());
  for (const auto& sentence : sentences) {
    read.push_back(read_sentence(sentence.for_model, options, tokenizer, recaser));
  }
  const bool copies =
      options.copy_unknown && std::any_of(read.begin(), read.end(), [&](const auto& sentence) {
        return has_unknown_piece(sentence.tokens, tokenizer);
      });
  LineBuilder line(options, options.words || copies || replaces, tokenizer);
  for (size_t i = 0; i < sentences.size(); ++i) {
    const bool has_term = has_kind(sentences[i].replacements, Replacement::Kind::kTerm);
    if (pass_through && pass_through(pieces.sentences[i], has_term)) {
      line.pass(pieces.sentences[i], pieces.between[i]);
    } else {
      line.add(sentences[i], read[i], pieces.between[i]);
    }
  }
  auto finished = line.finish();
  const auto with_tab = [](const std::string& space) {
    return space.find('\t') == std::string::npos ? "" : space;
  };
  if (!pieces.sentences.empty()) {
    finished.before = with_tab(pieces.between.front());
    finished.after = with_tab(pieces.between.back());
  }
  return finished;
}

void set_names(const std::vector<UnknownName>& names, SourceLine& line) {
  const auto stands_before = [](const UnknownName& name, size_t word) { return name.word < word; };
  for (size_t i = 0; i < line.parts.size(); ++i) {
    auto& part = line.parts[i];
    const bool last = i + 1 == line.parts.size();
    const size_t next = last ? line.words.texts.size() : line.parts[i + 1].first_word;
    const size_t end = std::max(next, part.first_word + 1);  // a part may end within its only word
    const auto first = std::lower_bound(names.begin(), names.end(), part.first_word, stands_before);
    part.names.assign(first, std::lower_bound(first, names.end(), end, stands_before));
  }
}

std::string gap_before_verbatim(const std::string& translation, const SourceLine& line,
                                size_t part) {
  const auto& own = line.parts[part];
  const bool follows_translation = part > 0 && line.parts[part - 1].verbatim.empty();
  const char32_t first = first_code(own.verbatim);
  const bool is_word = is_letter(first) || (is_number(first) && !is_one_of(first, kNoteMarks));
  return follows_translation && is_word ? joint(translation, own.before) : own.before;
}

}  // namespace nmt
