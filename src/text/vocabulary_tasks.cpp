#include "text/vocabulary_tasks.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "files/file.h"
#include "text/model_description.h"
#include "text/placeholders.h"
#include "text/tokenizer.h"

namespace nmt {
namespace {

/// The kinds in the texts, as if each were both sides of a corpus. Leaves out texts that can be
/// read only once.
std::vector<SpanKind> kinds_in(const std::vector<std::filesystem::path>& corpora) {
  std::vector<std::string> texts;
  for (const auto& path : corpora) {
    if (!is_readable_once(path)) texts.push_back(path.string());
  }
  return find_placeholders(texts, texts);
}

/// Placeholders are invisible.
std::string shown_piece(const std::string& piece) {
  constexpr std::pair<SpanKind, const char*> kShown[] = {{SpanKind::kUrl, "U+E001 (URL)"},
                                                         {SpanKind::kEmail, "U+E002 (e-mail)"},
                                                         {SpanKind::kEmoji, "U+E003 (emoji)"}};
  for (const auto& [kind, shown] : kShown) {
    if (piece == placeholder_of(kind)) return shown;
  }
  return piece;
}

}  // namespace

std::string write_vocabulary(TokenizerTraining training, const std::filesystem::path& output,
                             bool overwrite) {
  require_absent(output, overwrite);
  training.placeholders = kinds_in(training.corpora);
  const auto bytes = train_tokenizer(training);
  const auto tokenizer = Tokenizer::from_bytes(bytes, output.string());
  write_file_atomically(output, bytes);
  const bool fewer = tokenizer.vocabulary_size() < training.vocabulary_size;
  return fmt::format("{}: {} pieces{}\n", output.string(), tokenizer.vocabulary_size(),
                     fewer ? "; the text supports no more" : "");
}

std::string describe_vocabulary_file(const std::filesystem::path& model, int64_t num_pieces) {
  const auto tokenizer = Tokenizer::from_file(model);
  const auto description = describe_sentencepiece_model(tokenizer.bytes());
  const auto& rule = description.normalization;
  auto text = fmt::format(
      "size {}\ntype {}\nnormalization {}\nbyte_fallback {}\npad {}  unknown {}  bos {}  eos {}\n",
      tokenizer.vocabulary_size(), description.type, rule.empty() ? "unnamed" : rule,
      description.byte_fallback, kPadId, kUnknownId, kBosId, kEosId);
  const auto count = std::min<int64_t>(tokenizer.vocabulary_size(), num_pieces);
  for (int32_t id = 0; id < count; ++id) {
    text += fmt::format("{}\t{}\n", id, shown_piece(tokenizer.piece(id)));
  }
  return text;
}

}  // namespace nmt
