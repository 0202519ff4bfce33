#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace nmt {

/// What a model translates from and into, as codes such as "ko"; "xx" when unknown.
struct Direction {
  std::string source = "xx";
  std::string target = "xx";
};

/// From the extensions of the model's training corpora: train.ko and train.en.
Direction guess_direction(const std::filesystem::path& model);

/// The language's English name, or its code if unknown.
std::string language_name(const std::string& code);

/// The share of the text's letters that belong to the language's script, from 0 to 1. 0.5 for a
/// text without letters and for "xx".
double script_share(std::string_view text, const std::string& code);

/// Throws UsageError unless `code` is a language tag of BCP 47 such as "ko" or "zh-TW".
void require_language_code(const std::string& code);

}  // namespace nmt
