#include "alignment/gold_alignment.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "errors/error.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

int64_t shared(const LinkSet& one, const LinkSet& other) {
  return std::count_if(one.begin(), one.end(),
                       [&](const auto& link) { return other.count(link) > 0; });
}

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

GoldAlignment parse_gold_alignment(const std::string& line, int64_t source_words,
                                   int64_t target_words) {
  GoldAlignment gold;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) {
    const auto mark = word.find_first_of("-p");
    const auto source = parse_number<int64_t>(std::string_view(word).substr(0, mark));
    const auto target = mark == std::string::npos
                            ? std::nullopt
                            : parse_number<int64_t>(std::string_view(word).substr(mark + 1));
    if (!source || !target || *target < 0) {
      throw Error("'" + word + "' is no link; write 0-1 for a sure one, 0p1 for a possible one");
    }
    if (*source >= source_words || *target >= target_words) {
      throw Error("link " + word + " is outside the pair, which has " +
                  std::to_string(source_words) + " and " + std::to_string(target_words) +
                  " words; words count from 0");
    }
    gold.possible.emplace(*source, *target);
    if (word[mark] == '-') gold.sure.emplace(*source, *target);
  }
  return gold;
}

void AlignmentErrors::add(const LinkSet& links_of_pair, const GoldAlignment& gold) {
  links += static_cast<int64_t>(links_of_pair.size());
  sure += static_cast<int64_t>(gold.sure.size());
  sure_found += shared(gold.sure, links_of_pair);
  possible_found += shared(links_of_pair, gold.possible);
}

double AlignmentErrors::precision() const { return share(possible_found, links); }

double AlignmentErrors::recall() const { return share(sure_found, sure); }

double AlignmentErrors::error_rate() const {
  return 1.0 - share(sure_found + possible_found, links + sure);
}

}  // namespace nmt
