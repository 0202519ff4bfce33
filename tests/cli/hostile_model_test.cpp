#include <cstring>
#include <limits>

#include "cli/hostile_fixtures.h"
#include "cli/hostile_input.h"
#include "support/catch.h"

namespace nmt {
namespace {

/// Weights that are not finite, without the checksum that would tell.
std::string weights_with(float value) {
  auto bytes = replaced(sample_file("model.safetensors"), "\"sha256\"", "\"sha257\"");
  for (size_t at = bytes.size() - 4000; at + sizeof(value) <= bytes.size(); at += sizeof(value)) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
  }
  return bytes;
}

std::string flipped(std::string bytes, size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
  return bytes;
}

/// A vocabulary other than the sample's.
void make_vocabulary(const std::filesystem::path& path) {
  const auto command = std::string(NMT_PROGRAM " vocab --size 60 --type bpe -i " NMT_SOURCE_DIR
                                               "/data/sample/test.en -o ") +
                       path.string() + " > /dev/null 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
}

struct BrokenModel {
  std::string name;
  std::string file;
  std::string content;
  std::string says;
};

std::vector<BrokenModel> broken_models() {
  using std::string_literals::operator""s;
  const auto config = sample_file("config.yaml");
  const auto weights = sample_file("model.safetensors");
  const auto spm = sample_file("source.spm");
  const auto with = [&](const std::string& from, const std::string& to) {
    return replaced(config, from, to);
  };
  return {
      {"empty_weights", "model.safetensors", "", "shorter than its own header"},
      {"cut_header", "model.safetensors", weights.substr(0, 100), "header claims"},
      {"cut_weights", "model.safetensors", weights.substr(0, weights.size() / 2),
       "cut off?); copy it again"},
      {"long_weights", "model.safetensors", weights + "x", "other bytes than its tensors"},
      {"flipped_weights", "model.safetensors", flipped(weights, weights.size() - 9), "checksum"},
      {"noise_weights", "model.safetensors", noise(5000), "not a valid safetensors"},
      {"text_weights", "model.safetensors", "hello\n", "not a valid safetensors"},
      {"huge_header", "model.safetensors", "\0\0\0\0\0\0\0\x40{}"s, "not a valid safetensors"},
      {"nan_weights", "model.safetensors", weights_with(std::numeric_limits<float>::quiet_NaN()),
       "checksum is missing"},
      {"infinite_weights", "model.safetensors",
       weights_with(std::numeric_limits<float>::infinity()), "checksum is missing"},
      {"empty_source", "source.spm", "", "not a SentencePiece model"},
      {"cut_source", "source.spm", spm.substr(0, spm.size() / 2), "source.spm"},
      {"cut_source_early", "source.spm", spm.substr(0, 40), "source.spm"},
      {"noise_source", "source.spm", noise(5000), "not a SentencePiece model"},
      {"text_source", "source.spm", "hello\n", "source.spm"},
      {"empty_target", "target.spm", "", "not a SentencePiece model"},
      {"other_target", "target.spm", spm, "config.yaml and the vocabularies need"},
      {"empty_config", "config.yaml", "", "model.safetensors"},
      {"noise_config", "config.yaml", noise(500), "not valid UTF-8"},
      {"broken_config", "config.yaml", "model: [", "not valid YAML"},
      {"unknown_config", "config.yaml", config + "\nmore: {a: 1}\n",
       "more: a setting of a newer nmt; update nmt to use this model"},
      {"huge_hidden", "config.yaml", with("hidden_size: 256", "hidden_size: 1000000000000"),
       "config.yaml: model.hidden_size"},
      {"large_hidden", "config.yaml", with("hidden_size: 256", "hidden_size: 16384"),
       "config.yaml and the vocabularies need"},
      {"large_embedding", "config.yaml", with("embedding_size: 128", "embedding_size: 16384"),
       "config.yaml and the vocabularies need"},
      {"other_hidden", "config.yaml", with("hidden_size: 256", "hidden_size: 254"),
       "config.yaml and the vocabularies need"},
      {"no_hidden", "config.yaml", with("hidden_size: 256", "hidden_size: 0"),
       "config.yaml: model.hidden_size"},
      {"many_layers", "config.yaml", with("num_layers: 1", "num_layers: 64"), "is missing"},
      {"minus_layers", "config.yaml", with("num_layers: 1", "num_layers: -1"),
       "config.yaml: model.num_layers"},
      {"other_cell", "config.yaml", with("\n  cell: gru", "\n  cell: lstm"), "model.safetensors"},
      {"no_cell", "config.yaml", with("\n  cell: gru", "\n  cell: rnn"), "model.cell: 'rnn'"},
      {"no_feeding", "config.yaml", with("input_feeding: true", "input_feeding: false"),
       "model.safetensors"},
      {"tied", "config.yaml", with("tied_embeddings: none", "tied_embeddings: target"),
       "config.yaml: model.tied_embeddings"},
  };
}

}  // namespace

TEST_CASE("A broken model is refused by name", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  std::vector<HostileCase> cases;
  for (const auto& model : broken_models()) {
    make_model_with(in, model.name, model.file, model.content);
    cases.push_back({model.name, "$nmt translate -m $in/" + model.name + " -i $in/text -o $out/x",
                     1, model.says, 0});
  }
  check_cases(in.path(), cases);
}

TEST_CASE("A model that lacks a file, or has a folder for one, is refused by name", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  std::vector<HostileCase> cases;
  const auto add = [&](const std::string& name, const std::string& says,
                       const std::function<void(const std::filesystem::path&)>& change) {
    make_model(in, name, change);
    cases.push_back({name, "$nmt translate -m $in/" + name + " -i $in/text -o $out/x", 1, says});
  };
  for (const std::string file : {"config.yaml", "source.spm", "target.spm", "model.safetensors"}) {
    add("no_" + file, file,
        [&](const std::filesystem::path& folder) { std::filesystem::remove(folder / file); });
    add("folder_" + file, file, [&](const std::filesystem::path& folder) {
      std::filesystem::remove(folder / file);
      std::filesystem::create_directory(folder / file);
    });
    add("loop_" + file, file, [&](const std::filesystem::path& folder) {
      std::filesystem::remove(folder / file);
      std::filesystem::create_symlink(file, folder / file);
    });
  }
  check_cases(in.path(), cases);
}

TEST_CASE("Every command refuses models that do not fit", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  in.write("copy", "one\n");
  make_vocabulary(in / "other.spm");
  make_model_with(in, "other", "target.spm", read_file(in / "other.spm"));
  make_model_with(in, "cut", "model.safetensors", sample_file("model.safetensors").substr(0, 9999));
  make_model_with(in, "rule", "source.spm", sample_file("target.spm"));
  const std::string fits = "config.yaml and the vocabularies need";
  check_cases(
      in.path(),
      {{"interactive", "$nmt interactive -m $in/other < $in/text", 1, fits, 0},
       {"score", "$nmt score -m $in/other -s $in/text -t $in/text -o $out/x", 1, fits, 0},
       {"evaluate", "$nmt evaluate -m $in/other -s $in/text -r $in/text", 1, fits, 0},
       {"export", "$nmt export -m $in/other -o $out/x", 1, fits, 0},
       {"export of cut weights", "$nmt export -m $in/cut -o $out/x", 1, "cut off", 0},
       {"info of cut weights", "$nmt info $in/cut", 1, "cut off", 0},
       {"info of a vocabulary", "$nmt info $in/other.spm", 1, "neither a model directory", 0},
       {"a translator for a language model", "$nmt translate -m $sample --lm $sample -i $in/text",
        1, "not a language model", 0},
       {"a cut language model", "$nmt translate -m $sample --lm $in/cut -i $in/text", 1, "cut off",
        0},
       {"no language model", "$nmt evaluate -m $sample --lm $in/none -s $in/text -r $in/text", 1,
        "none: no such model", 0},
       {"the score of text by a translator", "$nmt lm score -m $sample -i $in/text -o $out/x", 1,
        "not a language model", 0},
       {"the score of text by nothing", "$nmt lm score -m $in/none -i $in/text -o $out/x", 1,
        "none: no such model", 0},
       {"dual training against nothing",
        "$nmt train --train-sets $in/text $in/copy -m $out/m --train.objective dual "
        "--vocab.source-model $sample/source.spm --vocab.target-model $sample/target.spm "
        "--train.reverse-model $in/none --train.source-lm $in/none --train.target-lm $in/none",
        1, "train.source_lm: ", 0},
       {"dual training against translators",
        "$nmt train --train-sets $in/text $in/copy -m $out/m --train.objective dual "
        "--vocab.source-model $sample/source.spm --vocab.target-model $sample/target.spm "
        "--train.reverse-model $sample --train.source-lm $sample --train.target-lm $sample",
        1, "train.source_lm: ", 0},
       {"an ensemble of which one is cut", "$nmt translate -m $sample $in/cut -i $in/text", 1,
        "cut/model.safetensors", 0},
       {"the other source vocabulary", "$nmt translate -m $in/rule -i $in/text", 1, fits, 0},
       {"weights for a vocabulary", "$nmt vocab --inspect $sample/model.safetensors", 1,
        "not a SentencePiece model", 0},
       {"training with a foreign vocabulary",
        "$nmt train --train-sets $in/text $in/text -m $out/m --vocab.source-model $in/text", 1,
        "text: not a SentencePiece model", 0}});
}

}  // namespace nmt
