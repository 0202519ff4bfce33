#include "text/placeholders.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "files/line_reader.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr SpanKind kKinds[] = {SpanKind::kUrl, SpanKind::kEmail, SpanKind::kEmoji};
constexpr int64_t kMinPairs = 100;
constexpr int64_t kMaxCountedLines = 2000000;

struct FoundSpan {
  ProtectedSpan span;
  std::string text;
};

std::vector<FoundSpan> spans_of(const std::string& text, const std::vector<SpanKind>& kinds) {
  std::vector<FoundSpan> found;
  for (const auto& span : find_protected_spans(text)) {
    if (std::find(kinds.begin(), kinds.end(), span.kind) == kinds.end()) continue;
    found.push_back({span, text.substr(span.begin, span.end - span.begin)});
  }
  return found;
}

std::string replaced(const std::string& text, const std::vector<FoundSpan>& spans) {
  std::string result;
  size_t at = 0;
  for (const auto& [span, own] : spans) {
    result += text.substr(at, span.begin - at);
    result += placeholder_of(span.kind);
    at = span.end;
  }
  return result + text.substr(at);
}

/// The spans whose text also occurs in `others`; each of `others` matches once.
std::vector<FoundSpan> shared(const std::vector<FoundSpan>& spans, std::vector<FoundSpan> others) {
  std::vector<FoundSpan> found;
  for (const auto& span : spans) {
    const auto same = std::find_if(others.begin(), others.end(),
                                   [&](const auto& other) { return other.text == span.text; });
    if (same == others.end()) continue;
    others.erase(same);
    found.push_back(span);
  }
  return found;
}

}  // namespace

std::string_view placeholder_of(SpanKind kind) {
  constexpr std::string_view kPlaceholders[] = {"\uE001", "\uE002", "\uE003", "", "", "", ""};
  return kPlaceholders[static_cast<size_t>(kind)];
}

std::string with_placeholders(const std::string& text, const std::vector<SpanKind>& kinds) {
  return kinds.empty() ? text : replaced(text, spans_of(text, kinds));
}

SentencePair with_placeholders(const SentencePair& pair, const std::vector<SpanKind>& kinds) {
  const auto sources = kinds.empty() ? std::vector<FoundSpan>() : spans_of(pair.source, kinds);
  if (sources.empty()) return pair;
  const auto targets = spans_of(pair.target, kinds);
  return {replaced(pair.source, shared(sources, targets)),
          replaced(pair.target, shared(targets, sources))};
}

std::string without_placeholders(std::string translation, const std::string& source,
                                 const std::vector<SpanKind>& kinds) {
  if (kinds.empty()) return translation;
  for (const auto& [span, own] : spans_of(source, kinds)) {
    const auto placeholder = placeholder_of(span.kind);
    const auto at = translation.find(placeholder);
    if (at != std::string::npos) translation.replace(at, placeholder.size(), own);
  }
  return translation;
}

std::vector<SpanKind> placeholders_of(const Tokenizers& tokenizers) {
  std::vector<SpanKind> kinds;
  for (const SpanKind kind : kKinds) {
    const auto has = [&](const Tokenizer& tokenizer) {
      const auto tokens = tokenizer.encode(placeholder_of(kind));
      return !tokens.empty() && tokenizer.piece(tokens.back()) == placeholder_of(kind);
    };
    if (has(tokenizers.source) && has(tokenizers.target)) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<SpanKind> find_placeholders(const std::vector<std::string>& sources,
                                        const std::vector<std::string>& targets,
                                        const HeldOutSentences& held_out) {
  const std::vector<SpanKind> all(std::begin(kKinds), std::end(kKinds));
  std::array<int64_t, std::size(kKinds)> pairs = {};
  int64_t lines = 0;
  for (size_t i = 0; i < std::min(sources.size(), targets.size()); ++i) {
    LineReader source_reader(sources[i]);
    LineReader target_reader(targets[i]);
    source_reader.require_text();
    target_reader.require_text();
    std::string source;
    std::string target;
    for (; lines < kMaxCountedLines && source_reader.next(source) && target_reader.next(target);
         ++lines) {
      require_utf8(source, sources[i], source_reader.line_number());
      require_utf8(target, targets[i], target_reader.line_number());
      const auto spans = spans_of(source, all);
      if (spans.empty() || held_out.contains(source) || held_out.contains(target)) continue;
      std::set<SpanKind> shared_kinds;
      for (const auto& found : shared(spans, spans_of(target, all))) {
        shared_kinds.insert(found.span.kind);
      }
      for (const SpanKind kind : shared_kinds) ++pairs[static_cast<size_t>(kind)];
    }
  }
  std::vector<SpanKind> kinds;
  for (const SpanKind kind : kKinds) {
    if (pairs[static_cast<size_t>(kind)] >= kMinPairs) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace nmt
