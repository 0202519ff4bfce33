#include <ATen/ATen.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>

#include "checkpoint/safetensors_header.h"
#include "errors/error.h"
#include "export/foreign_model.h"
#include "text/word_vocabulary.h"
#include "unicode/characters.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using Kind = PickleValue::Kind;

const std::string kEmbedding = "embeddings.make_embedding.emb_luts.0.weight";
const std::string kEncoder = "encoder.rnn.";
const std::string kDecoder = "decoder.rnn.";
const std::string kCells = "decoder.rnn.layers.";  // with input feeding

struct Requirement {
  const char* option;
  std::vector<std::string> values;  // values that this program supports
};

const std::vector<Requirement> kRequirements = {{"model_type", {"text"}},
                                                {"model_task", {"seq2seq"}},
                                                {"decoder_type", {"rnn"}},
                                                {"encoder_type", {"brnn", "rnn"}},
                                                {"rnn_type", {"LSTM", "GRU"}},
                                                {"global_attention", {"general", "dot"}},
                                                {"global_attention_function", {"softmax"}},
                                                {"generator_function", {"softmax", "log_softmax"}},
                                                {"context_gate", {"None"}},
                                                {"copy_attn", {"False"}},
                                                {"coverage_attn", {"False"}},
                                                {"bridge", {"False"}},
                                                {"position_encoding", {"False"}}};

/// As Python prints it; numbers count as booleans.
std::string text_of(const PickleValue& value) {
  if (value.kind == Kind::kText) return std::string(value.text);
  if (value.kind == Kind::kNone) return "None";
  return value.number == 0 ? "False" : "True";
}

std::string option(const PickleValue& options, const char* name, const std::string& otherwise) {
  const auto* value = options.find(name);
  return value == nullptr ? otherwise : text_of(*value);
}

void require_known_design(const PickleValue& options, const std::string& name) {
  for (const auto& [key, values] : kRequirements) {
    const auto found = option(options, key, values.front());
    if (std::find(values.begin(), values.end(), found) != values.end()) continue;
    throw Error(name + ": trained with " + key + " " + quoted(found) + "; only models with " + key +
                " " + values.front() + " can be imported");
  }
}

const PickleValue& require(const PickleValue* value, const std::string& name, const char* key) {
  if (value == nullptr) throw Error(name + ": lacks " + key + "; not a model of OpenNMT-py");
  return *value;
}

/// The value of that key in a dict or in a list of pairs; null without it.
const PickleValue* entry(const PickleValue& values, std::string_view key) {
  if (values.kind != Kind::kList) return values.find(key);
  for (const auto* pair : values.items) {
    if (pair->kind != Kind::kList || pair->items.size() != 2) continue;
    if (pair->items[0]->kind == Kind::kText && pair->items[0]->text == key) return pair->items[1];
  }
  return nullptr;
}

/// OpenNMT-py 1 and 2 save a torchtext field, which has a Vocab, or a field of several such fields;
/// version 3 saves a list.
const PickleValue& vocabulary_in(const PickleValue& field, const char* side) {
  const auto* found = &field;
  if (const auto* fields = found->find("fields")) found = fields;
  if (const auto* named = entry(*found, side)) found = named;
  const auto* vocabulary = found->find("vocab");
  return vocabulary == nullptr ? *found : *vocabulary;
}

ForeignVocabulary vocabulary_of(const TorchFile& file, const char* side, bool is_target) {
  const auto& all = require(file.root().find("vocab"), file.path(), "vocab");
  const auto where = file.path() + ": " + side;
  const auto words =
      words_of(vocabulary_in(require(entry(all, side), file.path(), side), side), where);
  const bool blank = std::find(words.begin(), words.end(), "<blank>") != words.end();
  auto vocabulary = reorder(words, {blank ? "<blank>" : "<pad>", "<unk>", "<s>", "</s>"}, where);
  // <s> and </s> of the source vocabulary are never used.
  if (is_target && std::find(vocabulary.rows.begin(), vocabulary.rows.end(),
                             ForeignVocabulary::kNoRow) != vocabulary.rows.end()) {
    throw Error(where + ": lacks <s> or </s>");
  }
  const auto* start = all.find("decoder_start_token");
  if (start != nullptr && text_of(*start) != "<s>") {
    throw Error(file.path() + ": begins translations with " + quoted(text_of(*start)) +
                "; only models with decoder_start_token <s> can be imported");
  }
  return vocabulary;
}

/// The name that this program gives the parameter; an unknown `key` is returned as it is, and
/// load_state_dict reports it.
std::string our_name(const std::string& key) {
  static const std::map<std::string, std::string> names = {
      {"encoder." + kEmbedding, "emb_src.weight"},
      {"decoder." + kEmbedding, "emb_dec.weight"},
      {"decoder.attn.linear_in.weight", "attn.linear.weight"},
      {"decoder.attn.linear_out.weight", "concat.weight"},
      {"0.weight", "generator.output.weight"},
      {"0.bias", "generator.output.bias"},
      {"weight", "generator.output.weight"},
      {"bias", "generator.output.bias"}};
  const auto found = names.find(key);
  if (found != names.end()) return found->second;
  if (!begins_with(key, kCells)) return key;
  const auto dot = key.find('.', kCells.size());
  if (dot == std::string::npos) return key;
  return kDecoder + key.substr(dot + 1) + "_l" + key.substr(kCells.size(), dot - kCells.size());
}

/// Converts a tensor: rows in this program's vocabulary order, and concat.weight with the columns
/// of h before those of c.
torch::Tensor our_tensor(const torch::Tensor& tensor, const std::string& name,
                         const ForeignVocabulary& source, const ForeignVocabulary& target,
                         const std::string& where) {
  if (name != "concat.weight" || tensor.dim() != 2) {
    return in_our_order(tensor, name, source, target, where);
  }
  const auto halves = tensor.chunk(2, /*dim=*/1);
  return halves.size() == 2 ? torch::cat({halves[1], halves[0]}, /*dim=*/1) : tensor;
}

const AttentionKind& attention_of(const PickleValue& options) {
  return option(options, "global_attention", "general") == "dot" ? dot_attention()
                                                                 : general_attention();
}

ModelConfig config_of(const TensorFile& weights, const PickleValue& options) {
  const auto& name = weights.path;
  auto model = recurrent_config(weights, options);
  if (option(options, "rnn_type", "LSTM") == "GRU") model.cell = Cell::kGru;
  model.attention = &attention_of(options);
  model.input_feeding = option(options, "input_feed", "True") != "False";
  if (option(options, "share_decoder_embeddings", "False") == "True") {
    model.tied_embeddings = TiedEmbeddings::kTarget;
  }
  if (weights.find(kEncoder + "weight_ih_l0_reverse") == nullptr) {
    throw Error(
        name +
        ": has an encoder of one direction; only models with encoder_type brnn can be imported");
  }
  if (model.num_layers != count_layers(weights, kEncoder)) {
    throw Error(name +
                ": enc_layers and dec_layers differ; only models with as many can be imported");
  }
  if (weights.at("emb_dec.weight").size(-1) != model.embedding_size) {
    throw Error(name +
                ": src_word_vec_size and tgt_word_vec_size differ; only models with one "
                "word_vec_size can be imported");
  }
  return model;
}

}  // namespace

bool is_opennmt_py(const TorchFile& file) {
  const auto& root = file.root();
  return root.find("vocab") != nullptr || root.find("generator") != nullptr;
}

ForeignModel read_opennmt_py(const TorchFile& file) {
  const auto& name = file.path();
  const auto& options = require(file.root().find("opt"), name, "opt");
  require_known_design(options, name);
  const auto source = vocabulary_of(file, "src", /*is_target=*/false);
  const auto target = vocabulary_of(file, "tgt", /*is_target=*/true);
  ForeignModel foreign;
  foreign.weights.path = name;
  for (const auto* part : {"model", "generator"}) {
    const auto& tensors = require(file.root().find(part), name, part);
    if (tensors.kind != Kind::kDict) throw Error(name + ": " + part + " holds no tensors");
    for (size_t i = 0; i < tensors.items.size(); i += 2) {
      const auto key = printable(tensors.items[i]->text);
      if (key.find("emb_luts.1.") != std::string::npos) {
        throw Error(name + ": trained with word features; only models without can be imported");
      }
      const auto ours = our_name(key);
      const auto tensor = file.tensor(*tensors.items[i + 1], key);
      foreign.weights.tensors.push_back(
          {ours, our_tensor(tensor, ours, source, target, fmt::format("{}: {}", name, key))});
    }
  }
  foreign.settings.model = config_of(foreign.weights, options);
  const auto hidden_size = foreign.settings.model.hidden_size;
  foreign.weights.tensors.push_back({"concat.bias", torch::zeros({hidden_size})});
  foreign.source_vocabulary = word_vocabulary(source.words, SpaceMarks::kNone, name + ": src");
  foreign.target_vocabulary =
      word_vocabulary(target.words, find_space_marks(target.words), name + ": tgt");
  return foreign;
}

}  // namespace nmt
