#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/settings.h"

namespace nmt {

/// What a model translates from and into, as codes such as "ko"; "xx" when unknown.
struct Direction {
  std::string source = "xx";
  std::string target = "xx";
};

bool operator==(const Direction& a, const Direction& b);

/// "de to en, en to fr"
std::string directions_text(const std::vector<Direction>& directions);

/// From the extensions of the model's training corpora, train.ko and train.en, or its own name,
/// ko-en or ko-en.nmt.
Direction guess_direction(const Settings& settings, const std::filesystem::path& model);

/// What a model of several target languages was trained to translate: other directions are worse
/// than two of these, through a third language. Ordinary models: guess_direction.
std::vector<Direction> directions_of(const Settings& settings, const std::filesystem::path& model,
                                     const std::vector<std::string>& target_languages);

/// What directions_of leaves out, with the training file as the source: its ending names no
/// language, while those of others do.
std::vector<Direction> directions_left_out(const Settings& settings);

/// Whether a model's language is the one that is asked for, as zh is zh-TW; a model's "xx" is any.
bool same_language(const std::string& of_model, const std::string& wanted);

/// "pt" of "pt-BR", "PT_br" and "pt@dialect".
std::string primary_language(const std::string& code);

/// The language's English name, or its code if unknown.
std::string language_name(const std::string& code);

/// Throws UsageError unless `code` is a language tag of BCP 47 such as "ko" or "zh-TW".
void require_language_code(const std::string& code);

}  // namespace nmt
