#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "cli/saved_progress.h"
#include "files/line_reader.h"
#include "files/sha256.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

std::vector<nlohmann::json> metrics_without_times(const fs::path& model) {
  std::vector<nlohmann::json> lines;
  for (const auto& line : read_lines((model / "metrics.jsonl").string())) {
    auto json = nlohmann::json::parse(line);
    for (const char* key : {"seconds", "tokens_per_second", "validation_seconds"}) json.erase(key);
    lines.push_back(json);
  }
  return lines;
}

/// The hash of all tensors in the training state: weights, moments, averages. Its header has times.
std::string state_hash(const fs::path& model) {
  const auto state = read_file(model / "training_state.safetensors");
  uint64_t header = 0;
  std::memcpy(&header, state.data(), sizeof(header));
  return sha256(std::string_view(state).substr(sizeof(header) + header));
}

void require_same_run(const fs::path& expected, const fs::path& found) {
  REQUIRE(metrics_without_times(found) == metrics_without_times(expected));
  REQUIRE(state_hash(found) == state_hash(expected));
  for (const char* name : {"model.safetensors", "last.safetensors"}) {
    const bool same = read_file(found / name) == read_file(expected / name);
    REQUIRE(same);
  }
  for (const auto& entry : fs::directory_iterator(expected / "checkpoints")) {
    INFO(entry.path().filename().string());
    const bool same =
        read_file(found / "checkpoints" / entry.path().filename()) == read_file(entry.path());
    REQUIRE(same);
  }
}

/// Whether the folder has a training state of the process that is not whole.
bool has_unfinished_state(const fs::path& model, pid_t process) {
  const auto name = "training_state.safetensors.tmp" + std::to_string(process);
  std::error_code none;
  for (fs::directory_iterator entry(model, none), end; entry != end; entry.increment(none)) {
    if (entry->path().filename().string().rfind(name, 0) == 0) return true;
  }
  return false;
}

struct Kills {
  int all = 0;
  int within_writing = 0;
};

/// The last update in metrics.jsonl, whose last line may be half written; 0 without one.
int64_t last_logged_update(const fs::path& model) {
  const auto path = model / "metrics.jsonl";
  const auto text = fs::exists(path) ? read_file(path) : "";
  const std::string key = "\"update\":";
  const auto found = text.rfind(key, text.rfind('\n'));
  return found == std::string::npos ? 0 : std::atoll(text.c_str() + found + key.size());
}

/// Kills the command again and again, every other time while it writes the training state, else
/// after a random number of updates; none of them: at once.
Kills kill_again_and_again(const std::string& command, const TrainingTexts& texts, int kills,
                           uint64_t seed) {
  constexpr uint64_t kMaxUpdates = 40;
  Random random(seed, 7);
  Kills done;
  while (done.all < kills) {
    const auto last = last_logged_update(texts / "model");
    ChildProgram program(command, (texts / "log").string());
    const auto is_writing = [&] {
      return has_unfinished_state(texts / "model", program.process());
    };
    const bool in_writing = done.all % 2 == 0;
    const auto updates = static_cast<int64_t>(random.below(kMaxUpdates));
    uint64_t writings = random.below(12);  // that are let pass
    bool was_writing = false;
    const bool came = program.wait_until([&] {
      if (!in_writing) return updates == 0 || last_logged_update(texts / "model") > last + updates;
      const bool writing = is_writing();
      const bool begins = writing && !was_writing;
      was_writing = writing;
      return begins && writings-- == 0;
    });
    if (!came) break;  // it came to its end first
    program.send(SIGKILL);
    if (program.wait() != 128 + SIGKILL) break;
    ++done.all;
    if (is_writing()) ++done.within_writing;
  }
  return done;
}

void check_kills(const std::string& settings, int kills, uint64_t seed) {
  const TrainingTexts texts;
  const auto common = settings +
                      " --model.dropout 0.1 --model.hidden-size 128 --validation.interval 40 "
                      "--validation.keep-best 2 --train.log-every 7 --validation.patience 0 "
                      "--train.max-epochs 0 --train.max-updates " +
                      std::to_string(45 * kills + 100) + " ";
  require_success(run_program(training_command(texts, common, "straight")));
  const auto command = training_command(texts, common + "--save-every 5");
  const auto done = kill_again_and_again(command, texts, kills, seed);
  INFO(read_file(texts / "log"));
  CHECK(done.all == kills);
  CHECK(done.within_writing >= kills / 4);
  require_success(run_program(command));
  require_same_run(texts / "straight", texts / "model");
  for (const auto& entry : fs::directory_iterator(texts / "model")) {
    INFO(entry.path().filename().string());
    REQUIRE_FALSE(contains(entry.path().extension().string(), ".tmp"));
  }
}

}  // namespace

TEST_CASE("A run that is killed again and again ends as one that never stopped", "[cli][resume]") {
  SECTION("fused engine, with averaged weights") {
    check_kills("--train.engine fused --ema 0.99 --train.schedule plateau", 6, 1);
  }
  SECTION("plain engine") {
    check_kills("--train.engine plain --train.threads 1 --train.optimizer sgd --train.momentum 0.5",
                3, 2);
  }
  SECTION("other segmentations in every epoch") {
    check_kills(
        "--data.source-subword-sampling 0.2 --data.target-subword-sampling 0.1 "
        "--data.case-augmentation 0.3",
        2, 3);
  }
}

TEST_CASE("Killed two hundred times, it still ends as one that never stopped", "[.][kills-long]") {
  for (uint64_t seed = 10; seed < 20; ++seed)
    check_kills("--train.engine fused --ema 0.99", 20, seed);
}

TEST_CASE("A signal saves within an update, and the same command resumes", "[cli][resume]") {
  const int sent = GENERATE(SIGTERM, SIGHUP);
  ::signal(SIGHUP, SIG_DFL);  // under nohup too
  const TrainingTexts texts;
  const auto limits = std::string("--train.max-epochs 10 --train.log-every 5 ");
  require_success(run_program(training_command(texts, limits, "straight")));
  {
    ChildProgram program(training_command(texts, limits), (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 10 "); }));
    program.send(sent);
    CHECK(program.wait() == 128 + sent);
  }
  CHECK(contains(read_file(texts / "log"), "run the same command again to resume"));
  require_success(
      run_program("translate --model-dir " + (texts / "model").string(), "echo '1 2' |"));
  const auto resumed = train(texts, limits);
  REQUIRE(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "from update"));
  require_same_run(texts / "straight", texts / "model");
}

TEST_CASE("A run that is interrupted while its confidence is calibrated only calibrates later",
          "[cli][resume]") {
  const TrainingTexts texts;
  write_reversal(texts, "valid", 2000, 2);  // calibrating takes a while
  const auto command = training_command(
      texts,
      "--train.max-updates 40 --train.max-epochs 0 --validation.metric loss --train.threads 1");
  {
    ChildProgram program(command, (texts / "log").string());
    REQUIRE(program.wait_until([&] { return fs::exists(texts / "model/training.json"); }));
    program.send(SIGINT);
    const int exit_code = program.wait();
    if (exit_code == 0) SKIP("calibration ended before the signal came");
    CHECK(exit_code == 130);
  }
  CHECK(contains(read_file(texts / "log"), "interrupted at update 40 and saved"));
  CHECK_FALSE(fs::exists(texts / "model/confidence.json"));
  const auto resumed = run_program(command);
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "from update 40\n"));
  CHECK_FALSE(contains(resumed.errors, "validation  update"));
  CHECK(fs::exists(texts / "model/confidence.json"));
}

TEST_CASE("A signal within an update of many batches undoes the update", "[cli][resume]") {
  const TrainingTexts texts;
  write_reversal(texts, "train", 20000, 3);
  const auto limits = std::string(
      "--train.gradient-accumulation 1000000 --train.max-epochs 2 --train.threads 1 "
      "--validation.metric loss --train.log-every 1 ");
  REQUIRE(run_program(training_command(texts, limits, "straight")).exit_code == 0);
  {
    ChildProgram program(training_command(texts, limits), (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 1 "); }));
    program.send(SIGINT);
    const int exit_code = program.wait();
    if (exit_code == 0) SKIP("the second update ended before the signal came");
    CHECK(exit_code == 130);
  }
  CHECK(contains(read_file(texts / "log"), "interrupted at update 1 and saved"));
  require_success(train(texts, limits));
  require_same_run(texts / "straight", texts / "model");
}

TEST_CASE("A terminal that closes asks several times, as do its launcher and timeout(1)",
          "[cli][resume]") {
  ::signal(SIGHUP, SIG_DFL);
  const TrainingTexts texts;
  ChildProgram program(training_command(texts, "--train.max-epochs 100000 --train.log-every 5"),
                       (texts / "log").string());
  REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 10 "); }));
  program.send(SIGSTOP);  // they arrive before any of them is answered
  for (const int signal : {SIGHUP, SIGTERM, SIGINT, SIGCONT, SIGHUP}) program.send(signal);
  CHECK(program.wait() == 129);
  CHECK(contains(read_file(texts / "log"), "run the same command again to resume"));
}

TEST_CASE("nohup keeps training through a SIGHUP", "[cli][resume]") {
  const TrainingTexts texts;
  ChildProgram program(training_command(texts, "--train.max-updates 60 --train.log-every 5"),
                       (texts / "log").string(), "nohup");
  REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 10 "); }));
  program.send(SIGHUP);
  CHECK(program.wait() == 0);
}

TEST_CASE("A limit of tokens counts those before an interruption", "[cli][resume]") {
  const TrainingTexts texts;
  const auto limits = std::string(
      "--train.max-epochs 0 --train.max-tokens 20000 --train.schedule linear --train.log-every 1 ");
  const auto straight = run_program(training_command(texts, limits, "straight"));
  REQUIRE(straight.exit_code == 0);
  CHECK(contains(straight.errors, "training ended: max_tokens reached"));
  const auto summary = nlohmann::json::parse(read_file(texts / "straight" / "training.json"));
  const int64_t tokens = summary.at("target_tokens");
  CHECK(tokens >= 20000);
  CHECK(tokens < 20000 + 32 * 12);  // no batch has more
  const double last_rate = metrics_without_times(texts / "straight").rbegin()[1]["learning_rate"];
  CHECK(last_rate < 5e-3 / 50);
  CHECK(last_rate > 0);
  {
    ChildProgram program(training_command(texts, limits), (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 30 "); }));
    program.send(SIGTERM);
    CHECK(program.wait() == 143);
  }
  const auto resumed = train(texts, limits);
  REQUIRE(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "from update"));
  require_same_run(texts / "straight", texts / "model");
  CHECK(contains(train(texts, limits + "--resume").errors, "raise --train.max-tokens to continue"));
}

TEST_CASE("A later signal ends training at once and loses nothing older", "[cli][resume]") {
  const TrainingTexts texts;
  const auto limits = std::string("--train.max-epochs 10 --train.log-every 1 --save-every 3 ");
  {
    ChildProgram program(training_command(texts, limits), (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 4 "); }));
    program.send(SIGINT);
    const auto again = [&] {
      program.send(SIGTERM);  // for a second it is the same wish
      return false;
    };
    program.wait_until(again);
    REQUIRE_FALSE(program.running());
    const int status = program.wait();
    CHECK((status == 130 || status == 143));
  }
  require_success(train(texts, limits + "--resume"));
}

TEST_CASE("A finished run goes on where a limit is raised, and says so otherwise",
          "[cli][resume]") {
  const TrainingTexts texts;
  require_success(run_program(training_command(texts, "--train.max-epochs 3", "straight")));
  require_success(train(texts, "--train.max-epochs 2"));
  const auto again = train(texts, "--train.max-epochs 2");
  CHECK(again.exit_code == 1);
  CHECK(
      contains(again.errors, "training is finished (max_epochs reached); use --resume and raise"));
  CHECK(contains(train(texts, "--train.max-epochs 3").errors,
                 "(max_epochs reached); add --resume to continue; --restart"));
  const auto nothing = train(texts, "--train.max-epochs 2 --resume");
  CHECK(nothing.exit_code == 0);
  CHECK(contains(nothing.errors, "already finished"));
  const auto model = (texts / "model").string();
  require_success(run_program("train --resume --model-dir " + model + " --train.max-epochs 3"));
  require_same_run(texts / "straight", texts / "model");
}

TEST_CASE("A finished run of the linear schedule continues as its advice says", "[cli][resume]") {
  const TrainingTexts texts;
  const auto limit = std::string("--train.schedule linear --train.max-updates ");
  require_success(train(texts, limit + "4"));
  const auto finished = train(texts, limit + "4 --resume");
  CHECK(finished.exit_code == 0);
  CHECK(contains(finished.errors, "raise --train.max-updates to continue, with --accept-changes"));
  CHECK(contains(train(texts, limit + "6").errors, "; add --resume and --accept-changes, because"));
  CHECK(contains(train(texts, limit + "6 --accept-changes").errors, "; add --resume to continue;"));
  const auto refused = train(texts, limit + "6 --resume");
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.errors, "4 → 6 (on which the linear learning rate depends)"));
  const auto resumed = train(texts, limit + "6 --resume --accept-changes");
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "training ended: max_updates reached  updates 6"));
}

TEST_CASE("A run whose texts were moved resumes with its other settings", "[cli][resume]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 4 --train.seed 3 --keep-best 1"));
  fs::rename(texts / "train.src", texts / "moved.src");
  fs::rename(texts / "train.tgt", texts / "moved.tgt");
  const auto resume = "train --resume -m " + texts.at("model") + " --train.max-updates 6";
  CHECK(contains(run_program(resume).errors, "train.src: no such file"));
  const auto resumed =
      run_program(resume + " -t " + texts.at("moved.src") + " " + texts.at("moved.tgt"));
  require_success(resumed);
  const auto config = read_file(texts / "model" / "config.yaml");
  for (const char* setting : {"seed: 3\n", "keep_best: 1\n", "threads: 2\n"}) {
    CHECK(contains(config, "  " + std::string(setting)));
  }
}

TEST_CASE("Another run is not resumed unless told to", "[cli][resume]") {
  const TrainingTexts texts;
  CHECK(contains(train(texts, "--resume").errors, "no run to resume"));
  require_success(train(texts, "--train.max-updates 4"));
  const auto more = std::string("--resume --train.max-updates 6 ");
  const auto changed = train(texts, more + "--train.learning-rate 1e-4");
  CHECK(changed.exit_code == 1);
  CHECK(contains(changed.errors, "train.learning_rate 0.005 → 1e-04;"));
  CHECK(contains(train(texts, more + "--model.hidden-size 32 --accept-changes").errors,
                 "cannot change within a run: model.hidden_size 48 → 32"));
  require_success(train(texts, more + "--train.learning-rate 1e-4 --accept-changes"));
  CHECK(contains(
      train(texts, "--resume --train.max-updates 7 --train.learning-rate 1e-4 --train.threads 1")
          .errors,
      "threads 2 → 1"));
  write_reversal(texts, "train", 600, 9);
  CHECK(contains(train(texts, "--resume --train.max-updates 9 --train.learning-rate 1e-4").errors,
                 "the training source text (SHA-256)"));
  CHECK(contains(train(texts, "--train.max-updates 9").errors,
                 "(max_updates reached), on other texts; use another --model-dir; --restart"));
  const auto restarted = train(texts, "--restart --train.max-updates 3");
  REQUIRE(restarted.exit_code == 0);
  CHECK(contains(restarted.errors, "backed up the previous run to"));
  CHECK(fs::exists(texts / "model.old-1/model.safetensors"));
  CHECK(fs::exists(texts / "model/model.safetensors"));
}

TEST_CASE("Values on another validation set are not compared with earlier ones", "[cli][resume]") {
  const TrainingTexts texts;
  const auto limits = std::string("--validation.interval 3 --train.max-updates ");
  require_success(train(texts, limits + "6"));
  for (const char* side : {"valid.src", "valid.tgt"}) {  // in another order: with the same BLEU
    auto lines = read_lines(texts / side);
    std::reverse(lines.begin(), lines.end());
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    texts.write(side, text);
  }
  const auto model = read_file(texts / "model/model.safetensors");
  const std::string resumed = " --train.learning-rate 1e-12 --resume --accept-changes";
  {
    ChildProgram program(training_command(texts, limits +
                                                     "100000 --train.max-epochs 100000 "
                                                     "--validation.interval 100000 "
                                                     "--train.log-every 1" +
                                                     resumed),
                         (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 8 "); }));
    program.send(SIGTERM);
    CHECK(program.wait() == 128 + SIGTERM);
  }
  const bool same = read_file(texts / "model/model.safetensors") == model;
  CHECK(same);  // until the first validation on the new set
  const auto only_best_is_last = [&](const std::string& more) {
    const int64_t last = saved_progress(texts / "model").at("update").get<int64_t>() + 2;
    require_success(train(texts,
                          "--train.max-epochs 100000 --validation.interval 100000 "
                          "--train.max-updates " +
                              std::to_string(last) + more + resumed));
    const auto progress = saved_progress(texts / "model");
    CHECK(progress.at("best").at("update") == last);
    const auto& best = progress.at("checkpoints").at("best");
    REQUIRE(best.size() == 1);
    CHECK(best.at(0).at("update") == last);
    CHECK(progress.at("early_stopping").at("stalled") == 0);
  };
  only_best_is_last("");
  CHECK_FALSE(fs::exists(texts / "model/checkpoints/update-3.safetensors"));
  CHECK_FALSE(fs::exists(texts / "model/checkpoints/update-6.safetensors"));
  only_best_is_last(" --validation.max-sentences 5");
}

TEST_CASE("An epoch of other batches starts over", "[cli][resume]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 12"));
  require_success(
      train(texts, "--train.max-updates 14 --data.batch-size 64 --resume --accept-changes"));
  const auto progress = saved_progress(texts / "model");
  CHECK(progress.at("epoch") == 1);
  CHECK(progress.at("batch_in_bucket") == 2);
}

TEST_CASE("A training whose metrics were edited ends well", "[cli][resume]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 2"));
  auto metrics = read_file(texts / "model/metrics.jsonl");
  metrics.front() = 'x';
  texts.write("model/metrics.jsonl", metrics);
  const auto result = train(texts, "--train.max-updates 4 --resume");
  require_success(result);
  CHECK(contains(result.errors, "line 1: not written by nmt train"));
}

TEST_CASE("A user can prove on his own settings that resuming is exact", "[cli][resume]") {
  const TrainingTexts texts;
  for (const char* more :
       {"--train.engine fused --ema 0.9 --model.dropout 0.2 --model.state-dropout 0.2",
        "--train.engine plain --train.threads 1 --train.optimizer adamw --model.dropout 0.2 "
        "--model.state-dropout 0.2",
        "--model.embedding-size 48 --model.tied-embeddings all "
        "--vocab.joint true --train.gradient-accumulation 3",
        "--vocab.type unigram --data.batch-size 150 --data.source-subword-sampling 0.2 "
        "--data.target-subword-sampling 0.1"}) {
    INFO(more);
    const auto verified = train(texts, std::string("--verify-resume ") + more);
    require_success(verified);
    REQUIRE(contains(verified.output, "resuming is exact"));
  }
  REQUIRE_FALSE(fs::exists(texts / "model/model.safetensors"));
}

TEST_CASE("Verification makes the choices of training", "[cli][resume]") {
  const TrainingTexts texts;
  CHECK(contains(train(texts, "--verify-resume --validation.script ./missing").errors,
                 "missing: no such file"));
  // Tied embeddings go with the joint vocabulary of the initial model.
  const std::string network =
      "--model.embedding-size 48 --model.hidden-size 48 --model.tied-embeddings all ";
  require_success(train(texts, network + "--vocab.joint true --train.max-updates 1"));
  const auto path = texts.path().string();
  const auto verified =
      run_program("train --config /dev/null --verify-resume --train.threads 1 --train-sets " +
                  path + "/train.src " + path + "/train.tgt -m " + path + "/tuned " + network +
                  "--train.initial-model " + path + "/model");
  INFO(verified.errors);
  CHECK(verified.exit_code == 0);
}

TEST_CASE("An epoch whose corpus cannot be prepared costs no update", "[cli][resume]") {
  const TrainingTexts texts;
  const auto command = training_command(
      texts,
      "--data.source-subword-sampling 0.1 --train.log-every 1 --validation.interval 100000 "
      "--train.max-epochs ");
  const auto source = read_file(texts / "train.src");
  {
    ChildProgram program(command + "100000", (texts / "log").string());
    REQUIRE(program.wait_until([&] { return contains(read_file(texts / "log"), "update 5 "); }));
    texts.write("other.src", "9 " + source);
    std::filesystem::rename(texts / "other.src", texts / "train.src");  // never half of it
    CHECK(program.wait() == 1);
  }
  const auto log = read_file(texts / "log");
  INFO(log);
  CHECK(contains(log, ": changed "));  // since the run began, or while it was read
  texts.write("train.src", source);
  const auto resumed = run_program(command + "1");
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed.errors, "from update "));
  CHECK_FALSE(contains(resumed.errors, "from update 0\n"));
}

TEST_CASE("Several corpora are mixed by weights, and resumed exactly", "[cli][resume]") {
  const TrainingTexts texts;
  write_reversal(texts, "more", 90, 3);
  const auto more = "--train-sets " + (texts / "more.src").string() + " " +
                    (texts / "more.tgt").string() +
                    " --data.bucket-batches 2 --data.train-weights ";
  for (const char* batches : {"16", "200 --data.batch-type tokens --train.gradient-accumulation 2",
                              "150 --data.source-subword-sampling 0.2 "
                              "--data.target-subword-sampling 0.1 --vocab.type unigram"}) {
    INFO(batches);
    const auto verified =
        train(texts, "--verify-resume " + more + "1,3 --data.batch-size " + batches);
    INFO(verified.errors);
    REQUIRE(contains(verified.output, "resuming is exact"));
  }
  const auto trained = train(texts, more + "1,3 --train.max-updates 3");
  REQUIRE(trained.exit_code == 0);
  CHECK(contains(trained.errors, "training corpus 1  pairs 600 of 600"));
  CHECK(contains(trained.errors, "training corpus 2  pairs 90 of 90"));
  const auto summary = nlohmann::json::parse(read_file(texts / "model/training.json"));
  CHECK(summary["train_source"][1]["path"] == (texts / "more.src").string());
  CHECK(summary["pairs_kept"] == 690);
  CHECK(summary["threads"] == 2);
  const auto other_weights = train(texts, more + "1,4 --train.max-updates 5 --resume");
  CHECK(contains(other_weights.errors, "data.train_weights [1, 3] → [1, 4]"));
  const auto model = (texts / "model").string();
  CHECK(run_program("info " + model).exit_code == 0);
  CHECK(run_program("train --resume --model-dir " + model + " --train.max-updates 5").exit_code ==
        0);
}

TEST_CASE("The latest checkpoints are kept as well as the best", "[cli][resume]") {
  const TrainingTexts texts;
  require_success(train(texts, "--train.max-updates 12 --save-every 2 --keep-last 3"));
  std::vector<std::string> kept;
  for (const auto& entry : fs::directory_iterator(texts / "model/checkpoints")) {
    kept.push_back(entry.path().filename().string());
  }
  std::sort(kept.begin(), kept.end());
  REQUIRE(kept == std::vector<std::string>{"update-10.safetensors", "update-12.safetensors",
                                           "update-8.safetensors"});
  // The last update is one of them where a validation is due at it.
  require_success(run_program(training_command(
      texts, "--train.max-updates 12 --validation.interval 4 --keep-last 2", "validated")));
  const auto progress = saved_progress(texts / "validated");
  CHECK(progress.at("checkpoints").at("latest").get<std::vector<int64_t>>() ==
        std::vector<int64_t>{8, 12});
  CHECK(fs::exists(texts / "validated/checkpoints/update-12.safetensors"));
}

TEST_CASE("The last update of a resumed run follows its new time, or is given", "[cli][resume]") {
  const TrainingTexts texts;
  // Its progress once the log has this.
  const auto interrupt = [&](const std::string& log, const std::string& limits,
                             const std::string& awaited) {
    ChildProgram program(
        training_command(texts,
                         "--train.max-epochs 0 --train.max-updates auto --validation.patience 0 "
                         "--train.log-every 5 " +
                             limits),
        (texts / log).string());
    const bool came = program.wait_until([&] { return contains(read_file(texts / log), awaited); });
    INFO(read_file(texts / log));
    REQUIRE(came);
    program.send(SIGTERM);
    CHECK(program.wait() == 128 + SIGTERM);
    return saved_progress(texts / "model");
  };
  const auto before = interrupt("log1", "--minutes 60", "update 10 ");
  const int64_t planned = before.at("configured_updates");
  const auto longer = interrupt("log2", "--minutes 120", "epoch 2  update ");
  const auto seconds = [](const nlohmann::json& progress) {
    return progress.at("time_plan").at("seconds").get<double>();
  };
  CHECK(std::abs(seconds(longer) - seconds(before) - 3600) < 1);
  // Also where it is what the plan began with.
  const auto given =
      interrupt("log3", "--minutes 120 --train.max-updates " + std::to_string(planned), "resuming");
  CHECK(given.at("time_plan").is_null());
  CHECK(given.at("configured_updates") == planned);
}

TEST_CASE("A run that used up its time continues with just more minutes", "[cli][resume]") {
  const TrainingTexts texts;
  const auto first = train(
      texts, "--train.max-epochs 0 --train.max-updates auto --validation.patience 0 --minutes 0.1");
  INFO(first.errors);
  REQUIRE(first.exit_code == 0);
  CHECK(contains(first.errors, "training ended: max_minutes reached"));
  const int64_t updates = saved_progress(texts / "model").at("update");
  const auto config = read_file(texts / "model" / "config.yaml");
  const auto less = run_program("train --resume -m " + texts.at("model") + " --minutes 0.05");
  CHECK(less.exit_code == 0);
  CHECK(
      contains(less.errors,
               "training is already finished (max_minutes reached); raise --minutes to continue"));
  CHECK(read_file(texts / "model" / "config.yaml") == config);
  const auto second = run_program("train --resume -m " + texts.at("model") + " --minutes 0.2");
  INFO(second.errors);
  CHECK(second.exit_code == 0);
  CHECK(contains(second.errors, "training ended: max_minutes reached"));
  CHECK(saved_progress(texts / "model").at("update") > updates + 1);
}

TEST_CASE("Training that diverges goes back, slows down and then stops in one line",
          "[cli][resume]") {
  const TrainingTexts texts;
  const auto result = train(texts,
                            "--train.optimizer sgd --train.learning-rate 1e39 --train.clip-norm 0 "
                            "--train.max-updates 60 --train.log-every 1");
  INFO(result.errors);
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, "update skipped"));
  CHECK(contains(result.errors, "rolled back to the last good weights"));
  CHECK(contains(result.errors, "training diverged at update"));
  bool skipped = false;
  for (const auto& line : metrics_without_times(texts / "model")) {
    if (line.at("type") != "train") continue;
    CHECK((line.at("loss").is_null() || line.at("loss") > 0));
    skipped = skipped || line.at("loss").is_null();
  }
  CHECK(skipped);
}

}  // namespace nmt
