#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace nmt {

/// What a model translates from and into, as codes like "ko" and "en"; "xx" where nobody knows.
struct Direction {
  std::string source = "xx";
  std::string target = "xx";
};

/// From the endings of the corpora that the model was trained on: train.ko and train.en.
Direction guess_direction(const std::filesystem::path& model);

/// The language's English name, or its code where that is not known.
std::string language_name(const std::string& code);

/// How much of the text, from 0 to 1, is written in the script of the language: of its letters,
/// those of that script. 0.5 for a text without letters and for "xx".
double script_share(std::string_view text, const std::string& code);

/// Throws UsageError unless `code` is 2 to 12 letters, digits and '-'.
void require_language_code(const std::string& code);

}  // namespace nmt
