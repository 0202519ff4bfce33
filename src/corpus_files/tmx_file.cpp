#include "corpus_files/tmx_file.h"

#include <expat.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <string_view>

#include "errors/counted.h"
#include "errors/error.h"
#include "files/xml_position.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

bool is_code(std::string_view element) {
  constexpr std::string_view kCodes[] = {"bpt", "ept", "it", "ph", "ut"};
  return std::find(std::begin(kCodes), std::end(kCodes), element) != std::end(kCodes);
}

/// A code that may stand for something between two words, such as a line break.
bool is_placeholder(std::string_view element) {
  return element == "it" || element == "ph" || element == "ut";
}

/// Whether the texts would run together as one word of a script that is written with spaces.
bool needs_space(std::string_view before, std::string_view after) {
  const auto is_of_word = [](char32_t code) {
    return is_alphanumeric(code) && !is_written_without_spaces(code);
  };
  return is_of_word(last_code(before)) && is_of_word(first_code(after));
}

std::string without_extra_space(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

/// "de_AT" as "de-at": tags compare without case (RFC 5646), and some programs write underscores.
std::string normalized_tag(std::string tag) {
  std::replace(tag.begin(), tag.end(), '_', '-');
  return to_ascii_lower(tag);
}

bool is_language(const std::string& tag, const std::string& wanted) {
  return normalized_tag(tag) == normalized_tag(wanted);
}

/// "de-AT" for "de".
bool is_region_of(const std::string& tag, const std::string& wanted) {
  return begins_with(normalized_tag(tag), normalized_tag(wanted) + "-");
}

const TranslationMemory& require_two_languages(const TranslationMemory& memory) {
  const auto& [source, target] = memory.languages;
  if (!is_language(source, target)) return memory;
  throw UsageError(memory.path.string() + ": " + source +
                   " is named for both sides; use --languages with two languages");
}

std::string language_of(const XML_Char** attributes) {
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view name = attributes[0];
    if (name == "xml:lang" || name == "lang") return attributes[1];
  }
  return "";
}

}  // namespace

/// The callbacks for expat; `data` is the TmxFile.
struct TmxFile::Handlers {
  static TmxFile& self(void* data) { return *static_cast<TmxFile*>(data); }

  static void start(void* data, const XML_Char* name, const XML_Char** attributes) {
    auto& file = self(data);
    const std::string_view element = name;
    if (file.in_segment_) {
      if (file.code_depth_ > 0 || is_code(element)) ++file.code_depth_;
      if (is_placeholder(element)) file.after_placeholder_ = true;
    } else if (element == "tu") {
      file.unit_.clear();
    } else if (element == "tuv") {
      file.unit_.push_back({language_of(attributes), ""});
    } else if (element == "seg") {
      file.in_segment_ = !file.unit_.empty();
      file.after_placeholder_ = false;
    }
  }

  static void end(void* data, const XML_Char* name) {
    auto& file = self(data);
    const std::string_view element = name;
    if (file.in_segment_ && file.code_depth_ > 0) {
      --file.code_depth_;
    } else if (element == "seg") {
      file.in_segment_ = false;
    } else if (element == "tu") {
      file.end_unit();
    }
  }

  static void characters(void* data, const XML_Char* text, int size) {
    auto& file = self(data);
    if (!file.in_segment_ || file.code_depth_ > 0) return;
    const std::string_view added(text, static_cast<size_t>(size));
    auto& segment = file.unit_.back().text;
    if (file.after_placeholder_ && needs_space(segment, added)) segment += ' ';
    file.after_placeholder_ = false;
    segment += added;
  }

  /// The default handler also receives references to entities declared in a DTD, which are errors.
  static void other(void* data, const XML_Char* text, int size) {
    auto& file = self(data);
    if (!file.in_segment_ || size == 0 || *text != '&') return;
    file.problem_ = "the entity " + std::string(text, static_cast<size_t>(size)) +
                    " is not known; use the character itself";
    XML_StopParser(file.parser_.get(), XML_FALSE);
  }
};

TmxFile::TmxFile(const TranslationMemory& memory)
    : memory_(require_two_languages(memory)),
      reader_(memory.path),
      parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
  if (parser_ == nullptr) throw std::bad_alloc();
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(parser_.get(), Handlers::start, Handlers::end);
  XML_SetCharacterDataHandler(parser_.get(), Handlers::characters);
  XML_SetDefaultHandler(parser_.get(), Handlers::other);  // so expat expands no entities
}

TmxFile::~TmxFile() = default;

void TmxFile::refuse(const std::string& problem) const {
  throw Error(memory_.path.string() + ": line " + std::to_string(xml_line(parser_.get())) + ": " +
              problem);
}

bool TmxFile::parse_block() {
  if (ended_) return false;
  const auto block = reader_.next_block();
  ended_ = block.empty();
  const auto status =
      XML_Parse(parser_.get(), block.data(), static_cast<int>(block.size()), ended_ ? 1 : 0);
  if (status == XML_STATUS_OK) return true;
  if (!problem_.empty()) refuse(problem_);
  if (XML_GetErrorCode(parser_.get()) == XML_ERROR_UNKNOWN_ENCODING) {
    refuse("declares an encoding that is not supported; convert it to UTF-8 and declare that");
  }
  refuse(std::string("not XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())) +
         "; correct the file");
}

const TmxFile::Variant* TmxFile::variant_in(const std::string& language,
                                            const Variant* taken) const {
  for (const auto matches : {is_language, is_region_of}) {
    for (const auto& variant : unit_) {
      if (&variant != taken && matches(variant.language, language)) return &variant;
    }
  }
  return nullptr;
}

void TmxFile::end_unit() {
  for (const auto& variant : unit_) ++languages_[variant.language];
  const auto& [first, second] = memory_.languages;
  const bool is_region = is_region_of(second, first);  // the specific region chooses first
  const auto* target = is_region ? variant_in(second, nullptr) : nullptr;
  const auto* source = variant_in(first, target);
  if (!is_region) target = variant_in(second, source);
  if (source == nullptr || target == nullptr) {
    ++skipped_;
  } else {
    for (const auto& variant : unit_) {
      const auto is_of = [&](const std::string& language) {
        return is_language(variant.language, language) || is_region_of(variant.language, language);
      };
      if (&variant != source && &variant != target && (is_of(first) || is_of(second))) ++variants_;
    }
    pairs_.emplace_back(without_extra_space(source->text), without_extra_space(target->text));
  }
  unit_.clear();
}

void TmxFile::refuse_languages() const {
  std::string found;
  for (const auto& [language, units] : languages_) {
    found += (found.empty() ? "" : ", ") + language + " (" + std::to_string(units) + ")";
  }
  throw Error(memory_.path.string() + ": no unit has both " + memory_.languages.first + " and " +
              memory_.languages.second + "; use --languages with two of: " + found);
}

bool TmxFile::next(std::string& source, std::string& target) {
  while (pairs_.empty() && parse_block()) {
  }
  if (pairs_.empty()) {
    if (returned_ == 0 && skipped_ > 0) refuse_languages();
    return false;
  }
  ++returned_;
  source = std::move(pairs_.front().first);
  target = std::move(pairs_.front().second);
  pairs_.pop_front();
  return true;
}

std::string TmxFile::skipped() const {
  const auto& [first, second] = memory_.languages;
  std::string skipped;
  if (skipped_ > 0) {
    skipped = std::to_string(skipped_) + (skipped_ == 1 ? " unit lacks " : " units lack ") + first +
              " or " + second;
  }
  if (variants_ == 0) return skipped;
  return skipped + (skipped.empty() ? "" : ", ") + counted(variants_, "further variant") + " in " +
         first + " or " + second;
}

}  // namespace nmt
