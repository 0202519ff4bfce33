#include "translate/unknown_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "text/protected_spans.h"
#include "text/sentence_marks.h"
#include "translate/words.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

/// Letters, their marks and digits: not white space, punctuation or a symbol.
bool is_within_name(char32_t code) {
  return !is_whitespace(code) && !is_punctuation(code) && !is_symbol(code);
}

/// The same, or a mark that begins or ends some names (#BTS, C++), or a copied unknown piece.
bool is_of_name(char32_t code) {
  return is_within_name(code) || is_one_of(code, U"@#+") || code == kUnknownMark;
}

/// A number's sign other than a decimal digit, as in Ethiopic. Numbers in digits are restored
/// (translate/protection.h).
bool is_sign_of_number(char32_t code) { return is_number(code) && digit_value(code) < 0; }

/// The numeral in such signs that is the whole word but for punctuation.
UnknownName unknown_numeral(size_t index, const std::u32string& codes) {
  const auto begin = std::find_if(codes.begin(), codes.end(), is_number);
  const auto end = std::find_if_not(begin, codes.end(), is_number);
  const bool is_whole = std::none_of(codes.begin(), begin, is_within_name) &&
                        std::none_of(end, codes.end(), is_within_name);
  return is_whole ? UnknownName{index, to_utf8(std::u32string(begin, end))} : UnknownName();
}

/// The name in a word; its text is empty if there is none.
UnknownName unknown_name(size_t index, const std::string& word, const Tokenizer& tokenizer,
                         const VocabularyScripts& scripts) {
  const auto codes = to_code_points(to_nfc(word));
  const auto unknown = std::find_if(codes.begin(), codes.end(), [&](char32_t code) {
    return is_letter(code) && is_unknown_character(code, tokenizer);
  });
  if (unknown == codes.end()) {
    const bool is_numeral = std::any_of(codes.begin(), codes.end(), [&](char32_t code) {
      return is_sign_of_number(code) && is_unknown_character(code, tokenizer);
    });
    return is_numeral ? unknown_numeral(index, codes) : UnknownName();
  }
  const auto script = script_of(*unknown);
  const bool is_foreign = !scripts.source.has(script);
  const auto is_japanese = [&](Script one) {
    return (one == Script::kHan || one == Script::kKana) && !scripts.source.has(one);
  };
  const auto belongs = [&](char32_t code) {
    if (!is_within_name(code)) return false;
    const auto own = script_of(code);
    return !is_letter(code) || own == script || (is_japanese(own) && is_japanese(script));
  };
  const auto joins = [&](auto mark) {         // as in 3.5kg, Jean-Luc, Node.js
    constexpr std::ptrdiff_t kFarthest = 64;  // each part of a long line may copy the name
    if (std::abs(mark - unknown) > kFarthest || mark == codes.begin() || mark + 1 == codes.end()) {
      return false;
    }
    const char32_t left = *(mark - 1);
    const char32_t right = *(mark + 1);
    const bool after_digit = is_ascii_digit(left);
    if (after_digit && is_ascii_digit(right)) return is_one_of(*mark, U".,:/-'’");
    // In the model's own script, an ending may follow the mark: "Łukasz'a".
    if (!is_foreign && mark > unknown && !is_upper_case(right) && !is_ascii_digit(right)) {
      return false;
    }
    if (is_foreign && is_one_of(*mark, U"、，・")) return belongs(left) && belongs(right);
    return is_one_of(*mark, U"-'’.&/_·@+") && belongs(left) && belongs(right) &&
           (*mark != U'.' || after_digit == is_ascii_digit(right));
  };
  auto begin = unknown;
  while (begin != codes.begin() && (belongs(*(begin - 1)) || joins(begin - 1))) --begin;
  auto end = unknown;
  while (end != codes.end() && (belongs(*end) || joins(end))) ++end;
  while (!is_foreign && !is_upper_case(*begin)) {  // an article: "l'Łukasz"
    const auto mark = std::find_if_not(begin, unknown, belongs);
    if (mark == unknown) break;
    begin = mark + 1;
  }
  const bool is_written_so = scripts.target.has(script) && is_upper_case(*begin);
  if (!is_foreign && !is_written_so) return {};
  const auto is_unspaced = [&](char32_t code) {
    return is_written_without_spaces(code) && scripts.source.has(script_of(code));
  };
  if (std::any_of(codes.begin(), begin, is_unspaced) || std::any_of(end, codes.end(), is_unspaced))
    return {};
  const auto before = begin == codes.begin() ? begin : begin - 1;
  const bool may_have_sigil = before == codes.begin() || !is_within_name(*(before - 1));
  if (before != begin && may_have_sigil && is_one_of(*before, U"@#")) begin = before;
  for (int i = 0; i < 2 && end != codes.end() && is_one_of(*end, U"+#"); ++i) ++end;  // C++
  return {index, to_utf8({&*begin, static_cast<size_t>(end - begin)}), is_foreign};
}

bool contains(const std::string& word, const std::string& name) {
  return word.find(name) != std::string::npos;
}

std::ptrdiff_t count_name(const std::vector<std::string>& words, const std::string& name) {
  return std::count_if(words.begin(), words.end(),
                       [&](const std::string& word) { return contains(word, name); });
}

template <typename T>
auto at(std::vector<T>& list, size_t index) {
  return list.begin() + static_cast<std::ptrdiff_t>(index);
}

/// The end in bytes of the word's last URL, address, emoji or blank, which is copied from the
/// source and may be attached to the name; 0 if it has none.
size_t taken_over_end(const std::string& word) {
  const auto spans = find_protected_spans(word);
  const auto last = std::find_if(spans.rbegin(), spans.rend(),
                                 [](const auto& span) { return span.kind != SpanKind::kNumber; });
  return last == spans.rend() ? 0 : last->end;
}

/// The number that the name begins with, such as 3.5 of 3.5kg; empty if there is none.
std::string leading_number(const std::string& name) {
  const auto spans = find_protected_spans(name);
  const bool leads = !spans.empty() && spans[0].begin == 0 && spans[0].kind == SpanKind::kNumber;
  return leads ? name.substr(0, spans[0].end) : "";
}

/// Whether the model gives its word a probability of at least 0.5.
bool is_sure(const TargetWords& target, size_t word) {
  return target.log_probabilities[word] >= std::log(0.5);
}

/// Replaces what the model wrote for the name: the run of words around `best` that attend most to
/// the source word and that the model is not sure of.
void replace_with_name(const std::string& name, size_t source, size_t best, TargetWords& target) {
  const auto belongs = [&](size_t word) {
    return strongest(target.attention[word]) == source && !is_sure(target, word);
  };
  size_t begin = best;
  while (begin > 0 && belongs(begin - 1)) --begin;
  size_t end = best + 1;
  while (end < target.texts.size() && belongs(end)) ++end;
  // Keeps the punctuation of the last word.
  auto text = with_name(target.texts[end - 1], name);
  for (size_t word = end; word-- > begin + 1;) erase_word(target, word);
  target.texts[begin] = std::move(text);
}

/// Inserts after the translation of the nearest earlier source word that has one, or at the
/// beginning.
void insert_name(const std::string& name, size_t source, TargetWords& target) {
  size_t place = 0;
  for (size_t earlier = source; earlier-- > 0 && place == 0;) {
    for (size_t word = 0; word < target.texts.size(); ++word) {
      if (strongest(target.attention[word]) == earlier) place = word + 1;
    }
  }
  std::vector<float> row(target.attention.front().size(), 0.0F);
  row[source] = 1.0F;
  auto text = name;
  if (place > 0) {
    // Punctuation moves to the new word; of a URL or emoji, only the sentence's own marks.
    auto& previous = target.texts[place - 1];
    const size_t kept = taken_over_end(previous);
    const auto stays = [&](char32_t code) {
      return kept > 0 ? !is_sentence_mark(code) : is_of_name(code);
    };
    const auto rest = to_code_points(std::string_view(previous).substr(kept));
    const auto core = std::find_if(rest.rbegin(), rest.rend(), stays).base();
    if (kept > 0 || core != rest.begin()) {
      const auto length = static_cast<size_t>(core - rest.begin());
      text += to_utf8(std::u32string_view(rest).substr(length));
      previous.resize(kept);
      previous += to_utf8(std::u32string_view(rest).substr(0, length));
    }
  }
  target.texts.insert(at(target.texts, place), std::move(text));
  target.log_probabilities.insert(at(target.log_probabilities, place), 0.0);
  target.attention.insert(at(target.attention, place), std::move(row));
}

}  // namespace

std::string with_name(const std::string& word, const std::string& name) {
  return with_core(word, name, is_of_name);
}

std::string without_outer_marks(const std::string& word) {
  const auto codes = to_code_points(word);
  const auto first = std::find_if(codes.begin(), codes.end(), is_of_name);
  if (first == codes.end()) return word;
  const auto last = std::find_if(codes.rbegin(), codes.rend(), is_of_name).base();
  return to_utf8(std::u32string(first, last));
}

void erase_word(TargetWords& target, size_t word) {
  target.log_probabilities[word - 1] += target.log_probabilities[word];
  target.texts.erase(at(target.texts, word));
  target.log_probabilities.erase(at(target.log_probabilities, word));
  target.attention.erase(at(target.attention, word));
}

std::vector<UnknownName> find_unknown_names(const std::vector<int32_t>& tokens, const Words& words,
                                            const Tokenizer& tokenizer,
                                            const VocabularyScripts& scripts) {
  std::vector<UnknownName> names;
  std::optional<size_t> examined;  // avoids examining a word once per unknown piece
  for (size_t t = 0; t < tokens.size(); ++t) {
    const size_t word = words.of_token[t];
    if (word == examined || !is_unknown_piece(tokens[t], tokenizer)) continue;
    examined = word;
    auto name = unknown_name(word, words.texts[word], tokenizer, scripts);
    if (!name.text.empty()) names.push_back(std::move(name));
  }
  return names;
}

bool copy_names(const std::vector<UnknownName>& names, TargetWords& target) {
  bool changed = false;
  if (target.attention.empty()) return false;
  const size_t num_sources = target.attention.front().size();
  std::map<std::string, std::ptrdiff_t> mentions;  // in the source so far
  for (const auto& [line_word, name, foreign] : names) {
    if (line_word < target.first_source || line_word >= target.first_source + num_sources) continue;
    const size_t source = line_word - target.first_source;
    const auto wanted = ++mentions[name];
    if (count_name(target.texts, name) >= wanted) continue;
    const auto number = leading_number(name);
    size_t best = target.texts.size();
    float most = 0.0F;
    for (size_t word = 0; word < target.texts.size(); ++word) {
      const auto& text = target.texts[word];
      const auto& row = target.attention[word];
      const bool is_number = !number.empty() && with_core(text, number, is_within_name) == text;
      if (!is_number && (strongest(row) != source || taken_over_end(text) > 0)) continue;
      if (wanted > 1 && contains(text, name)) continue;
      // The restored number comes first: it must not remain next to the name.
      const float attention = row[source] + (is_number ? 1.0F : 0.0F);
      if (best == target.texts.size() || attention > most + kAttentionTolerance) {
        best = word;
        most = attention;
      }
    }
    if (!foreign && best < target.texts.size() && is_sure(target, best)) continue;
    if (best < target.texts.size()) {
      replace_with_name(name, source, best, target);
    } else if (wanted == 1) {
      insert_name(name, source, target);
    } else {
      continue;  // the model mentions it less often
    }
    changed = true;
  }
  return changed;
}

}  // namespace nmt
