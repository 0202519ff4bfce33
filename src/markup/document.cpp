#include "markup/document.h"

#include <algorithm>
#include <deque>
#include <set>

#include "markup/aligned_words.h"
#include "markup/gettext_parser.h"
#include "markup/html_parser.h"
#include "markup/line_breaks.h"
#include "markup/markdown_parser.h"
#include "markup/nested_content.h"
#include "markup/segment_builder.h"
#include "markup/segment_renderer.h"
#include "markup/subtitle_parser.h"
#include "markup/table_parser.h"
#include "markup/tag_scanner.h"
#include "markup/wrapped_text.h"
#include "markup/xliff_parser.h"
#include "markup/xml_parser.h"
#include "text/protected_spans.h"
#include "translate/languages.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

ParsedDocument one_segment(std::string_view text) {
  ParsedDocument parsed;
  parsed.segments.emplace_back().text = text;
  parsed.between.resize(2);
  return parsed;
}

/// For each sentence, whether it has nothing to translate, for example because it is all code.
std::vector<bool> kept_sentences(const Segment& segment, const TextPieces& pieces) {
  if (segment.syntax == MarkupSyntax::kText) {
    return std::vector<bool>(pieces.sentences.size(), false);
  }
  std::vector<bool> kept;
  const auto text = text_to_translate(segment);
  size_t at = pieces.between.front().size();
  for (size_t i = 0; i < pieces.sentences.size(); ++i) {
    const size_t size = pieces.sentences[i].size();
    kept.push_back(!has_letters(std::string_view(text).substr(at, size)));
    at += size + pieces.between[i + 1].size();
  }
  return kept;
}

/// The bytes of a sentence, which begins at `begin` in the segment's text, that belong to elements
/// kept as written, without the spaces around them.
CopiedParts verbatim_parts(const Segment& segment, size_t begin, const std::string& sentence) {
  CopiedParts parts;
  const auto& elements = segment.elements;
  auto next = std::partition_point(elements.begin(), elements.end(),
                                   [&](const auto& element) { return element.begin < begin; });
  for (; next != elements.end() && next->begin < begin + sentence.size(); ++next) {
    const auto& element = *next;
    if (element.placement != Placement::kVerbatim) continue;
    size_t first = element.begin - begin;
    size_t last = std::min(element.end - begin, sentence.size());
    while (first < last && is_between_words(sentence[first])) ++first;
    while (first < last && is_between_words(sentence[last - 1])) --last;
    if (first < last) parts.emplace_back(first, last);
  }
  return parts;
}

/// The word without its addresses, numbers and emoji.
std::string without_spans(std::string word) {
  const auto spans = find_protected_spans(word);
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    word.erase(span->begin, span->end - span->begin);
  }
  return word;
}

/// Sets the language attributes of the start tag at `at`.
void set_language(std::string& markup, size_t at, bool is_html,
                  const std::vector<std::string>& sources, const std::string& target) {
  const auto is_source = [&](const std::string& code) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const auto& source) { return same_language(source, code); });
  };
  for (const char* name : {"xml:lang", "lang"}) {
    const auto code = find_attribute(std::string_view(markup).substr(at), name);
    const bool is_language = code && (is_html || std::string_view(name) == "xml:lang");
    if (!is_language || !is_source(markup.substr(at + code->begin, code->size()))) continue;
    markup.replace(at + code->begin, code->size(), target);
  }
}

/// Writes the language code `target`, unless it is "", into the root element's xml:lang and into
/// lang of <html> and its <body>, if these name one of the codes `sources`. `between`: what
/// precedes each text of a document.
void set_root_language(std::vector<std::string>& between, const std::vector<std::string>& sources,
                       const std::string& target) {
  const size_t root = find_start_tag(between.front(), "");
  if (target.empty() || root == std::string::npos) return;
  const bool is_html = find_start_tag(between.front(), "<html") == root;
  set_language(between.front(), root, is_html, sources, target);
  if (!is_html) return;
  // Word and LibreOffice write it there.
  for (auto& markup : between) {
    const size_t body = find_start_tag(markup, "<body");
    if (body != std::string::npos) return set_language(markup, body, true, sources, target);
  }
}

/// For XML that declares ASCII, a subset of UTF-8: its translation may not be ASCII.
void declare_utf8(std::string& beginning) {
  if (!begins_with(beginning, "<?xml ")) return;
  constexpr std::string_view kAscii = "us-ascii";
  const size_t at = to_ascii_lower(beginning.substr(0, beginning.find("?>"))).find(kAscii);
  if (at != std::string::npos) beginning.replace(at, kAscii.size(), "UTF-8");
}

/// For a page whose <meta charset> or <meta http-equiv> declares another encoding: its bytes and
/// those of its translation are UTF-8.
void declare_utf8_in_meta(std::string& markup) {
  constexpr std::string_view kCharset = "charset";
  constexpr const char* kAttributeSpaces = " \t\r\n\f";
  constexpr const char* kName = "abcdefghijklmnopqrstuvwxyz0123456789-_.:";
  size_t end = 0;  // of the last tag
  for (size_t at = 0; (at = find_start_tag(markup, "<meta", end)) != markup.npos;) {
    end = markup.find('>', at);
    if (end == markup.npos) return;
    const auto tag = to_ascii_lower(markup.substr(at, end - at)) + ">";
    const size_t charset = tag.find(kCharset);
    if (charset == tag.npos) continue;
    const bool in_value = std::count(tag.begin(), tag.begin() + charset, '"') % 2 == 1 ||
                          std::count(tag.begin(), tag.begin() + charset, '\'') % 2 == 1;
    const size_t equals = tag.find_first_not_of(kAttributeSpaces, charset + kCharset.size());
    if (tag[equals] != '=' || (in_value && tag.find("http-equiv") == tag.npos)) continue;
    size_t begin = tag.find_first_not_of(kAttributeSpaces, equals + 1);
    if (tag[begin] == '"' || tag[begin] == '\'') ++begin;
    const size_t size = tag.find_first_not_of(kName, begin) - begin;
    const auto name = tag.substr(begin, size);
    if (!name.empty() && name != "utf-8" && name != "utf8") {
      markup.replace(at + begin, size, "UTF-8");
      end = markup.find('>', at + begin);
    }
  }
}

ParsedDocument parse_unmarked(std::string_view text, DocumentFormat format,
                              const std::string& target_language) {
  const auto parsed = [&](MarkupSyntax syntax, void (*parse)(std::string_view, SegmentBuilder&)) {
    SegmentBuilder builder(text, syntax);
    parse(text, builder);
    return builder.finish();
  };
  switch (format) {
    case DocumentFormat::kHtml:
      return parsed(MarkupSyntax::kHtml, parse_html);
    case DocumentFormat::kHtmlLines:
      return parsed(MarkupSyntax::kHtml, parse_html_lines);
    case DocumentFormat::kXml:
      return parsed(MarkupSyntax::kXml, parse_xml);
    case DocumentFormat::kMarkdown:
      return parsed(MarkupSyntax::kMarkdown, parse_markdown);
    case DocumentFormat::kSubtitles:
      return parsed(MarkupSyntax::kSubtitles, parse_subtitles);
    case DocumentFormat::kWrapped:
      return parsed(MarkupSyntax::kSubtitles, parse_wrapped_text);
    case DocumentFormat::kTable:
      return parsed(MarkupSyntax::kCell, parse_table);
    case DocumentFormat::kGettext:
      return parse_gettext(text, target_language);
    case DocumentFormat::kXliff:
      return parse_xliff(text, target_language);
    case DocumentFormat::kText:
      break;  // its lines are no document
  }
  return SegmentBuilder(text, MarkupSyntax::kText).finish();
}

/// How to convert a document that is not UTF-8.
std::string conversion_of(std::string_view text, DocumentFormat format) {
  if (format == DocumentFormat::kGettext) return " with msgconv --to-code=UTF-8";
  return ", for example with " + std::string(is_wide_text(text) ? kWideConversion : kConversion);
}

ParsedDocument parse_markup(std::string_view text, DocumentFormat format,
                            const Splitter& splitter) {
  if (const auto invalid = find_invalid_utf8(text)) {
    throw MarkupError(std::string(choice_name(format)) + ": byte " + std::to_string(*invalid + 1) +
                      " is not valid UTF-8; convert the document" + conversion_of(text, format));
  }
  const size_t mark = begins_with(text, kByteOrderMark) ? kByteOrderMark.size() : 0;
  auto parsed = parse_unmarked(text.substr(mark), format, splitter.target_language);
  if (!parsed.segments.empty()) {
    const bool is_html = format == DocumentFormat::kHtml;
    const bool is_xml = format == DocumentFormat::kXml;
    if (is_html || is_xml) {
      set_root_language(parsed.between, splitter.source_languages, splitter.target_language);
    }
    if (is_xml || format == DocumentFormat::kXliff) declare_utf8(parsed.between.front());
    if (is_html) {
      for (auto& markup : parsed.between) declare_utf8_in_meta(markup);
    }
  }
  parsed.between.front().insert(0, text.substr(0, mark));
  return parsed;
}

}  // namespace

template <>
std::optional<DocumentFormat> parse_choice(const std::string& name) {
  const auto names = choice_names<DocumentFormat>();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<DocumentFormat>(found - names.begin());
  const auto format = format_of_file("file." + name);
  return format == DocumentFormat::kText ? std::nullopt : std::optional(format);
}

Translation own_translation(const std::string& sentence) {
  Translation translation;
  translation.text = sentence;
  translation.passed_through = true;
  translation.source_words = written_words(sentence);
  auto& candidate = translation.candidates.emplace_back();
  candidate.text = sentence;
  candidate.words = translation.source_words;
  const auto words = static_cast<int64_t>(candidate.words.size());
  for (int64_t word = 0; word < words; ++word) candidate.alignment.push_back({word, word});
  candidate.word_log_probabilities.resize(candidate.words.size() + 1);
  return translation;
}

bool has_no_text(const std::string& sentence, const Translation& translation, size_t rank) {
  const auto& candidate = candidate_of(translation, rank);
  if (candidate.untranslated) return true;
  auto text = std::string_view(candidate.text);
  auto source = std::string_view(sentence);
  const auto mark = source.substr(0, list_mark_length(source));
  if (begins_with(text, mark)) {
    text.remove_prefix(mark.size());
    source.remove_prefix(mark.size());
  }
  const auto words = split_whitespace(text);
  if (words.empty()) return true;
  const auto source_words = split_whitespace(source);
  const std::set<std::string> in_source(source_words.begin(), source_words.end());
  const auto says_nothing = [&](const std::string& word) {
    return in_source.count(word) > 0 && !has_letters(without_spans(word));
  };
  const std::set<std::string> in_text(words.begin(), words.end());
  const auto is_lost = [&](const std::string& word) {
    return has_letters(word) && in_text.count(word) == 0;
  };
  return std::all_of(words.begin(), words.end(), says_nothing) &&
         std::any_of(source_words.begin(), source_words.end(), is_lost);
}

DocumentFormat format_of_file(const std::filesystem::path& file) {
  constexpr std::pair<std::string_view, DocumentFormat> kFormats[] = {
      {" .html .htm ", DocumentFormat::kHtml},
      {" .xhtml .xht .xml ", DocumentFormat::kXml},
      {" .md .markdown ", DocumentFormat::kMarkdown},
      {" .srt ", DocumentFormat::kSubtitles},
      {" .po .pot ", DocumentFormat::kGettext},
      {" .tsv ", DocumentFormat::kTable},
      {" .xlf .xliff .sdlxliff .mqxliff .mxliff ", DocumentFormat::kXliff}};
  const auto wanted = " " + to_lower(file.extension().string()) + " ";
  for (const auto& [extensions, format] : kFormats) {
    if (extensions.find(wanted) != extensions.npos) return format;
  }
  return DocumentFormat::kText;
}

Document::Document(std::string_view text, DocumentFormat format, const Splitter& split)
    : Document(
          format == DocumentFormat::kText ? one_segment(text) : parse_markup(text, format, split),
          split) {}

Document::Document(ParsedDocument parsed, const Splitter& split) : parsed_(std::move(parsed)) {
  for (const auto& segment : parsed_.segments) {
    auto& pieces = pieces_.emplace_back(split.split(segment.text));
    if (segment.syntax != MarkupSyntax::kText) {
      // Tabs that do not end sentences count as spaces.
      for (auto& one : pieces.sentences) std::replace(one.begin(), one.end(), '\t', ' ');
    }
    const auto& kept = kept_.emplace_back(kept_sentences(segment, pieces));
    size_t at = 0;
    for (size_t k = 0; k < kept.size(); ++k) {
      at += pieces.between[k].size();
      const auto& sentence = pieces.sentences[k];
      if (!kept[k]) {
        sentences_.push_back(sentence);
        copied_.push_back(verbatim_parts(segment, at, sentence));
      }
      at += sentence.size();
    }
  }
  for (auto& content : parsed_.contents) {
    const auto& own = contents_.emplace_back(std::move(content), split);
    sentences_.insert(sentences_.end(), own.sentences_.begin(), own.sentences_.end());
    copied_.insert(copied_.end(), own.copied_.begin(), own.copied_.end());
  }
}

std::vector<std::string> Document::between() const {
  const bool plain =
      parsed_.segments.size() == 1 && parsed_.segments.front().syntax == MarkupSyntax::kText;
  return plain ? pieces_.front().between : std::vector<std::string>();
}

std::vector<TranslationConstraints> Document::constraints(
    const TranslationConstraints& guide) const {
  std::vector<TranslationConstraints> all(copied_.size(), guide);
  for (size_t i = 0; i < all.size(); ++i) all[i].copied = copied_[i];
  return all;
}

bool Document::needs_words() const {
  const auto segment_needs_them = [](const Segment& segment) {
    return !segment.elements.empty() || has_breaks(segment);
  };
  return std::any_of(parsed_.segments.begin(), parsed_.segments.end(), segment_needs_them) ||
         std::any_of(contents_.begin(), contents_.end(),
                     [](const Document& content) { return content.needs_words(); });
}

std::string Document::render(const std::vector<Translation>& translations, size_t rank) const {
  return render(translations.data(), rank);
}

std::string Document::render(const Translation* translations, size_t rank) const {
  const auto* next = translations + sentences_.size();
  std::vector<std::string> contents(contents_.size());
  for (size_t i = contents.size(); i-- > 0;) {
    next -= contents_[i].sentences().size();
    contents[i] = contents_[i].render(next, rank);
  }
  return with_contents(render_own(translations, rank), contents);
}

std::string Document::render_own(const Translation* next, size_t rank) const {
  std::string text = parsed_.between.front();
  size_t message_begin = 0;
  bool is_translated = true;
  for (size_t i = 0; i < parsed_.segments.size(); ++i) {
    const auto& segment = parsed_.segments[i];
    if (segment.bytes_before > 0) {
      message_begin = text.size() - segment.bytes_before;
      is_translated = true;
    }
    const auto& pieces = pieces_[i];
    std::deque<Translation> kept;
    std::vector<const Translation*> translations;
    for (size_t k = 0; k < pieces.sentences.size(); ++k) {
      const auto* translation = kept_[i][k] ? nullptr : next++;
      const bool keeps =
          translation == nullptr || (segment.syntax != MarkupSyntax::kText &&
                                     has_no_text(pieces.sentences[k], *translation, rank));
      is_translated = is_translated && (translation == nullptr || !keeps);
      if (keeps) translation = &kept.emplace_back(own_translation(pieces.sentences[k]));
      translations.push_back(translation);
    }
    if (segment.syntax == MarkupSyntax::kText) {
      std::vector<std::string> texts;
      for (const auto* translation : translations) {
        texts.push_back(candidate_of(*translation, rank).text);
      }
      text += join_text(pieces, texts);
    } else {
      auto words = align_words(segment, pieces, translations, rank);
      const auto left = place_breaks(segment, words);
      text += render_segment(segment, words) + left;
    }
    text += parsed_.between[i + 1];
    // A message of a catalog without a translation stays empty, for the next run or a translator.
    if (segment.bytes_after > 0 && !is_translated) {
      const size_t end = text.size() - parsed_.between[i + 1].size() + segment.bytes_after;
      text.replace(message_begin, end - message_begin, "\"\"");
    }
  }
  return parsed_.finish == nullptr ? text : parsed_.finish(text);
}

}  // namespace nmt
