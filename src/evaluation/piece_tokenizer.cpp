#include "evaluation/piece_tokenizer.h"

#include <memory>
#include <string>
#include <utility>

#include "errors/error.h"
#include "files/file.h"
#include "text/sentencepiece.h"

namespace nmt {

OtherTokenizer piece_tokenizer(const std::filesystem::path& model) {
  const auto bytes = read_file(model);
  // An empty message is a valid one for Protobuf, but no model.
  std::shared_ptr<const SentencePieceModel> pieces =
      bytes.empty() ? nullptr : sentencepiece().load(bytes);
  if (pieces == nullptr) {
    throw Error(model.string() +
                ": not a SentencePiece model; use one, or a tokenizer's name (nmt help evaluate)");
  }
  return {model.stem().string(), [pieces](const std::string& line) {
            auto words = pieces->encode_as_text(line);
            if (!words) throw Error("the SentencePiece model cannot segment '" + line + "'");
            return *std::move(words);
          }};
}

}  // namespace nmt
