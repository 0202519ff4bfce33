#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "cli/run_program.h"
#include "numbers/random.h"
#include "support/test_device_name.h"

namespace nmt {

/// NAME.src with lines of random digits, NAME.tgt with the same reversed: a task that needs
/// attention.
inline void write_reversal(const TemporaryFolder& folder, const std::string& name, int64_t lines,
                           uint64_t seed) {
  Random random(seed, 1);
  std::string source;
  std::string target;
  for (int64_t i = 0; i < lines; ++i) {
    std::string digits;
    const uint64_t length = 2 + random.below(4);
    for (uint64_t k = 0; k < length; ++k)
      digits += std::string(k == 0 ? "" : " ") + static_cast<char>('1' + random.below(6));
    source += digits + "\n";
    std::reverse(digits.begin(), digits.end());
    target += digits + "\n";
  }
  folder.write(name + ".src", source);
  folder.write(name + ".tgt", target);
}

/// A folder with texts to train and to validate on.
struct TrainingTexts : TemporaryFolder {
  TrainingTexts() {
    write_reversal(*this, "train", 600, 1);
    write_reversal(*this, "valid", 20, 2);
  }
};

/// `train` on train.* and valid.* of the folder into its MODEL, as a small network on the device of
/// the tests; other settings have their fixed defaults. The fused engine trains on the CPU.
inline std::string training_command(const TemporaryFolder& folder, const std::string& more,
                                    const std::string& model = "model") {
  const auto path = folder.path().string();
  auto device = test_device_name();
  if (device == "cuda") device = "cuda:0";  // the GPU that several processes share
  const bool on_cpu = device == "cpu" || more.find("engine fused") != std::string::npos;
  return "train --config /dev/null --train-sets " + path + "/train.src " + path +
         "/train.tgt --data.valid-source " + path + "/valid.src --data.valid-target " + path +
         "/valid.tgt --model-dir " + path + "/" + model +
         " --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe "
         "--model.embedding-size 24 --model.hidden-size 48 --model.dropout 0 "
         "--train.learning-rate 5e-3 --train.threads 2 --data.batch-size 32 "
         "--validation.metric bleu " +
         (on_cpu ? "" : "--train.device " + device + " ") + more;
}

inline ProgramResult train(const TemporaryFolder& folder, const std::string& more) {
  return run_program(training_command(folder, more));
}

}  // namespace nmt
