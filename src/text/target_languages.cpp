#include "text/target_languages.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "config/choice.h"
#include "files/file.h"
#include "text/model_description.h"

namespace nmt {
namespace {

constexpr std::string_view kBegin = "<2";
constexpr std::string_view kEnd = ">";
constexpr size_t kLongestCode = 32;

bool is_code(std::string_view code) {
  return !code.empty() && code.size() <= kLongestCode &&
         code.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
             std::string_view::npos;
}

/// The code of a piece; "" of others.
std::string_view code_of(std::string_view piece) {
  if (piece.substr(0, kBegin.size()) != kBegin || piece.back() != kEnd.front()) return {};
  const auto code = piece.substr(kBegin.size(), piece.size() - kBegin.size() - kEnd.size());
  return is_code(code) ? code : std::string_view();
}

}  // namespace

std::string language_piece(const std::string& code) {
  return std::string(kBegin) + code + std::string(kEnd);
}

std::string language_marker(const std::string& code) {
  return code.empty() ? "" : language_piece(code) + " ";
}

void require_language_name(const std::string& code) {
  if (is_code(code)) return;
  throw Error("'" + code + "' is not a language code; use one such as de or zh-TW");
}

MarkedLine split_marker(std::string_view line) {
  const auto space = line.find(' ');
  const auto code = space == 0 ? std::string_view() : code_of(line.substr(0, space));
  if (code.empty()) return {"", line};
  const auto marker = line.substr(0, space == std::string_view::npos ? space : space + 1);
  return {std::string(code), line.substr(marker.size())};
}

Tokenizer with_languages(const Tokenizer& tokenizer, const std::vector<std::string>& codes,
                         const std::string& name) {
  auto known = TargetLanguages(tokenizer).codes();
  auto model = tokenizer.bytes();
  for (const auto& code : codes) {
    if (std::find(known.begin(), known.end(), code) != known.end()) continue;
    known.push_back(code);
    const auto piece = language_piece(code);
    for (int32_t id = 0; id < tokenizer.vocabulary_size(); ++id) {
      if (tokenizer.piece(id) != piece) continue;
      throw Error(fmt::format(
          "{}: its piece {} stands for text; use a vocabulary without it, or another code", name,
          piece));
    }
    model += sentence_piece(piece, PieceType::kControl);  // messages are joined by appending
  }
  return Tokenizer::from_bytes(std::move(model), name);
}

TargetLanguages::TargetLanguages(const Tokenizer& source) {
  for (int32_t id = 0; id < source.vocabulary_size(); ++id) {
    const auto code = code_of(source.piece(id));
    if (code.empty()) continue;
    const auto tokens = source.encode(source.piece(id));
    if (std::find(tokens.begin(), tokens.end(), id) != tokens.end()) continue;  // stands for text
    codes_.emplace_back(code);
    tokens_.push_back(id);
  }
}

void TargetLanguages::require(const std::string& code) const {
  if (std::find(codes_.begin(), codes_.end(), code) != codes_.end()) return;
  if (empty()) {
    throw UnknownLanguage("target language '" + code +
                          "': the model translates into one language only; leave it out");
  }
  throw UnknownLanguage("target language '" + code + "': unknown to the model; use one of " +
                        list_of(codes_));
}

TargetLanguages::Line TargetLanguages::read(std::string_view line, const std::string& code,
                                            const std::string& option) const {
  if (empty()) return {kPadId, line};
  const auto [own, text] = code.empty() ? split_marker(line) : MarkedLine{code, line};
  if (own.empty() && text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
  if (own.empty()) {
    throw UnknownLanguage("target language: not given; use one of " + list_of(codes_) +
                          ", at the beginning of each line (" + language_piece(codes_.front()) +
                          " and a space)" + (option.empty() ? "" : " or with " + option));
  }
  require(own);
  const auto place = std::find(codes_.begin(), codes_.end(), own) - codes_.begin();
  return {tokens_[static_cast<size_t>(place)], text};
}

void TargetLanguages::require_lines(const std::vector<std::string>& lines, const std::string& file,
                                    const std::string& option, size_t first_line) const {
  bool named = first_line > 1;
  for (size_t i = 0; i < lines.size(); ++i) {
    try {
      named = read(lines[i], "", option).token != kPadId || named;
    } catch (const UnknownLanguage& error) {
      const auto message = (file.empty() ? "" : shown_name(file) + ": ") + "line " +
                           std::to_string(first_line + i) + ": " + error.what();
      if (named) throw Error(message);
      throw UsageError(message);
    }
  }
}

std::vector<int32_t> TargetLanguages::Line::tokens(std::vector<int32_t> of_text) const {
  if (token != kPadId && !of_text.empty()) of_text.insert(of_text.begin(), token);
  return of_text;
}

std::vector<int32_t> TargetLanguages::encode(std::string_view line, const Tokenizer& source) const {
  const auto read_line = read(line);
  return read_line.tokens(source.encode(read_line.text));
}

bool TargetLanguages::in_front_of(const std::vector<int32_t>& tokens) const {
  return !tokens.empty() &&
         std::find(tokens_.begin(), tokens_.end(), tokens.front()) != tokens_.end();
}

}  // namespace nmt
