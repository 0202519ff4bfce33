#include "serve/languages.h"

#include <regex.h>

#include <cstdint>

#include "errors/error.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

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

// ISO 639-1.
constexpr std::string_view kTwoLetterCodes =
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da "
    "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy "
    "hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg "
    "li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or "
    "os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw "
    "ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh xx yi yo za zh zu";

std::string primary(const std::string& code) { return code.substr(0, code.find('-')); }

const LanguageEntry* find_language(const std::string& code) {
  const auto wanted = primary(code);
  for (const auto& language : kLanguages) {
    if (language.code == wanted) return &language;
  }
  return nullptr;
}

bool is_listed(const std::string& code) {
  return code.size() == 2 && find_language(code) != nullptr;
}

bool belongs(Script script, Script language) {
  // Japanese uses both.
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

Direction direction_of_name(const std::filesystem::path& model) {
  const auto path = model.filename().empty() ? model.parent_path() : model;  // models/ko-en/
  const auto name = path.stem().string();
  const auto dash = name.find('-');
  if (dash == std::string::npos) return {};
  const Direction direction = {name.substr(0, dash), name.substr(dash + 1)};
  const bool known = is_listed(direction.source) && is_listed(direction.target);
  return known ? direction : Direction();
}

}  // namespace

bool operator==(const Direction& a, const Direction& b) {
  return a.source == b.source && a.target == b.target;
}

Direction guess_direction(const Settings& settings, const std::filesystem::path& model) {
  const auto code_of = [](const std::vector<std::string>& texts) {
    return texts.empty() ? "xx" : code_of_file(texts.front());
  };
  const Direction direction = {code_of(settings.data.train_source),
                               code_of(settings.data.train_target)};
  return direction.source == "xx" && direction.target == "xx" ? direction_of_name(model)
                                                              : direction;
}

bool same_language(const std::string& a, const std::string& b) {
  return a == "xx" || b == "xx" || primary(a) == primary(b);
}

std::string language_name(const std::string& code) {
  const auto* language = find_language(code);
  return language != nullptr ? language->name : code;
}

double script_share(std::string_view text, const std::string& code) {
  const auto* language = find_language(code);
  int64_t letters = 0;
  int64_t own = 0;
  for (const char32_t letter : to_code_points(text)) {
    const Script script = script_of(letter);
    if (script == Script::kOther) continue;
    ++letters;
    own += language != nullptr && belongs(script, language->script) ? 1 : 0;
  }
  if (letters == 0 || language == nullptr) return 0.5;
  return static_cast<double>(own) / static_cast<double>(letters);
}

void require_language_code(const std::string& code) {
  // BCP 47: language, then script, region and variants. Three-letter languages are not listed here.
  static const regex_t shape = [] {  // std::regex costs three seconds to compile
    regex_t compiled;
    ::regcomp(&compiled,
              "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?"
              "(-([0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*$",
              REG_EXTENDED | REG_NOSUB);
    return compiled;
  }();
  const auto language = code.substr(0, code.find('-'));
  const bool known =
      language.size() != 2 || kTwoLetterCodes.find(language) != std::string_view::npos;
  if (known && ::regexec(&shape, code.c_str(), 0, nullptr, 0) == 0) return;
  std::string hint;
  for (const auto& entry : kLanguages) {
    if (code == entry.name) hint = " (did you mean " + std::string(entry.code) + "?)";
  }
  throw UsageError("'" + code + "' is not a language code" + hint +
                   "; use an ISO 639 code such as ko, en or zh-TW");
}

}  // namespace nmt
