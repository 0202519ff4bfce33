#include "serve/languages.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "checkpoint/model_files.h"
#include "config/settings_io.h"
#include "errors/error.h"

namespace nmt {
namespace {

enum class Script {
  kOther,
  kLatin,
  kGreek,
  kCyrillic,
  kArmenian,
  kHebrew,
  kArabic,
  kDevanagari,
  kThai,
  kGeorgian,
  kHangul,
  kKana,
  kHan
};

struct LanguageEntry {
  std::string_view code;
  const char* name;
  Script script;
};

constexpr LanguageEntry kLanguages[] = {
    {"ar", "Arabic", Script::kArabic},      {"bg", "Bulgarian", Script::kCyrillic},
    {"ca", "Catalan", Script::kLatin},      {"cs", "Czech", Script::kLatin},
    {"da", "Danish", Script::kLatin},       {"de", "German", Script::kLatin},
    {"el", "Greek", Script::kGreek},        {"en", "English", Script::kLatin},
    {"eo", "Esperanto", Script::kLatin},    {"es", "Spanish", Script::kLatin},
    {"et", "Estonian", Script::kLatin},     {"fa", "Persian", Script::kArabic},
    {"fi", "Finnish", Script::kLatin},      {"fr", "French", Script::kLatin},
    {"he", "Hebrew", Script::kHebrew},      {"hi", "Hindi", Script::kDevanagari},
    {"hr", "Croatian", Script::kLatin},     {"hu", "Hungarian", Script::kLatin},
    {"hy", "Armenian", Script::kArmenian},  {"id", "Indonesian", Script::kLatin},
    {"it", "Italian", Script::kLatin},      {"ja", "Japanese", Script::kKana},
    {"ka", "Georgian", Script::kGeorgian},  {"ko", "Korean", Script::kHangul},
    {"lt", "Lithuanian", Script::kLatin},   {"lv", "Latvian", Script::kLatin},
    {"mn", "Mongolian", Script::kCyrillic}, {"ms", "Malay", Script::kLatin},
    {"nb", "Norwegian", Script::kLatin},    {"ne", "Nepali", Script::kDevanagari},
    {"nl", "Dutch", Script::kLatin},        {"no", "Norwegian", Script::kLatin},
    {"pl", "Polish", Script::kLatin},       {"pt", "Portuguese", Script::kLatin},
    {"ro", "Romanian", Script::kLatin},     {"ru", "Russian", Script::kCyrillic},
    {"sk", "Slovak", Script::kLatin},       {"sl", "Slovenian", Script::kLatin},
    {"sq", "Albanian", Script::kLatin},     {"sr", "Serbian", Script::kCyrillic},
    {"sv", "Swedish", Script::kLatin},      {"sw", "Swahili", Script::kLatin},
    {"th", "Thai", Script::kThai},          {"tl", "Tagalog", Script::kLatin},
    {"tr", "Turkish", Script::kLatin},      {"uk", "Ukrainian", Script::kCyrillic},
    {"ur", "Urdu", Script::kArabic},        {"vi", "Vietnamese", Script::kLatin},
    {"zh", "Chinese", Script::kHan},
};

struct CodeRange {
  uint32_t first;
  uint32_t last;
  Script script;
};

constexpr CodeRange kRanges[] = {
    {0x41, 0x5A, Script::kLatin},        {0x61, 0x7A, Script::kLatin},
    {0xC0, 0x24F, Script::kLatin},       {0x370, 0x3FF, Script::kGreek},
    {0x400, 0x52F, Script::kCyrillic},   {0x531, 0x58F, Script::kArmenian},
    {0x590, 0x5FF, Script::kHebrew},     {0x600, 0x77F, Script::kArabic},
    {0x900, 0x97F, Script::kDevanagari}, {0xE01, 0xE7F, Script::kThai},
    {0x10A0, 0x10FF, Script::kGeorgian}, {0x1100, 0x11FF, Script::kHangul},
    {0x1E00, 0x1EFF, Script::kLatin},    {0x3041, 0x30FF, Script::kKana},
    {0x3130, 0x318F, Script::kHangul},   {0x3400, 0x4DBF, Script::kHan},
    {0x4E00, 0x9FFF, Script::kHan},      {0xAC00, 0xD7A3, Script::kHangul},
    {0x20000, 0x2FA1F, Script::kHan},
};

Script script_of(uint32_t code) {
  for (const auto& range : kRanges) {
    if (code >= range.first && code <= range.last) return range.script;
  }
  return Script::kOther;
}

const LanguageEntry* find_language(const std::string& code) {
  const auto primary = code.substr(0, code.find('-'));
  for (const auto& language : kLanguages) {
    if (language.code == primary) return &language;
  }
  return nullptr;
}

/// Of valid UTF-8; moves `at` behind it.
uint32_t next_code(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const uint32_t lead = byte(at);
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) code = (code << 6) | (byte(at + i) & 0x3FU);
  at += length;
  return code;
}

bool belongs(Script script, Script language) {
  // Japanese is written in both.
  return script == language || (language == Script::kKana && script == Script::kHan);
}

std::string code_of_file(const std::string& file) {
  std::filesystem::path path(file);
  if (path.extension() == ".gz") path = path.stem();
  auto ending = path.extension().string();
  if (ending.empty()) return "xx";
  ending.erase(0, 1);
  return find_language(ending) != nullptr ? ending : "xx";
}

}  // namespace

Direction guess_direction(const std::filesystem::path& model) {
  const auto files = read_model_files(model);
  Settings settings;
  apply_yaml(settings, files.parts.settings, files.name_of("config.yaml"));
  const auto code_of = [](const std::vector<std::string>& texts) {
    return texts.empty() ? "xx" : code_of_file(texts.front());
  };
  return {code_of(settings.data.train_source), code_of(settings.data.train_target)};
}

std::string language_name(const std::string& code) {
  const auto* language = find_language(code);
  return language != nullptr ? language->name : code;
}

double script_share(std::string_view text, const std::string& code) {
  const auto* language = find_language(code);
  int64_t letters = 0;
  int64_t own = 0;
  for (size_t at = 0; at < text.size();) {
    const Script script = script_of(next_code(text, at));
    if (script == Script::kOther) continue;
    ++letters;
    own += language != nullptr && belongs(script, language->script) ? 1 : 0;
  }
  if (letters == 0 || language == nullptr) return 0.5;
  return static_cast<double>(own) / static_cast<double>(letters);
}

void require_language_code(const std::string& code) {
  const bool sound =
      code.size() >= 2 && code.size() <= 12 && std::all_of(code.begin(), code.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
      });
  if (!sound)
    throw UsageError("'" + code + "' is no language code; it is one like ko, en or zh-TW");
}

}  // namespace nmt
