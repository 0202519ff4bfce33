#include "formats/n_best_list.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "errors/error.h"
#include "numbers/parse.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr std::string_view kBar = "|||";

/// Cuts off the last bar and returns what follows it; nullopt without a bar.
std::optional<std::string_view> take_last(std::string_view& line) {
  const auto bar = line.rfind(kBar);
  if (bar == std::string_view::npos) return {};
  const auto last = trimmed(line.substr(bar + kBar.size()));
  line = line.substr(0, bar);
  return last;
}

}  // namespace

void NBestEntry::add_feature(const std::string& name, double value) {
  if ((" " + features).find(" " + name + "= ") != std::string::npos) {
    throw Error("has a feature " + name + " already; use --feature with another name");
  }
  features += fmt::format("{}{}= {:.6f}", features.empty() ? "" : " ", name, value);
}

std::string format_n_best_entry(const NBestEntry& entry) {
  return fmt::format("{} ||| {} ||| {} ||| {:.6f}\n", entry.line, entry.text, entry.features,
                     entry.score);
}

NBestEntry parse_n_best_entry(const std::string& line) {
  std::string_view rest = line;
  const auto score_text = take_last(rest);
  const auto features = take_last(rest);
  const auto bar = rest.find(kBar);
  if (!score_text || !features || bar == std::string_view::npos) {
    throw Error("not LINE ||| TRANSLATION ||| FEATURES ||| SCORE; use nmt translate --n-best");
  }
  const auto number = parse_number<int64_t>(trimmed(rest.substr(0, bar)));
  const auto score = parse_number<double>(*score_text);
  if (!number || *number < 0) throw Error("must begin with a line number, counted from 0");
  // -inf is the score of a translation that a model considers impossible.
  if (!score || !(*score < HUGE_VAL)) throw Error("does not end with a score");
  return {*number, std::string(trimmed(rest.substr(bar + kBar.size()))), std::string(*features),
          *score};
}

}  // namespace nmt
