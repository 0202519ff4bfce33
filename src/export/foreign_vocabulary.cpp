#include "export/foreign_vocabulary.h"

#include <algorithm>
#include <set>

#include "errors/error.h"
#include "text/special_tokens.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {

using Kind = PickleValue::Kind;

std::vector<std::string> words_of(const PickleValue& list, const std::string& where) {
  const auto* itos = list.find("itos");
  const auto& found = itos == nullptr ? list : *itos;
  if (found.kind != Kind::kList) throw Error(where + ": not a vocabulary");
  std::vector<std::string> words;
  for (const auto* item : found.items) {
    if (item->kind != Kind::kText) throw Error(where + ": contains an entry that is not a word");
    words.emplace_back(item->text);
    if (find_invalid_utf8(words.back())) throw Error(where + ": holds a word of invalid UTF-8");
  }
  return words;
}

ForeignVocabulary reorder(const std::vector<std::string>& words, const SpecialNames& special,
                          const std::string& where) {
  ForeignVocabulary vocabulary;
  std::set<std::string> seen(special.begin(), special.end());
  for (const auto* name : special) {
    const auto place = std::find(words.begin(), words.end(), name);
    vocabulary.rows.push_back(place == words.end() ? ForeignVocabulary::kNoRow
                                                   : place - words.begin());
  }
  for (const auto id : {kPadId, kUnknownId}) {
    if (vocabulary.rows[static_cast<size_t>(id)] == ForeignVocabulary::kNoRow) {
      throw Error(where + ": lacks " + special.at(static_cast<size_t>(id)));
    }
  }
  const std::set<int64_t> special_rows(vocabulary.rows.begin(), vocabulary.rows.end());
  for (size_t i = 0; i < words.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    if (special_rows.count(row) != 0) continue;
    if (!seen.insert(words[i]).second) {
      throw Error(where + ": '" + printable(words[i]) + "' occurs twice");
    }
    vocabulary.words.push_back(words[i]);
    vocabulary.rows.push_back(row);
  }
  return vocabulary;
}

}  // namespace nmt
