#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// Whether the text is in Unicode's composed form (NFC), as models write it by default.
bool is_composed(std::string_view text);

/// Scores suffer if a larger share of lines is not in composed form.
constexpr double kNotComposedShare = 0.01;

/// Text of warnings about such lines.
constexpr char kNotComposed[] =
    "not in Unicode's composed form (NFC); scores count letters in different forms as wrong: "
    "convert all texts, e.g. with uconv -x any-nfc";

/// Warns if the references and the translations differ in their share of lines in composed form by
/// more than kNotComposedShare; "" otherwise.
std::string composed_form_warning(const std::vector<std::string>& references,
                                  const std::vector<std::string>& translations);

}  // namespace nmt
