#include "corpus_check/common_words.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "files/side_names.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

using WordSet = std::set<std::string>;

const std::map<std::string, WordSet>& words_by_code() {
  static const std::map<std::string, WordSet> words = {
      {"ar", {"في", "من", "على", "لا", "أن", "هذا", "هو", "ما"}},
      {"bg", {"и", "в", "не", "на", "да", "е", "че", "се"}},
      {"ca", {"el", "la", "els", "i", "de", "que", "no", "és"}},
      {"cs", {"a", "je", "se", "v", "na", "že", "to", "ne"}},
      {"da", {"og", "at", "det", "er", "jeg", "en", "ikke", "til"}},
      {"de", {"der", "die", "und", "das", "ist", "nicht", "ein", "zu"}},
      {"el", {"και", "το", "να", "η", "ο", "δεν", "είναι", "του"}},
      {"en", {"the", "of", "and", "to", "is", "in", "that", "you"}},
      {"eo", {"la", "kaj", "de", "estas", "ne", "mi", "ĝi", "al"}},
      {"es", {"el", "la", "los", "y", "de", "que", "no", "es"}},
      {"fi", {"ja", "on", "ei", "se", "että", "hän", "oli", "olen"}},
      {"fr", {"le", "la", "les", "et", "de", "est", "pas", "je"}},
      {"he", {"את", "של", "לא", "זה", "על", "הוא", "אני", "לי"}},
      {"hr", {"i", "je", "da", "u", "ne", "se", "na", "to"}},
      {"hu", {"a", "az", "és", "nem", "hogy", "egy", "van", "is"}},
      {"id", {"yang", "dan", "di", "tidak", "ini", "itu", "saya", "untuk"}},
      {"it", {"il", "la", "che", "di", "e", "non", "è", "un"}},
      {"nb", {"og", "at", "det", "er", "jeg", "en", "ikke", "til"}},
      {"nl", {"de", "het", "een", "en", "van", "ik", "is", "niet"}},
      {"pl", {"i", "w", "nie", "na", "się", "jest", "że", "to"}},
      {"pt", {"o", "a", "que", "de", "não", "é", "um", "os"}},
      {"ro", {"și", "de", "la", "nu", "este", "în", "că", "un"}},
      {"ru", {"и", "в", "не", "на", "я", "что", "он", "это"}},
      {"sk", {"a", "je", "sa", "v", "na", "že", "to", "nie"}},
      {"sv", {"och", "att", "det", "är", "jag", "en", "som", "inte"}},
      {"tr", {"ve", "bir", "bu", "ne", "da", "için", "çok", "mı"}},
      {"uk", {"і", "в", "не", "на", "я", "що", "це", "та"}},
      {"vi", {"là", "và", "của", "không", "tôi", "có", "một", "được"}}};
  return words;
}

/// Counts the words of the text that are among the most common words of the language that the
/// extension of `file` names, e.g. train.de or train.de.gz; 0 for a language without a list.
int64_t count_common_words(std::string_view text, const std::filesystem::path& file) {
  const auto words = words_by_code().find(plain_ending(file));
  if (words == words_by_code().end()) return 0;
  const auto written = split_whitespace(to_lower(text));
  return std::count_if(written.begin(), written.end(),
                       [&](const std::string& word) { return words->second.count(word) > 0; });
}

}  // namespace

void NamedLanguages::add(std::string_view source, std::string_view target) {
  constexpr int64_t kSample = 20000;
  if (++pairs_ > kSample) return;
  for (size_t side = 0; side < 2; ++side) {
    const auto text = side == 0 ? source : target;
    // By the difference, words that both languages have do not count.
    const int64_t more =
        count_common_words(text, files_[side]) - count_common_words(text, files_[1 - side]);
    (more > 0 ? own_ : other_)[side] += std::abs(more);
  }
}

bool NamedLanguages::exchanged() const {
  // In right files of German and English, own words are 11 times as many as the other's or more.
  constexpr int64_t kClear = 5;
  constexpr int64_t kFew = 20;
  const auto clear = [&](size_t side) {
    return other_[side] >= kFew && other_[side] > kClear * own_[side];
  };
  const auto has_list = [&](size_t side) {
    return words_by_code().count(plain_ending(files_[side])) > 0;
  };
  if (has_list(0) && has_list(1)) return clear(0) && clear(1);
  for (size_t side = 0; side < 2; ++side) {  // e.g. English in a.ko, and none in a.en
    if (has_list(1 - side)) return clear(side) && other_[side] > kClear * own_[1 - side];
  }
  return false;
}

std::string NamedLanguages::warning() const {
  if (!exchanged()) return "";
  return files_[0].string() + " and " + files_[1].string() +
         ": each seems to be in the language that the other is named after; exchange the two";
}

}  // namespace nmt
