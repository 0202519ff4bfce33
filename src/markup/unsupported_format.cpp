#include "markup/unsupported_format.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "errors/error.h"
#include "markup/html_elements.h"
#include "markup/html_parser.h"
#include "markup/tag_scanner.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr const char* kIsCode = "program code; translate its texts as a text file";
constexpr const char* kIsHtml = "begins as HTML; use --format html";
constexpr const char* kIsSubtitles = "begins as subtitles; use --format srt";
constexpr const char* kIsGettext = "begins as a message catalog; use --format po";

std::string convert(const std::string& program, const std::string& format = ".po") {
  return "not supported; convert it to " + format + ", e.g. with " + program;
}

std::string_view without_blanks(std::string_view text) { return trimmed(text, " \t\r\n"); }

/// Whether it is an object, or an array of these. Prose may begin with their brackets, too.
bool begins_as_json(std::string_view text) {
  const auto skip = [&](char c) {
    if (text.empty() || text.front() != c) return false;
    text = without_blanks(text.substr(1));
    return true;
  };
  skip('[');
  if (!skip('{') || !skip('"')) return false;
  text.remove_prefix(std::min(text.find_first_of("\"\n"), text.size()));
  return skip('"') && begins_with(text, ":");
}

/// The character reference that begins at `at`, such as "&amp;" and "&#39;"; "" if none does.
std::string_view reference_at(std::string_view line, size_t at) {
  constexpr size_t kLongest = 12;
  const auto near = line.substr(at, kLongest);
  const auto reference = near.substr(0, near.find(';') + 1);  // "" without a semicolon
  if (reference.size() < 3) return "";
  return decode_reference(reference).find(';') == std::string::npos ? reference : "";
}

}  // namespace

// Not .ts (Tsonga), .cs (Czech) and .arb (Arabic), which may be the languages of texts.
std::string unsupported_extension(const std::string& extension) {
  static const std::pair<std::string, std::string> reasons[] = {
      {" .vtt ",
       "WebVTT is not fully supported; use --format srt if it has no notes, cue names or &lt;"},
      {" .tmx ", "holds translations already; use nmt data convert to read them"},
      {" .svg ", "not supported; translate its labels as a text file"},
      {" .csv ", "a table; translate a column as a text file, or a .tsv"},
      {" .jsonl ", "not supported; translate a field as a text file, e.g. with jq"},
      {" .eml ", "an e-mail; save its text as .txt and use --format wrapped"},
      {" .ttml ", "not supported as subtitles; use --format xml"},
      {" .adoc ", convert("asciidoctor", ".html")},
      {" .ipynb ", convert("jupyter nbconvert", ".md")},
      {" .org .rst .tex .textile ", convert("pandoc", ".md")},
      {" .rtf ", convert("LibreOffice", ".odt")},
      {" .sbv ", convert("Subtitle Edit", ".srt")},
      {" .ass .smi .ssa .sub ", convert("ffmpeg", ".srt")},
      {" .ftl .toml .xcstrings ", "not supported; convert it to .po"},
      {" .ini ", convert("ini2po")},
      {" .json ", convert("json2po")},
      {" .php ", convert("php2po")},
      {" .properties .strings ", convert("prop2po")},
      {" .resx ", convert("resx2po")},
      {" .yaml .yml ", convert("yaml2po")},
      {" .js .jsx .mjs .py .tsx .vue ", kIsCode}};
  for (const auto& [extensions, reason] : reasons) {
    if (extensions.find(" " + extension + " ") != extensions.npos) return reason;
  }
  return "";
}

std::string unsupported_content(std::string_view beginning) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of byte order
  const auto text =
      without_blanks(beginning.substr(begins_with(beginning, kMark) ? kMark.size() : 0));
  static const std::pair<std::string_view, std::string> reasons[] = {
      {"<!doctype html", kIsHtml},
      {"<html>", kIsHtml},
      {"<html ", kIsHtml},
      {"<html\n", kIsHtml},
      {"<?php", unsupported_extension(".php")},
      {"<sami>", "begins as SAMI subtitles; " + unsupported_extension(".smi")},
      {"msgid \"", kIsGettext},
      {"export const ", kIsCode},
      {"export default {", kIsCode}};
  if (begins_with(text, "<")) {
    const auto reason = unsupported_xml(text);
    if (!reason.empty()) return reason;
  }
  for (const auto& [first, reason] : reasons) {
    const std::string bytes(text.substr(0, first.size()));
    if (bytes == first || (first.front() == '<' && to_lower(bytes) == first)) return reason;
  }
  if (begins_with(text, "<")) {
    const auto tag = to_lower(text.substr(0, text.find('>')));
    const bool is_xml = begins_with(tag, "<!doctype ") || begins_with(tag, "<?xml ") ||
                        tag.find(" xmlns") != tag.npos;
    if (is_xml) return "begins as XML; use --format xml";
  }
  const bool has_times = text.find(" --> ") != text.npos;
  if (has_times && begins_with(text, "WEBVTT")) return unsupported_extension(".vtt");
  if (has_times && begins_with(text, "1") && text.find("00:") < 4) return kIsSubtitles;
  if (begins_with(text, "#") && text.find("\nmsgid \"") != text.npos) return kIsGettext;
  return begins_as_json(text) ? "begins as JSON; " + unsupported_extension(".json") : "";
}

std::string first_markup(std::string_view line) {
  for (size_t at = line.find_first_of("<&"); at != line.npos;
       at = line.find_first_of("<&", at + 1)) {
    if (line[at] == '&') {
      const auto reference = reference_at(line, at);
      if (!reference.empty()) return std::string(reference);
      continue;
    }
    const size_t end = line.find_first_of("<>", at + 1);
    if (end == line.npos || line[end] == '<') continue;
    const auto tag = line.substr(at, end + 1 - at);
    const auto name = tag_name(tag);
    const bool is_empty =
        tag[tag.size() - 2] == '/' || name == "br" || name == "hr" || name == "img";
    const bool is_name = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                         name.find(':') == name.npos;
    if (is_name && (begins_with(tag, "</") || is_empty)) return std::string(tag);
  }
  return "";
}

std::string unsupported_xml(std::string_view xml) {
  struct Vocabulary {
    std::string_view root;
    std::string_view part;  // that all its documents have: others may have the same root
    std::string reason;
  };
  static const Vocabulary vocabularies[] = {
      {"xliff", "<file", "begins as XLIFF; use --format xliff"},
      {"TS", "<message", "Qt Linguist's format is " + convert("lconvert")},
      {"tmx", "<header", "a TMX " + unsupported_extension(".tmx")},
      {"root", "<resheader", "resx is " + unsupported_extension(".resx")},
      {"resources", "<string", "Android's resources are not supported; convert them to .po"},
      {"resources", "<plurals", "Android's resources are not supported; convert them to .po"}};
  const size_t at = find_start_tag(xml, "");
  if (at == xml.npos) return "";
  const auto tag = xml.substr(at + 1);
  auto root = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
  root.remove_prefix(root.find(':') + 1);  // of a namespace; 0 if there is none
  const auto has = [&](std::string_view part) {
    return tag.find(part) != tag.npos || tag.find(":" + std::string(part.substr(1))) != tag.npos;
  };
  for (const auto& vocabulary : vocabularies) {
    if (root == vocabulary.root && has(vocabulary.part)) return vocabulary.reason;
  }
  return "";
}

void refuse_unsupported(const std::string& name, const std::string& reason) {
  if (!reason.empty()) throw UsageError(name + ": " + reason + ", or --format text for its lines");
}

}  // namespace nmt
