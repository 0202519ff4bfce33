// Disks whose calls fail, one after the other, under a training and a model that is replaced.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

/// While it lives, calls of programs on files of `folder` are counted, and those that are named
/// fail.
class FailingCalls {
 public:
  FailingCalls(const std::string& folder, const std::string& failing_call,
               const std::string& count) {
    ::setenv("NMT_FAIL_FOLDER", folder.c_str(), 1);
    ::setenv("NMT_FAIL_CALL", failing_call.c_str(), 1);
    ::setenv("NMT_FAIL_COUNT", count.c_str(), 1);
  }
  ~FailingCalls() {
    for (const char* name : {"NMT_FAIL_FOLDER", "NMT_FAIL_CALL", "NMT_FAIL_COUNT"}) {
      ::unsetenv(name);
    }
  }
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;

  /// Runs the command; as a fork of this test where it was started with the library. The address
  /// sanitizer wants to be loaded first, but works behind such a library.
  ProgramResult run(const std::string& command) const {
    const char* loaded = std::getenv("LD_PRELOAD");
    const bool has_library = loaded != nullptr && contains(loaded, NMT_FAILING_CALLS);
    return run_program(command, has_library
                                    ? ""
                                    : "ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\" "
                                      "LD_PRELOAD='" NMT_FAILING_CALLS "'");
  }
};

/// Trains while file-system calls are counted and one of them fails.
class FailingTraining {
 public:
  ProgramResult run(const std::string& model, const std::string& failing_call) const {
    return FailingCalls(folder(model), failing_call, folder("count")).run(command(model));
  }

  ProgramResult run_undisturbed(const std::string& model) const {
    return run_program(command(model));
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

  std::string command(const std::string& model) const {
    return training_command(texts_,
                            "--train.max-updates 20 --save-every 5 --validation.interval 10 "
                            "--train.log-every 5 --train.threads 1 --validation.patience 0",
                            model);
  }

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
      require_success(training.run_undisturbed("model"));
    }
    training.require_same_end("model", "expected");
    training.remove("model");
  }
}

/// The files of the model in a folder, those in `back` in place of its own.
std::vector<std::string> model_in(const std::filesystem::path& folder,
                                  const std::filesystem::path& back = "") {
  std::vector<std::string> contents;
  for (const char* file :
       {"model.safetensors", "config.yaml", "source.spm", "target.spm", "SHA256SUMS"}) {
    const bool is_back = !back.empty() && std::filesystem::exists(back / file);
    contents.push_back(read_file((is_back ? back : folder) / file));
  }
  return contents;
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// Lets every `step`th call fail while a model is replaced, by itself after adapting or by one that
/// brings a file more. It is then the old or the new one.
void fail_replacing(bool itself, int64_t first, int64_t step, const std::string& following) {
  namespace fs = std::filesystem;
  const TrainingTexts texts;
  require_success(run_program(training_command(texts, "--train.max-updates 2", "old")));
  fs::remove(texts / "old/training_state.safetensors");  // no command replaces a run
  const auto model = (texts / "model").string();
  const auto old = (texts / "old").string();
  const auto packed = (texts / "packed").string();
  const auto adapt = "adapt --overwrite --steps 1 --threads 1 -m " + model + " -o " + model +
                     " -s " + (texts / "valid.src").string() + " -t " +
                     (texts / "valid.tgt").string();
  require_success(run_program("pack -m " + old + " -o " + packed));
  const auto replace = [&](const std::string& failing_call) {
    fs::remove_all(model);
    fs::copy(old, model, fs::copy_options::recursive);
    return FailingCalls(model, failing_call, (texts / "count").string())
        .run(itself ? adapt : "unpack --overwrite " + packed + " -o " + model);
  };
  if (!itself) {  // what was packed must differ
    fs::copy(old, model, fs::copy_options::recursive);
    require_success(run_program(adapt));
    fs::remove_all(old);
    fs::rename(model, old);
  }
  REQUIRE(replace("0").exit_code == 0);
  const auto new_model = model_in(model);
  const auto old_model = model_in(old);
  const auto new_names = names_in(model);
  const auto old_names = names_in(old);
  REQUIRE(new_names.count("training.json") == (itself ? 0 : 1));
  const auto calls = static_cast<int64_t>(read_file(texts / "count").size());
  REQUIRE(calls > 30);
  for (int64_t call = first; call <= calls; call += step) {
    INFO("call " << call << following << " of " << calls);
    const auto failed = replace(std::to_string(call) + following);
    INFO(failed.errors);
    // Where all further calls fail, nothing can be put back.
    const std::string advice = "move what is in ";
    const auto at = failed.errors.find(advice);
    const auto begin = at + advice.size();
    const auto found =
        at == std::string::npos
            ? model_in(model)
            : model_in(model,
                       failed.errors.substr(begin, failed.errors.find(" back", begin) - begin));
    CHECK(failed.exit_code == (found == new_model ? 0 : 1));
    const bool is_old = found == old_model;
    const bool is_new = found == new_model;
    REQUIRE((is_old || is_new));
    if (following.empty()) CHECK(names_in(model) == (is_new ? new_names : old_names));
  }
}

}  // namespace

TEST_CASE("Whichever call on a file fails, the training or the next one ends as it would have",
          "[cli][disk]") {
  fail_calls(3, 15, "");
  fail_calls(8, 30, "+");
}

TEST_CASE("Whichever call on a file fails, a model that is replaced is the old or the new one",
          "[cli][disk]") {
  for (const bool itself : {true, false}) {
    fail_replacing(itself, 30, 7, "");
    fail_replacing(itself, 33, 7, "+");
  }
}

TEST_CASE("Whichever of all calls on files fails, the training can go on", "[.][disk-long]") {
  fail_calls(1, 1, "");
  fail_calls(1, 1, "+");
  for (const bool itself : {true, false}) {
    fail_replacing(itself, 1, 1, "");
    fail_replacing(itself, 1, 1, "+");
  }
}

}  // namespace nmt
