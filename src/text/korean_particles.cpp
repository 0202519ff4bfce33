#include "text/korean_particles.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace nmt {
namespace {

enum class After { kAny, kVowel, kVowelOrL, kConsonant, kName };

// Case particles, delimiters, forms of the copula and the suffixes 들, 씨 and 님, as in grammars of
// Korean, such as H.-M. Sohn, The Korean Language, Cambridge 1999. Not the copula's 인, 일 and 임,
// with which other nouns end (한국인, 책임).
constexpr std::pair<After, std::u32string_view> kParticles[] = {
    {After::kConsonant,
     U" 은 이 을 과 이랑 으로 으로서 이나 이라도 으로써 아 이여 이든 "
     U"이요 이에요 이야 이면 이니 이라 이라서 "},
    {After::kVowel,
     U" 는 가 를 와 랑 나 라도 야 여 든 예요 라고 라는 였다 였어요 "
     U"였습니다 "},
    {After::kVowelOrL, U" 로 로서 로써 "},
    {After::kAny,
     U" 요 대로 씩 네 의 에 에서 에게 에게서 께 께서 한테 한테서 "
     U"하고 도 만 만큼 뿐 부터 까지 처럼 같이 보다 마다 밖에 조차 "
     U"마저 들 입니다 입니까 이다 이고 이며 이지만 인데 이라고 이라는 "
     U"이었다 이었어요 이었습니다 "},
    {After::kName, U" 씨 님 "},
};
constexpr size_t kLongest = 5;

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

bool is_particle(std::u32string_view text, char32_t before, std::u32string_view noun) {
  constexpr size_t kShortestName = 2;  // 날씨 is weather, not a Mr. Nal
  const auto word = U" " + std::u32string(text) + U" ";
  return std::any_of(std::begin(kParticles), std::end(kParticles), [&](const auto& particles) {
    const auto& [after, words] = particles;
    return words.find(word) != words.npos &&
           (after == After::kName ? noun.size() >= kShortestName : may_follow(before, after));
  });
}

}  // namespace

bool are_korean_particles(std::u32string_view letters, std::u32string_view noun) {
  constexpr int kMaxParticles = 4;
  char32_t before = noun.back();
  for (int count = 0; count < kMaxParticles && !letters.empty(); ++count) {
    size_t longest = std::min(kLongest, letters.size());
    while (longest > 0 && !is_particle(letters.substr(0, longest), before, noun)) --longest;
    if (longest == 0) return false;
    before = letters[longest - 1];
    letters.remove_prefix(longest);
  }
  return letters.empty();
}

}  // namespace nmt
