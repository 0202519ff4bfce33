#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/settings.h"

namespace nmt {

/// The source and target language of a model, as codes such as "ko"; "xx" if unknown.
struct Direction {
  std::string source = "xx";
  std::string target = "xx";
};

bool operator==(const Direction& a, const Direction& b);

/// "de to en, en to fr"
std::string directions_text(const std::vector<Direction>& directions);

/// Guesses from the extensions of the training corpora, such as train.ko and train.en, or else from
/// the model's name, such as ko-en or ko-en.nmt. Without these, a three-letter extension counts
/// if the other language is known: train.ckb and train.en.
Direction guess_direction(const Settings& settings, const std::filesystem::path& model);

/// The directions that a model with several target languages was trained on; for other directions,
/// pivoting through a third language is better. For other models, guess_direction().
std::vector<Direction> directions_of(const Settings& settings, const std::filesystem::path& model,
                                     const std::vector<std::string>& target_languages);

/// The directions that directions_of() leaves out because the source file's extension names no
/// language while others' do. `source` is that file.
std::vector<Direction> directions_left_out(const Settings& settings);

/// Whether a model's language matches the requested one, ignoring the region; "xx" matches any.
bool same_language(const std::string& of_model, const std::string& wanted);

/// "pt" of "pt-BR", "PT_br" and "pt@dialect".
std::string primary_language(const std::string& code);

/// The language's English name, or its code if unknown.
std::string language_name(const std::string& code);

/// Throws UsageError unless `code` is a language tag of BCP 47 such as "ko" or "zh-TW".
void require_language_code(const std::string& code);

}  // namespace nmt
