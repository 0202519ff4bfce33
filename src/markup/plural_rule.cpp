#include "markup/plural_rule.h"

#include <algorithm>

#include "translate/languages.h"

namespace nmt {
namespace {

// Rules of the GNU gettext manual and the Unicode CLDR ("Plural forms").
constexpr PluralRule kRules[] = {
    {" id ja ko lo ms my th vi zh ", 1, "0", 0, false},
    {" af bg ca da de el en eo es et eu fi gl he hu it ka mn nb ne nl nn no pt sq sv sw tr ur ", 2,
     "(n != 1)", 0, true},
    {" fa fr hi hy pt_BR tl ", 2, "(n > 1)", 0, false},
    {" ro ", 3, "(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2)", 0, true},
    {" cs sk ", 3, "(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2)", 0, true},
    {" pl ", 3, "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)", 0, true},
    {" be bs hr ru sr uk ", 3,
     "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)", 0,
     false},
    {" lt ", 3, "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2)", 0,
     false},
    {" lv ", 3, "(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2)", 0, false},
    {" sl ", 4, "(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3)", 0, false},
    {" ga ", 5, "(n==1 ? 0 : n==2 ? 1 : n<7 ? 2 : n<11 ? 3 : 4)", 0, true},
    {" ar ", 6, "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5)",
     1, true},
};

const PluralRule* find_listed(const std::string& code) {
  const auto found = std::find_if(std::begin(kRules), std::end(kRules), [&](const auto& rule) {
    return std::string(rule.languages).find(" " + code + " ") != std::string::npos;
  });
  return found == std::end(kRules) ? nullptr : found;
}

}  // namespace

const PluralRule* find_plural_rule(const std::string& language) {
  auto code = language.substr(0, language.find('@'));
  std::replace(code.begin(), code.end(), '-', '_');
  const auto* rule = find_listed(code);
  return rule != nullptr ? rule : find_listed(primary_language(language));
}

}  // namespace nmt
