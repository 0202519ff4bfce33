#include "text/korean_particles.h"

#include <cstddef>

namespace nmt {
namespace {

enum class After { kAny, kVowel, kVowelOrL, kConsonant, kName };

struct Particle {
  std::u32string_view text;
  After after = After::kAny;
};

// Case particles, delimiters, forms of the copula and the suffixes 들, 씨 and 님, as in grammars of
// Korean, such as H.-M. Sohn, The Korean Language, Cambridge 1999. Not the copula's 인, 일 and 임,
// with which other nouns end (한국인, 책임).
constexpr Particle kParticles[] = {
    {U"은", After::kConsonant},
    {U"는", After::kVowel},
    {U"이", After::kConsonant},
    {U"가", After::kVowel},
    {U"을", After::kConsonant},
    {U"를", After::kVowel},
    {U"과", After::kConsonant},
    {U"와", After::kVowel},
    {U"이랑", After::kConsonant},
    {U"랑", After::kVowel},
    {U"으로", After::kConsonant},
    {U"로", After::kVowelOrL},
    {U"으로서", After::kConsonant},
    {U"로서", After::kVowelOrL},
    {U"이나", After::kConsonant},
    {U"나", After::kVowel},
    {U"이라도", After::kConsonant},
    {U"라도", After::kVowel},
    {U"으로써", After::kConsonant},
    {U"로써", After::kVowelOrL},
    {U"아", After::kConsonant},
    {U"야", After::kVowel},
    {U"이여", After::kConsonant},
    {U"여", After::kVowel},
    {U"이든", After::kConsonant},
    {U"든", After::kVowel},
    {U"이요", After::kConsonant},
    {U"요"},
    {U"대로"},
    {U"씩"},
    {U"네"},
    {U"의"},
    {U"에"},
    {U"에서"},
    {U"에게"},
    {U"에게서"},
    {U"께"},
    {U"께서"},
    {U"한테"},
    {U"한테서"},
    {U"하고"},
    {U"도"},
    {U"만"},
    {U"만큼"},
    {U"뿐"},
    {U"부터"},
    {U"까지"},
    {U"처럼"},
    {U"같이"},
    {U"보다"},
    {U"마다"},
    {U"밖에"},
    {U"조차"},
    {U"마저"},
    {U"들"},
    {U"씨", After::kName},
    {U"님", After::kName},
    {U"입니다"},
    {U"입니까"},
    {U"이다"},
    {U"이에요", After::kConsonant},
    {U"예요", After::kVowel},
    {U"이야", After::kConsonant},
    {U"이고"},
    {U"이며"},
    {U"이지만"},
    {U"이면", After::kConsonant},
    {U"이니", After::kConsonant},
    {U"이라", After::kConsonant},
    {U"이라서", After::kConsonant},
    {U"인데"},
    {U"이라고"},
    {U"라고", After::kVowel},
    {U"이라는"},
    {U"라는", After::kVowel},
    {U"이었다"},
    {U"였다", After::kVowel},
    {U"이었어요"},
    {U"였어요", After::kVowel},
    {U"이었습니다"},
    {U"였습니다", After::kVowel},
};

bool may_follow(char32_t letter, After after) {
  constexpr char32_t kFirst = 0xAC00;  // of the syllables
  constexpr char32_t kLast = 0xD7A3;
  constexpr char32_t kFinals = 28;  // the first is none
  constexpr char32_t kFinalL = 8;
  if (after == After::kAny || letter < kFirst || letter > kLast) return true;
  const char32_t consonant = (letter - kFirst) % kFinals;
  if (after == After::kVowelOrL && consonant == kFinalL) return true;
  return (consonant > 0) == (after == After::kConsonant);
}

}  // namespace

bool are_korean_particles(std::u32string_view letters, std::u32string_view noun) {
  constexpr int kMaxParticles = 4;
  constexpr size_t kShortestName = 2;  // 날씨 is weather, not a Mr. Nal
  char32_t before = noun.back();
  for (int count = 0; count < kMaxParticles && !letters.empty(); ++count) {
    size_t longest = 0;
    for (const auto& [text, after] : kParticles) {
      const bool fits =
          letters.substr(0, text.size()) == text &&
          (after == After::kName ? noun.size() >= kShortestName : may_follow(before, after));
      if (fits && text.size() > longest) longest = text.size();
    }
    if (longest == 0) return false;
    before = letters[longest - 1];
    letters.remove_prefix(longest);
  }
  return letters.empty();
}

}  // namespace nmt
