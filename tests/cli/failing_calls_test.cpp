// Training on a disk whose calls fail, one after the other.

#include <cstdint>
#include <string>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

/// Trains while file-system calls are counted and one of them fails.
class FailingTraining {
 public:
  ProgramResult run(const std::string& model, const std::string& failing_call) const {
    return run_program(
        training_command(texts_,
                         "--train.max-updates 20 --save-every 5 --validation.interval 10 "
                         "--train.log-every 5 --train.threads 1 --validation.patience 0",
                         model),
        "LD_PRELOAD='" NMT_FAILING_CALLS "' NMT_FAIL_FOLDER='" + folder(model) +
            "' NMT_FAIL_CALL=" + failing_call + " NMT_FAIL_COUNT='" + folder("count") + "'");
  }

  int64_t calls() const { return static_cast<int64_t>(read_file(folder("count")).size()); }

  void require_same_end(const std::string& model, const std::string& expected) const {
    for (const std::string file : {"model.safetensors", "last.safetensors"}) {
      const bool same =
          read_file(folder(model) + "/" + file) == read_file(folder(expected) + "/" + file);
      REQUIRE(same);
    }
  }

  void remove(const std::string& model) const { std::filesystem::remove_all(folder(model)); }

 private:
  std::string folder(const std::string& name) const { return (texts_.path() / name).string(); }

  const TrainingTexts texts_;
};

/// Lets every `step`th call fail, each in a training of its own that then runs once more.
void fail_calls(int64_t first, int64_t step, const std::string& following) {
  const FailingTraining training;
  REQUIRE(training.run("expected", "0").exit_code == 0);
  const auto calls = training.calls();
  REQUIRE(calls > 30);
  for (int64_t call = first; call <= calls; call += step) {
    INFO("call " << call << following << " of " << calls);
    const auto failed = training.run("model", std::to_string(call) + following);
    INFO(failed.errors);
    if (failed.exit_code != 0) {
      REQUIRE(failed.exit_code == 1);
      REQUIRE(contains(failed.errors, "Input/output error"));
      const auto again = training.run("model", "0");
      INFO(again.errors);
      REQUIRE(again.exit_code == 0);
    }
    training.require_same_end("model", "expected");
    training.remove("model");
  }
}

}  // namespace

TEST_CASE("Whichever call on a file fails, the training or the next one ends as it would have",
          "[cli][disk]") {
  fail_calls(3, 15, "");
  fail_calls(8, 30, "+");
}

TEST_CASE("Whichever of all calls on files fails, the training can go on", "[.][disk-long]") {
  fail_calls(1, 1, "");
  fail_calls(1, 1, "+");
}

}  // namespace nmt
