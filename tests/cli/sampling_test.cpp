// Training on segmentations that are sampled anew in every epoch.

#include <algorithm>
#include <filesystem>
#include <string>

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

constexpr char kSampled[] =
    "--data.source-subword-sampling 0.2 --data.target-subword-sampling 0.2 ";

}  // namespace

TEST_CASE("It learns to reverse digits from other segmentations in every epoch",
          "[cli][sampling]") {
  TemporaryFolder folder;
  write_reversal(folder, "train", 1500, 1);
  write_reversal(folder, "valid", 60, 2);
  require_success(
      run_program(training_command(folder, kSampled + std::string("--train.max-epochs 14"))));
  const auto path = folder.path().string();
  require_success(run_program("translate --model-dir " + path + "/model --input " + path +
                              "/valid.src --output " + path + "/out"));
  const auto found = read_lines(folder / "out");
  const auto expected = read_lines(folder / "valid.tgt");
  int64_t right = 0;
  for (size_t i = 0; i < expected.size(); ++i) right += found[i] == expected[i] ? 1 : 0;
  CHECK(right >= 50);
}

TEST_CASE("Sampled segmentations change the updates from the first epoch on and leave no files",
          "[cli][sampling]") {
  const TrainingTexts texts;
  const auto weights = [&](const std::string& model, const std::string& more) {
    require_success(run_program(training_command(texts, "--train.max-updates 3 " + more, model)));
    return read_file(texts / model / "last.safetensors");
  };
  const bool same = weights("plain", "") == weights("sampled", kSampled);
  CHECK_FALSE(same);
  const auto files = [&](const char* model) {
    const std::filesystem::directory_iterator cache(texts / model / "cache");
    return std::count_if(begin(cache), end(cache),
                         [](const auto& entry) { return entry.path().extension() == ".corpus"; });
  };
  CHECK(files("sampled") == files("plain"));
}

TEST_CASE("Text that changes or goes while its segmentations are sampled ends the run in one line",
          "[cli][sampling]") {
  for (const bool gone : {true, false}) {
    const TrainingTexts texts;
    ChildProgram program(training_command(texts, kSampled + std::string("--train.log-every 1 "
                                                                        "--train.max-epochs 0")),
                         (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "epoch 2 "); }));
    if (gone) {
      std::filesystem::remove(texts / "train.src");
    } else {
      write_reversal(texts, "train", 600, 9);
    }
    CHECK(program.wait() == 1);
    const auto log = read_file(texts / "log");
    INFO(log);
    // Of the files that changed either may be read first, before, while or after they change.
    const bool while_read = contains(log, "changed while it was read");
    CHECK((while_read || contains(log, gone ? "train.src: cannot be" : "changed since")));
    CHECK(std::filesystem::exists(texts / "model/training_state.safetensors"));
  }
}

}  // namespace nmt
