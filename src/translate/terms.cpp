#include "translate/terms.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>

#include "errors/error.h"
#include "errors/log.h"
#include "files/line_reader.h"
#include "text/protected_spans.h"
#include "text/sentence_splitter.h"
#include "translate/words.h"
#include "unicode/characters.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

/// Whether a hyphen or slash joins it to letters or digits: what attends to it translates them,
/// too.
bool is_in_compound(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kNear = 8;  // bytes of two characters
  const size_t near = begin - std::min(begin, kNear);
  auto before = to_code_points(text.substr(near, begin - near));
  std::reverse(before.begin(), before.end());
  const auto is_joined = [](const std::u32string& codes) {
    return codes.size() > 1 && is_one_of(codes[0], U"-/\u2010\u2011") && is_alphanumeric(codes[1]);
  };
  return is_joined(before) || is_joined(to_code_points(text.substr(end, kNear)));
}

struct ComposedText {
  std::string text;            // in NFC, with single spaces and straight apostrophes
  std::vector<size_t> places;  // offsets of its bytes, and of its end, in the original text
};

ComposedText composed(const std::string& written) {
  ComposedText result;
  size_t at = 0;
  for (const auto& character : split_characters(written)) {
    const bool is_space = is_whitespace(first_code(character.bytes));
    const bool is_apostrophe = character.bytes == "\u2019" || character.bytes == "\u02BC";
    const auto bytes = is_space ? " " : is_apostrophe ? "'" : to_nfc(character.bytes);
    const size_t end = at + character.bytes.size();
    if (is_space && !result.text.empty() && result.text.back() == ' ') {
      at = end;
      continue;
    }
    for (size_t i = 0; i < bytes.size(); ++i) {
      result.places.push_back(i == 0 || bytes == character.bytes ? at + i : end);
    }
    result.text += bytes;
    at = end;
  }
  result.places.push_back(at);
  return result;
}

}  // namespace

bool is_in_unspaced_word(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kNear = 64;  // bytes
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const size_t near = begin - std::min(begin, kNear);
  const auto before = text.substr(near, begin - near);
  const auto after = text.substr(end, kNear);
  auto rest = to_code_points(before.substr(before.find_last_of(kSpaces) + 1));
  rest += to_code_points(after.substr(0, after.find_first_of(kSpaces)));
  const auto term = to_code_points(text.substr(begin, end - begin));
  return std::any_of(rest.begin(), rest.end(), is_written_without_spaces) &&
         std::none_of(rest.begin(), rest.end(), is_hangul) &&
         std::none_of(term.begin(), term.end(), is_hangul);
}

Terms::Terms(std::vector<TermPair> terms) : terms_(std::move(terms)) {
  auto longest_first = terms_;
  for (auto& term : longest_first) term.first = composed(term.first).text;
  const auto rank = [](const TermPair& term) {  // of equally long ones, those with capitals first
    return std::pair(term.first.size(), to_lower(term.first) != term.first);
  };
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](const TermPair& a, const TermPair& b) { return rank(a) > rank(b); });
  for (const auto& [source, target] : longest_first) {
    const auto lower = to_lower(source);
    by_character_[lower.substr(0, character_length(lower, 0))].push_back(
        {source, target, lower == source});
  }
}

std::vector<FoundTerm> Terms::find(const std::string& written,
                                   const std::vector<ProtectedSpan>& spans, size_t offset,
                                   size_t most) const {
  static const std::vector<SearchedTerm> kNoTerms;
  std::vector<FoundTerm> found;
  if (terms_.empty()) return found;
  const auto [text, places] = composed(written);
  auto lower = to_lower(text);
  if (lower.size() != text.size())
    lower = text;  // rare letters change size; offsets would not match
  for (size_t at = 0; at < text.size() && found.size() < most;) {
    const auto terms = by_character_.find(lower.substr(at, character_length(lower, at)));
    size_t next = at + character_length(text, at);
    for (const auto& term : terms == by_character_.end() ? kNoTerms : terms->second) {
      const size_t size = term.source.size();
      const size_t end = at + size;
      const bool is_same = text.compare(at, size, term.source) == 0 ||
                           (term.any_case && lower.compare(at, size, term.source) == 0);
      if (!is_same || !is_whole_term(text, at, end) || is_in_unspaced_word(text, at, end) ||
          is_in_compound(text, at, end)) {
        continue;
      }
      const FoundTerm own{places[at], places[end], term.target};
      if (own.begin >= own.end) continue;  // within a character that was not composed
      const auto cuts = [&](const ProtectedSpan& span) {
        const size_t span_begin = span.begin - offset;
        const size_t span_end = span.end - offset;
        return own.begin < span_end && span_begin < own.end &&
               (span_begin < own.begin || own.end < span_end);
      };
      if (std::any_of(spans.begin(), spans.end(), cuts)) continue;
      next = end;
      found.push_back(own);
      break;
    }
    at = next;
  }
  return found;
}

std::vector<TermPair> read_terms(const std::string& path) {
  std::vector<TermPair> terms;
  std::map<std::string, std::string> translations;
  size_t repeated = 0;
  std::string example;
  LineReader reader(path);
  reader.require_text();
  for (std::string line; reader.next(line);) {
    require_utf8(line, path, reader.line_number());
    // Spreadsheets put direction marks around right-to-left text.
    const auto row = whole_text(without_invisible_ends(line)).sentences;
    if (row.empty()) continue;
    const auto& columns = row.front();
    const auto tabs = std::count(columns.begin(), columns.end(), '\t');
    if (tabs != 1) {
      throw Error(fmt::format(
          "{}: line {}: has {} {}, not 2; use SOURCE, a tab and TARGET, without comments", path,
          reader.line_number(), tabs + 1, tabs == 0 ? "column" : "columns"));
    }
    const auto tab = columns.find('\t');
    terms.emplace_back(without_invisible_ends(columns.substr(0, tab)),
                       without_invisible_ends(columns.substr(tab + 1)));
    const auto& [source, target] = terms.back();
    const auto& first = translations.emplace(to_nfc(source), target).first->second;
    if (first != target && ++repeated == 1) {
      example = fmt::format("line {}: '{}'", reader.line_number(), source);
    }
  }
  if (repeated > 0) {
    log_warning("{}: {} has another translation in an earlier line, which is used{}", path, example,
                repeated == 1 ? "" : fmt::format(" (lines of this kind: {})", repeated));
  }
  return terms;
}

}  // namespace nmt
