#include "text/composed_form.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "unicode/code_points.h"

namespace nmt {
namespace {

double not_composed_share(const std::vector<std::string>& lines) {
  const auto others = std::count_if(lines.begin(), lines.end(),
                                    [](const auto& line) { return !is_composed(line); });
  return static_cast<double>(others) / static_cast<double>(std::max<size_t>(lines.size(), 1));
}

}  // namespace

bool is_composed(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii || to_nfc(text) == text;
}

std::string composed_form_warning(const std::vector<std::string>& references,
                                  const std::vector<std::string>& translations) {
  const double theirs = not_composed_share(references);
  const double ours = not_composed_share(translations);
  if (std::abs(theirs - ours) <= kNotComposedShare) return "";
  return fmt::format(
      "{:.0f} % of the references and {:.0f} % of the translations are not in Unicode's composed "
      "form (NFC); scores count letters in different forms as wrong: convert both, e.g. with "
      "uconv -x any-nfc",
      100 * theirs, 100 * ours);
}

}  // namespace nmt
