#include "export/simple_nmt.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "errors/error.h"
#include "export/torch_file.h"
#include "text/special_tokens.h"
#include "text/word_vocabulary.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

using Kind = PickleValue::Kind;

constexpr int64_t kNoRow = -1;

/// A vocabulary in this program's order.
struct Words {
  std::vector<std::string> words;  // after the special tokens
  std::vector<int64_t> rows;       // of each id in the file's matrices; kNoRow: zeros
};

const PickleValue& require(const PickleValue* value, Kind kind, const std::string& what) {
  if (value == nullptr || value->kind != kind) throw Error(what);
  return *value;
}

/// The words of torchtext's Vocab.itos, by ids.
std::vector<std::string> words_of(const PickleValue& root, const char* name,
                                  const std::string& path) {
  const auto where = path + ": " + name;
  const auto& vocabulary =
      require(root.find(name), Kind::kObject, where + ": missing; not a model of simple-nmt");
  const auto& list =
      require(vocabulary.find("itos"), Kind::kList, where + ": not a vocabulary of torchtext");
  std::vector<std::string> words;
  for (const auto* item : list.items) {
    words.emplace_back(require(item, Kind::kText, where + ": holds what is no word").text);
    if (find_invalid_utf8(words.back())) throw Error(where + ": holds a word of invalid UTF-8");
  }
  return words;
}

Words reorder(const std::vector<std::string>& found, const std::string& where) {
  Words words;
  std::set<std::string> seen;
  for (const char* special : {"<pad>", "<unk>", "<BOS>", "<EOS>"}) {  // kPadId, kUnknownId, …
    const auto place = std::find(found.begin(), found.end(), special);
    words.rows.push_back(place == found.end() ? kNoRow : place - found.begin());
    seen.insert(special);
  }
  for (size_t i = 0; i < found.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    if (std::find(words.rows.begin(), words.rows.begin() + 4, row) != words.rows.begin() + 4) {
      continue;
    }
    if (!seen.insert(found[i]).second)
      throw Error(where + ": '" + printable(found[i]) + "' occurs twice");
    words.words.push_back(found[i]);
    words.rows.push_back(row);
  }
  if (words.rows[kPadId] == kNoRow || words.rows[kUnknownId] == kNoRow) {
    throw Error(where + ": lacks <pad> or <unk>; not a vocabulary of simple-nmt");
  }
  return words;
}

/// The rows in this program's order.
torch::Tensor select_rows(const torch::Tensor& tensor, const std::vector<int64_t>& rows,
                          const std::string& where) {
  if (tensor.size(0) != *std::max_element(rows.begin(), rows.end()) + 1) {
    throw Error(where + ": has " + std::to_string(tensor.size(0)) +
                " rows, which is not the size of the vocabulary");
  }
  std::vector<torch::Tensor> selected;
  const auto zeros = torch::zeros_like(tensor[0]);
  for (const auto row : rows) selected.push_back(row == kNoRow ? zeros : tensor[row]);
  return torch::stack(selected);
}

bool is_true(const PickleValue& config, const char* name) {
  const auto* value = config.find(name);
  return value != nullptr && value->number != 0;
}

ModelConfig model_config(const TensorFile& weights, const PickleValue& config) {
  ModelConfig model;
  model.cell = Cell::kLstm;
  model.embedding_size = weights.at("emb_src.weight").size(-1);
  model.hidden_size = weights.at("concat.weight").size(0);
  const auto layers = std::count_if(
      weights.tensors.begin(), weights.tensors.end(),
      [](const auto& entry) { return entry.name.rfind("decoder.rnn.weight_ih_l", 0) == 0; });
  model.num_layers = std::max<int64_t>(layers, 1);
  const auto* dropout = config.find("dropout");
  if (dropout != nullptr && dropout->real >= 0 && dropout->real < 1) model.dropout = dropout->real;
  return model;
}

}  // namespace

ForeignModel read_simple_nmt(const std::filesystem::path& path) {
  const TorchFile file(path);
  const auto name = path.string();
  const auto& root = require(&file.root(), Kind::kDict, name + ": not a model of simple-nmt");
  const auto& config = require(root.find("config"), Kind::kObject,
                               name + ": holds no config; not a model of simple-nmt");
  if (is_true(config, "use_transformer")) {
    throw Error(name + ": a Transformer; only recurrent models of simple-nmt can be imported");
  }
  const auto& model =
      require(root.find("model"), Kind::kDict,
              name + ": holds no single model; models of dual learning cannot be imported");
  auto source = reorder(words_of(root, "src_vocab", name), name + ": src_vocab");
  auto target = reorder(words_of(root, "tgt_vocab", name), name + ": tgt_vocab");
  if (source.rows[kBosId] != kNoRow) {
    throw Error(name + ": marks the begin of sources with <BOS>, which nmt does not");
  }
  if (target.rows[kBosId] == kNoRow || target.rows[kEosId] == kNoRow) {
    throw Error(name + ": tgt_vocab lacks <BOS> or <EOS>");
  }
  ForeignModel foreign;
  foreign.weights.path = name;
  for (size_t i = 0; i < model.items.size(); i += 2) {
    const std::string key(model.items[i]->text);
    auto tensor = file.tensor(*model.items[i + 1], key);
    const auto where = name + ": " + key;
    if (key == "emb_src.weight") tensor = select_rows(tensor, source.rows, where);
    if (key == "emb_dec.weight" || key.rfind("generator.output.", 0) == 0) {
      tensor = select_rows(tensor, target.rows, where);
    }
    foreign.weights.tensors.push_back({key, tensor});
  }
  foreign.settings.model = model_config(foreign.weights, config);
  foreign.source_vocabulary =
      word_vocabulary(source.words, SpaceMarks::kNone, name + ": src_vocab");
  foreign.target_vocabulary =
      word_vocabulary(target.words, find_space_marks(target.words), name + ": tgt_vocab");
  return foreign;
}

}  // namespace nmt
