#include "text/vocabulary_tasks.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "errors/error.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "numbers/parse.h"
#include "text/model_description.h"
#include "text/tokenizer.h"

namespace nmt {
namespace {

std::vector<int32_t> parse_ids(const std::string& line, int64_t line_number) {
  std::istringstream words(line);
  std::vector<int32_t> ids;
  for (std::string word; words >> word;) {
    const auto id = parse_number<int32_t>(word);
    if (!id) {
      throw Error(fmt::format(
          "standard input: line {}: '{}' is not a token id; use numbers separated by spaces",
          line_number, word));
    }
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace

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

void encode_standard_input(const std::filesystem::path& model, EncodingFormat format) {
  const auto tokenizer = Tokenizer::from_file(model);
  OutputFile output("-");
  std::string line;
  for (LineReader reader("-"); reader.next(line);) {
    std::string encoded;
    for (const int32_t id : tokenizer.encode(line)) {
      encoded += (encoded.empty() ? "" : " ") +
                 (format == EncodingFormat::kIds ? std::to_string(id) : tokenizer.piece(id));
    }
    output.write(encoded + "\n");
  }
}

void decode_standard_input(const std::filesystem::path& model) {
  const auto tokenizer = Tokenizer::from_file(model);
  OutputFile output("-");
  std::string line;
  for (LineReader reader("-"); reader.next(line);) {
    const auto ids = parse_ids(line, reader.line_number());
    std::string text;
    try {
      text = tokenizer.decode(ids);
    } catch (const Error& error) {
      throw Error(fmt::format("standard input: line {}: {}", reader.line_number(), error.what()));
    }
    output.write(text + "\n");
  }
}

}  // namespace nmt
