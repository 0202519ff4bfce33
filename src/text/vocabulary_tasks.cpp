#include "text/vocabulary_tasks.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "files/file.h"
#include "text/model_description.h"
#include "text/tokenizer.h"

namespace nmt {

std::string write_vocabulary(const TokenizerTraining& training, const std::filesystem::path& output,
                             bool overwrite) {
  require_absent(output, overwrite);
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
  for (int32_t id = 0; id < count; ++id) text += fmt::format("{}\t{}\n", id, tokenizer.piece(id));
  return text;
}

}  // namespace nmt
