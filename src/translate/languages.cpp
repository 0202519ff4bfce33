#include "translate/languages.h"

#include <regex.h>

#include <algorithm>
#include <string_view>

#include "errors/error.h"
#include "files/side_names.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

struct LanguageEntry {
  std::string_view code;
  const char* name;
};

// Without Maltese: files that end in .mt are mostly machine translations.
constexpr LanguageEntry kLanguages[] = {
    {"af", "Afrikaans"},     {"am", "Amharic"},
    {"ar", "Arabic"},        {"az", "Azerbaijani"},
    {"be", "Belarusian"},    {"bg", "Bulgarian"},
    {"bn", "Bengali"},       {"bs", "Bosnian"},
    {"ca", "Catalan"},       {"cs", "Czech"},
    {"cy", "Welsh"},         {"da", "Danish"},
    {"de", "German"},        {"el", "Greek"},
    {"en", "English"},       {"eo", "Esperanto"},
    {"es", "Spanish"},       {"et", "Estonian"},
    {"eu", "Basque"},        {"fa", "Persian"},
    {"fi", "Finnish"},       {"fr", "French"},
    {"ga", "Irish"},         {"gl", "Galician"},
    {"gu", "Gujarati"},      {"ha", "Hausa"},
    {"he", "Hebrew"},        {"hi", "Hindi"},
    {"hr", "Croatian"},      {"hu", "Hungarian"},
    {"hy", "Armenian"},      {"id", "Indonesian"},
    {"is", "Icelandic"},     {"it", "Italian"},
    {"ja", "Japanese"},      {"ka", "Georgian"},
    {"kk", "Kazakh"},        {"km", "Khmer"},
    {"kn", "Kannada"},       {"ko", "Korean"},
    {"ku", "Kurdish"},       {"ky", "Kyrgyz"},
    {"lb", "Luxembourgish"}, {"lo", "Lao"},
    {"lt", "Lithuanian"},    {"lv", "Latvian"},
    {"mk", "Macedonian"},    {"ml", "Malayalam"},
    {"mn", "Mongolian"},     {"mr", "Marathi"},
    {"ms", "Malay"},         {"my", "Burmese"},
    {"nb", "Norwegian"},     {"ne", "Nepali"},
    {"nl", "Dutch"},         {"nn", "Norwegian Nynorsk"},
    {"no", "Norwegian"},     {"pa", "Punjabi"},
    {"pl", "Polish"},        {"ps", "Pashto"},
    {"pt", "Portuguese"},    {"ro", "Romanian"},
    {"ru", "Russian"},       {"si", "Sinhala"},
    {"sk", "Slovak"},        {"sl", "Slovenian"},
    {"so", "Somali"},        {"sq", "Albanian"},
    {"sr", "Serbian"},       {"sv", "Swedish"},
    {"sw", "Swahili"},       {"ta", "Tamil"},
    {"te", "Telugu"},        {"tg", "Tajik"},
    {"th", "Thai"},          {"tl", "Tagalog"},
    {"tr", "Turkish"},       {"ug", "Uyghur"},
    {"uk", "Ukrainian"},     {"ur", "Urdu"},
    {"uz", "Uzbek"},         {"vi", "Vietnamese"},
    {"xh", "Xhosa"},         {"yo", "Yoruba"},
    {"zh", "Chinese"},       {"zu", "Zulu"},
};

// ISO 639-1.
constexpr std::string_view kTwoLetterCodes =
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da "
    "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy "
    "hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg "
    "li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or "
    "os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw "
    "ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh xx yi yo za zh zu";

const LanguageEntry* find_language(const std::string& code) {
  const auto wanted = primary_language(code);
  for (const auto& language : kLanguages) {
    if (language.code == wanted) return &language;
  }
  return nullptr;
}

bool is_listed(const std::string& code) {
  return code.size() == 2 && find_language(code) != nullptr;
}

std::string code_of_file(const std::string& file) {
  auto ending = plain_ending(file);
  std::replace(ending.begin(), ending.end(), '_', '-');
  return find_language(ending) != nullptr ? ending : "xx";
}

/// The extension if it may be a code of ISO 639-3, such as ckb: there are too many to list, so the
/// other file must name its language.
std::string three_letters_of_file(const std::string& file) {
  constexpr std::string_view kOthers =
      "bak bpe csv dev hyp low new old out raw ref spm src tgt tok trg tsv txt";
  const auto ending = plain_ending(file);
  const bool is_code =
      ending.size() == 3 && kOthers.find(ending) == kOthers.npos &&
      std::all_of(ending.begin(), ending.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return is_code ? ending : "xx";
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

/// The directions of the training corpora that name their target language; a source may be "xx".
std::vector<Direction> trained_directions(const DataConfig& data) {
  std::vector<Direction> directions;
  for (size_t i = 0; i < data.train_source.size() && i < data.train_languages.size(); ++i) {
    directions.push_back({code_of_file(data.train_source[i]), data.train_languages[i]});
  }
  return directions;
}

}  // namespace

bool operator==(const Direction& a, const Direction& b) {
  return a.source == b.source && a.target == b.target;
}

std::string directions_text(const std::vector<Direction>& directions) {
  std::string text;
  for (const auto& direction : directions) {
    text += (text.empty() ? "" : ", ") + direction.source + " to " + direction.target;
  }
  return text;
}

Direction guess_direction(const Settings& settings, const std::filesystem::path& model) {
  const auto first = [](const std::vector<std::string>& texts) {
    return texts.empty() ? std::string() : texts.front();
  };
  const auto source = first(settings.data.train_source);
  const auto target = first(settings.data.train_target);
  Direction direction = {code_of_file(source), code_of_file(target)};
  const auto named = direction_of_name(model);
  if (direction.source == "xx") direction.source = named.source;
  if (direction.target == "xx") direction.target = named.target;
  if (direction.source == "xx" && direction.target != "xx") {
    direction.source = three_letters_of_file(source);
  } else if (direction.target == "xx" && direction.source != "xx") {
    direction.target = three_letters_of_file(target);
  }
  return direction;
}

std::vector<Direction> directions_of(const Settings& settings, const std::filesystem::path& model,
                                     const std::vector<std::string>& target_languages) {
  if (target_languages.empty()) return {guess_direction(settings, model)};
  std::vector<Direction> directions;
  for (const auto& trained : trained_directions(settings.data)) {
    const bool is_new =
        std::find(directions.begin(), directions.end(), trained) == directions.end();
    if (is_new && trained.source != "xx") directions.push_back(trained);
  }
  if (!directions.empty()) return directions;
  for (const auto& target : target_languages) directions.push_back({"xx", target});
  return directions;
}

std::vector<Direction> directions_left_out(const Settings& settings) {
  const auto trained = trained_directions(settings.data);
  std::vector<Direction> left_out;
  for (size_t i = 0; i < trained.size(); ++i) {
    if (trained[i].source != "xx") continue;
    left_out.push_back({settings.data.train_source[i], trained[i].target});
  }
  return left_out.size() < trained.size() ? left_out : std::vector<Direction>();
}

bool same_language(const std::string& of_model, const std::string& wanted) {
  return of_model == "xx" || primary_language(of_model) == primary_language(wanted);
}

std::string primary_language(const std::string& code) {
  return to_lower(code.substr(0, code.find_first_of("-_@")));
}

std::string language_name(const std::string& code) {
  const auto* language = find_language(code);
  return language != nullptr ? language->name : code;
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
  const auto language = primary_language(code);
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
