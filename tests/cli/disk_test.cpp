// Training on disks that fail it: full, read-only, gone.

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

/// Trains on a small disk of its own, mounted as the folder's `disk`; once the log shows that the
/// first best model, of update 30, is written, `mishap` happens to it; when training has ended,
/// `afterwards`. All as a shell sees it in the folder, with the program as $nmt. What is in
/// `result` afterwards is returned.
std::string train_on_small_disk(const TrainingTexts& texts, const std::string& mishap,
                                const std::string& afterwards) {
  const auto command = training_command(texts,
                                        "--train.max-updates 100 --train.log-every 5 "
                                        "--validation.interval 30 --validation.patience 0 "
                                        "--save-every 5",
                                        "disk/model");
  texts.write("script", "cd '" + texts.path().string() +
                            "' && mkdir disk && nmt='" NMT_PROGRAM
                            "' && mount -t tmpfs -o size=4m none disk || exit 9\n"
                            "train() { $nmt " +
                            command +
                            " \"$@\" 2>>log; }\n"
                            "train & pid=$!\n"
                            "for i in $(seq 3000); do grep -q 'update 35 ' log && break; "
                            "kill -0 $pid || break; sleep 0.02; done\n" +
                            mishap + "\nwait $pid; echo \"status $?\" >result\n" + afterwards +
                            "\n");
  const int status =
      std::system(("unshare -m sh '" + (texts / "script").string() + "' 2>/dev/null").c_str());
  INFO(read_file(texts / "log"));
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  return read_file(texts / "result");
}

const char* const kTranslateAndGoOn =
    "echo '1 2' | $nmt translate --model-dir disk/model >/dev/null && echo translated >>result\n"
    "$MEND\n"
    "train && echo resumed >>result\n"
    "cp disk/model/last.safetensors last.safetensors";

std::string afterwards(const std::string& mend) {
  std::string script = kTranslateAndGoOn;
  return script.replace(script.find("$MEND"), 5, mend);
}

void require_same_end(const TrainingTexts& texts) {
  require_success(run_program(
      training_command(texts,
                       "--train.max-updates 100 --train.log-every 5 --validation.patience 0 "
                       "--validation.interval 30",
                       "straight")));
  const bool same =
      read_file(texts / "last.safetensors") == read_file(texts / "straight/last.safetensors");
  REQUIRE(same);
}

}  // namespace

TEST_CASE("A disk that fills up costs nothing that was there, and the run can go on",
          "[cli][disk]") {
  if (!may_mount()) SKIP("only root can mount a small disk");
  const TrainingTexts texts;
  const auto result =
      train_on_small_disk(texts, "head -c 9m /dev/zero >disk/fill", afterwards("rm disk/fill"));
  const auto log = read_file(texts / "log");
  INFO(log);
  CHECK(contains(log, "No space left on device"));
  const std::string warning = "training continues and will try again";
  CHECK(contains(log, warning));
  size_t warnings = 0;
  for (auto at = log.find(warning); at != std::string::npos; at = log.find(warning, at + 1)) {
    ++warnings;
  }
  CHECK(warnings <= 4);  // once for each file, of more than ten attempts
  CHECK(contains(log, "disk/model: nothing is saved after update "));
  REQUIRE(result == "status 1\ntranslated\nresumed\n");
  require_same_end(texts);
}

TEST_CASE("A folder that becomes read-only costs nothing that was there", "[cli][disk]") {
  if (!may_mount()) SKIP("only root can mount a small disk");
  const TrainingTexts texts;
  const auto result = train_on_small_disk(
      texts, "mount -o remount,ro disk; while [ $? != 0 ]; do mount -o remount,ro disk; done",
      afterwards("mount -o remount,rw disk"));
  const auto log = read_file(texts / "log");
  INFO(log);
  CHECK(contains(log, "Read-only file system"));
  REQUIRE(result == "status 1\ntranslated\nresumed\n");
  require_same_end(texts);
}

TEST_CASE("A training that could not be saved says from where it resumes", "[cli][disk]") {
  const TrainingTexts texts;
  ChildProgram program(training_command(texts,
                                        "--train.max-updates 300 --train.log-every 1 "
                                        "--save-every 5 --validation.interval 1000"),
                       (texts / "log").string());
  REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 7 "); }));
  program.send(SIGSTOP);
  const auto state = texts / "model/training_state.safetensors";
  std::filesystem::rename(state, texts / "state");
  std::filesystem::create_directory(state);
  program.send(SIGCONT);
  CHECK(program.wait() == 1);
  const auto log = read_file(texts / "log");
  INFO(log);
  const auto warning = log.find("training continues");
  CHECK(warning != std::string::npos);
  CHECK(log.find("training continues", warning + 1) == std::string::npos);
  const auto error = log.find("model: nothing is saved after update ");
  REQUIRE(error != std::string::npos);
  CHECK(contains(log.substr(error), " of 300: " + state.string() + ": cannot be written: "));
  CHECK(contains(log.substr(error), "; fix that and rerun the command to resume from update"));
}

TEST_CASE("Training stops in one line when its folder is gone", "[cli][disk]") {
  const TrainingTexts texts;
  ChildProgram program(training_command(texts,
                                        "--train.max-epochs 10000 --train.log-every 1 "
                                        "--save-every 5 --validation.patience 0"),
                       (texts / "log").string());
  REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 7 "); }));
  std::filesystem::rename(texts / "model", texts / "elsewhere");
  CHECK(program.wait() == 1);
  CHECK(contains(read_file(texts / "log"), "the directory is gone; training stops"));
  require_success(run_program("train --resume --model-dir " + (texts / "elsewhere").string() +
                              " --train.max-updates 12 --train.max-epochs 1"));
}

TEST_CASE("Training continues while its folder cannot be reached", "[cli][disk]") {
  const TrainingTexts texts;
  const auto model = texts / "model";
  const auto log = [&] { return read_file(texts / "log"); };
  ChildProgram program(training_command(texts,
                                        "--train.max-epochs 10000 --train.log-every 1 "
                                        "--save-every 5 --validation.patience 0"),
                       (texts / "log").string());
  REQUIRE(program.wait_until([&] { return contains(log(), "update 7 "); }));
  program.send(SIGSTOP);
  std::filesystem::rename(model, texts / "elsewhere");
  std::filesystem::create_symlink("model", model);  // to itself: ELOOP, for root as well
  program.send(SIGCONT);
  CHECK(program.wait_until([&] { return contains(log(), "training continues"); }));
  program.send(SIGSTOP);
  std::filesystem::remove(model);
  std::filesystem::rename(texts / "elsewhere", model);
  program.send(SIGCONT);
  program.send(SIGTERM);
  CHECK(program.wait() == 128 + SIGTERM);
  INFO(log());
  CHECK_FALSE(contains(log(), "is gone"));
  require_success(run_program("train --resume --model-dir " + model.string() +
                              " --train.max-updates 12 --train.max-epochs 1"));
}

}  // namespace nmt
