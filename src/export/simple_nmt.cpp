#include <spdlog/fmt/fmt.h>

#include "errors/error.h"
#include "export/foreign_model.h"
#include "text/special_tokens.h"
#include "text/word_vocabulary.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

using Kind = PickleValue::Kind;

constexpr SpecialNames kSpecial = {"<pad>", "<unk>", "<BOS>", "<EOS>"};

const PickleValue& require(const PickleValue* value, Kind kind, const std::string& where,
                           const char* problem) {
  if (value == nullptr || value->kind != kind) throw Error(where + problem);
  return *value;
}

ForeignVocabulary vocabulary_of(const TorchFile& file, const char* name) {
  const auto where = file.path() + ": " + name;
  const auto& vocabulary =
      require(file.root().find(name), Kind::kObject, where, ": missing; not a model of simple-nmt");
  return reorder(words_of(vocabulary, where), kSpecial, where);
}

bool has(const ForeignVocabulary& vocabulary, int32_t special) {
  return vocabulary.rows[static_cast<size_t>(special)] != ForeignVocabulary::kNoRow;
}

bool is_true(const PickleValue& config, const char* name) {
  const auto* value = config.find(name);
  return value != nullptr && value->number != 0;
}

}  // namespace

ForeignModel read_simple_nmt(const TorchFile& file) {
  const auto& name = file.path();
  const auto& root = require(&file.root(), Kind::kDict, name, ": not a model of simple-nmt");
  const auto& config = require(root.find("config"), Kind::kObject, name,
                               ": holds no config; not a model of simple-nmt");
  if (is_true(config, "use_transformer")) {
    throw Error(name + ": a Transformer; only recurrent models of simple-nmt can be imported");
  }
  const auto& model =
      require(root.find("model"), Kind::kDict, name,
              ": holds no single model; models of dual learning cannot be imported");
  const auto source = vocabulary_of(file, "src_vocab");
  const auto target = vocabulary_of(file, "tgt_vocab");
  if (has(source, kBosId)) {
    throw Error(name + ": marks the beginning of sources with <BOS>, which nmt does not");
  }
  if (!has(target, kBosId) || !has(target, kEosId)) {
    throw Error(name + ": tgt_vocab lacks <BOS> or <EOS>");
  }
  ForeignModel foreign;
  foreign.weights.path = name;
  for (size_t i = 0; i < model.items.size(); i += 2) {
    const auto key = printable(model.items[i]->text);
    const auto tensor = file.tensor(*model.items[i + 1], key);
    foreign.weights.tensors.push_back(
        {key, in_our_order(tensor, key, source, target, fmt::format("{}: {}", name, key))});
  }
  foreign.settings.model = recurrent_config(foreign.weights, config);
  foreign.source_vocabulary =
      word_vocabulary(source.words, SpaceMarks::kNone, name + ": src_vocab");
  foreign.target_vocabulary =
      word_vocabulary(target.words, find_space_marks(target.words), name + ": tgt_vocab");
  return foreign;
}

}  // namespace nmt
