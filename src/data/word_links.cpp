#include "data/word_links.h"

#include <spdlog/fmt/fmt.h>

#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "errors/error.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

using Link = std::pair<size_t, size_t>;

std::optional<Link> parse_link(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto source = parse_number<size_t>(text.substr(0, dash));
  const auto target = parse_number<size_t>(text.substr(dash + 1));
  if (!source || !target) return std::nullopt;
  return Link{*source, *target};
}

/// The tokens of each word.
std::vector<std::vector<int32_t>> tokens_of_words(const Words& words) {
  std::vector<std::vector<int32_t>> tokens(words.texts.size());
  for (size_t t = 0; t < words.of_token.size(); ++t) {
    tokens[words.of_token[t]].push_back(static_cast<int32_t>(t));
  }
  return tokens;
}

}  // namespace

std::vector<int32_t> token_links(const std::string& line, const Words& source, const Words& target,
                                 const std::string& where) {
  const auto source_tokens = tokens_of_words(source);
  const auto target_tokens = tokens_of_words(target);
  std::vector<int32_t> links;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) {
    const auto link = parse_link(word);
    if (!link) {
      throw Error(fmt::format(
          "{}: '{}' is not a link; write SOURCE-TARGET, such as 0-1; words count from 0", where,
          word));
    }
    if (link->first >= source_tokens.size() || link->second >= target_tokens.size()) {
      throw Error(fmt::format(
          "{}: link {} is outside the pair, which has {} and {} words; words count from 0", where,
          word, source_tokens.size(), target_tokens.size()));
    }
    for (const int32_t target_token : target_tokens[link->second]) {
      for (const int32_t source_token : source_tokens[link->first]) {
        links.push_back(source_token);
        links.push_back(target_token);
      }
    }
  }
  return links;
}

}  // namespace nmt
