#include <vector>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

/// A Chinese character, one of 16,384.
std::string rare_character(Random& random) {
  const auto code = static_cast<unsigned>(0x4E00 + random.below(16384));
  return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 63)),
          static_cast<char>(0x80 | (code & 63))};
}

/// As write_reversal, with a word in every eighth line that no vocabulary will have.
void write_reversal_with_unknown(const TemporaryFolder& folder, const std::string& name,
                                 int64_t lines, uint64_t seed) {
  Random random(seed, 1);
  std::string source;
  std::string target;
  for (int64_t i = 0; i < lines; ++i) {
    std::vector<std::string> words;
    for (uint64_t k = 0, length = 2 + random.below(4); k < length; ++k) {
      words.push_back(std::to_string(1 + random.below(6)));
    }
    if (i % 8 == 0) words[random.below(words.size())] = rare_character(random);
    for (const auto& word : words) source += word + " ";
    std::reverse(words.begin(), words.end());
    for (const auto& word : words) target += word + " ";
    source.back() = target.back() = '\n';
  }
  folder.write(name + ".src", source);
  folder.write(name + ".tgt", target);
}

}  // namespace

TEST_CASE("A word that no vocabulary has is copied to where attention puts it",
          "[cli][end-to-end]") {
  const TemporaryFolder folder;
  write_reversal_with_unknown(folder, "train", 3000, 1);
  write_reversal_with_unknown(folder, "valid", 60, 2);
  write_reversal_with_unknown(folder, "test", 80, 3);
  require_success(run_program(training_command(
      folder, "--vocab.character-coverage 0.98 --train.max-epochs 14 --vocab.target-size 16")));
  const auto path = folder.path().string();
  const auto expected = read_lines(folder / "test.tgt");
  for (const std::string engine : {"fused", "plain"}) {
    const auto device = engine == "plain" ? test_device_name() : "cpu";
    const auto command = "translate --model-dir " + path + "/model --engine " + engine +
                         " --device " + device + " --input " + path + "/test.src --output " + path +
                         "/out";
    const auto right = [&](const std::string& more) {
      require_success(run_program(command + more));
      const auto found = read_lines(folder / "out");
      int64_t count = 0;
      for (size_t i = 0; i < found.size(); i += 8) count += found[i] == expected[i] ? 1 : 0;
      return count;
    };
    CHECK(right("") >= 8);  // of 10
    CHECK(right(" --no-copy-unknown") == 0);
  }
}

TEST_CASE("From two text files to a translator: it learns to reverse digits", "[cli][end-to-end]") {
  const TemporaryFolder folder;
  write_reversal(folder, "train", 1500, 1);
  write_reversal(folder, "valid", 60, 2);
  write_reversal(folder, "test", 100, 3);
  const auto path = folder.path().string();
  const auto trained = run_program(training_command(folder, "--train.max-epochs 14"));
  INFO(trained.errors);
  REQUIRE(trained.exit_code == 0);
  REQUIRE(trained.output.empty());
  REQUIRE(contains(trained.errors, "model saved in"));

  const auto model = " --model-dir " + path + "/model ";
  const auto translated = run_program("translate" + model + "--device " + test_device_name() +
                                      " --input " + path + "/test.src --output " + path + "/out");
  REQUIRE(translated.exit_code == 0);
  const auto found = read_lines(folder / "out");
  const auto expected = read_lines(folder / "test.tgt");
  int64_t right = 0;
  for (size_t i = 0; i < expected.size(); ++i) right += found[i] == expected[i] ? 1 : 0;
  CHECK(right >= 90);

  // Nothing of the model needs what lay beside it in training.
  for (const char* name : {"train.src", "train.tgt", "valid.src", "valid.tgt"})
    std::filesystem::remove(folder / name);
  std::filesystem::remove_all(folder / "model/cache");
  std::filesystem::rename(folder / "model", folder / "moved");
  REQUIRE(run_program("translate --model-dir " + path + "/moved", "echo '1 2 3' |").output ==
          "3 2 1\n");
  const auto exported = run_program("export --model-dir " + path +
                                    "/moved --to safetensors --output " + path + "/x.safetensors");
  REQUIRE(exported.exit_code == 0);
  REQUIRE(run_program("export --model-dir " + path + "/moved --output " + path + "/x.safetensors")
              .exit_code == 1);
}

TEST_CASE("The same seed and threads train the same model", "[cli][end-to-end]") {
  const TemporaryFolder folder;
  write_reversal(folder, "train", 200, 1);
  write_reversal(folder, "valid", 20, 2);
  const auto weights = [&](const std::string& more) {
    require_success(
        run_program(training_command(folder, "--overwrite --train.max-updates 12 " + more)));
    return read_file(folder / "model/last.safetensors");
  };
  const auto first = weights("");
  REQUIRE(first == weights(""));
  REQUIRE(first != weights("--train.seed 9"));
}

TEST_CASE("Settings of every kind train", "[cli][end-to-end]") {
  const TemporaryFolder folder;
  write_reversal(folder, "train", 120, 1);
  write_reversal(folder, "valid", 10, 2);
  const auto model = (folder / "model").string();
  for (const char* more :
       {"--model.cell lstm --model.num-layers 2",
        "--model.input-feeding false --train.optimizer sgd --train.momentum 0.9",
        "--model.embedding-size 48 --model.tied-embeddings target --train.optimizer adamw "
        "--train.weight-decay 0.01",
        "--model.embedding-size 48 --model.tied-embeddings all --vocab.joint true "
        "--train.label-smoothing 0.1",
        "--data.batch-type tokens --data.batch-size 100 --train.gradient-accumulation 3 "
        "--model.dropout 0.3",
        "--train.schedule inverse_sqrt --train.warmup-updates 3 --vocab.type unigram "
        "--validation.beam-size 3"}) {
    INFO(more);
    require_success(run_program(
        training_command(folder, std::string("--overwrite --train.max-updates 6 ") + more)));
    require_success(run_program("translate --model-dir " + model, "echo '1 2' |"));
  }
}

TEST_CASE("The training benchmark runs both paths, and Python's where PyTorch is there",
          "[cli][end-to-end]") {
  const TemporaryFolder folder;
  write_reversal(folder, "train", 120, 1);
  const auto path = folder.path().string();
  const auto command = "bench train --train-sets " + path + "/train.src " + path +
                       "/train.tgt --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe "
                       "--model.embedding-size 24 --model.hidden-size 32 --train.threads 2 "
                       "--batches 2 --rounds 1 ";
  const bool has_python = std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") == 0;
  const auto found =
      run_program(command + "--json" + (has_python ? " --python /usr/bin/python3" : ""));
  require_success(found);
  for (const char* part : {"\"plain\"", "\"fused\"", "\"product_share\"", "\"gigabytes_per_s\"",
                           "\"target_tokens_per_s\"", "\"all_tokens_per_s\"", "\"peak_bytes\""}) {
    REQUIRE(contains(found.output, part));
  }
  REQUIRE(contains(found.output, "\"python\"") == has_python);
  REQUIRE(contains(found.output, "\"over_python_best\"") == has_python);
  REQUIRE(contains(run_program(command).output, "over plain's best"));
  REQUIRE(run_program(command + "--python no-such-python").exit_code == 1);
  REQUIRE(run_program(command + "--python-compile default").exit_code == 2);  // without --python
  const bool has_compile =
      has_python &&
      std::system("/usr/bin/python3 -c 'import torch; torch.compile' 2>/dev/null") == 0;
  if (!has_python || has_compile) return;
  const auto compiled = run_program(command + "--python /usr/bin/python3 --python-compile default");
  REQUIRE(compiled.exit_code == 1);
  REQUIRE(contains(compiled.errors, "has no torch.compile; use 2.0 or later"));
}

TEST_CASE("A corpus that is wrong is refused before the first step and leaves no model",
          "[cli][end-to-end]") {
  const TemporaryFolder folder;
  write_reversal(folder, "train", 120, 1);
  write_reversal(folder, "valid", 10, 2);
  folder.write("train.tgt", "1 2\n3\n");
  const auto unequal = run_program(training_command(folder, ""));
  REQUIRE(unequal.exit_code == 1);
  REQUIRE(contains(unequal.errors, "120 lines"));
  folder.write("train.src", "1\n\xFF\n");
  const auto bad = run_program(training_command(folder, ""));
  REQUIRE(bad.exit_code == 1);
  REQUIRE(contains(bad.errors, "line 2: byte 1 is not valid UTF-8"));
  REQUIRE_FALSE(std::filesystem::exists(folder / "model/model.safetensors"));
}

}  // namespace nmt
