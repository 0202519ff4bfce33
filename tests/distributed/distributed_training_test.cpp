// Whole runs of several processes, started as a user starts them.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "cli/saved_progress.h"
#include "files/line_reader.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;

struct Curve {
  std::vector<double> losses;       // of every update
  std::vector<double> validations;  // loss and BLEU of every validation
};

Curve curve_of(const TemporaryFolder& folder, const std::string& model) {
  Curve curve;
  for (const auto& line : read_lines((folder / model / "metrics.jsonl").string())) {
    const auto json = nlohmann::json::parse(line);
    const double loss = json.at("loss");
    if (json.at("type") == "train") {
      curve.losses.push_back(loss);
    } else {
      curve.validations.push_back(loss);
      curve.validations.push_back(json.at("bleu"));
    }
  }
  return curve;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(std::abs(a[i]), 1e-9));
  }
  return largest;
}

std::string launched(int processes, const std::string& train_command) {
  return "launch --processes " + std::to_string(processes) + " -- " + train_command;
}

void require_gloo() {
  if (!contains(run_program("info").output, "several processes  Gloo"))
    SKIP("this nmt was built without Gloo");
}

TEST_CASE("Several processes have the loss curve of one") {
  require_gloo();
  const TrainingTexts texts;
  const std::string common =
      " --train.log-every 1 --train.max-updates 40 --train.max-epochs 0 --validation.interval 20 "
      "--train.threads 1 --train.learning-rate 1e-3 ";
  const std::pair<std::string, std::vector<int>> kinds[] = {
      {"--train.engine fused", {2, 3}},
      {"--train.engine fused --data.batch-type tokens --data.batch-size 150 "
       "--train.gradient-accumulation 2 "
       "--vocab.joint true --model.tied-embeddings all --model.embedding-size 48",
       {3}},
      {"--train.engine fused --train.objective r_drop", {2}},
      {"--train.engine fused --train.objective scheduled_sampling "
       "--train.scheduled-sampling-probability 1",
       {2}},
      {"--train.engine plain --train.ema-decay 0.99 --train.gradient-accumulation 2", {2}},
      // Adam makes whole steps of gradients that are mere rounding, which a Transformer without
      // warm-up has: two threads already leave the curve of one.
      {"--train.optimizer sgd --train.learning-rate 0.01 --model.architecture transformer "
       "--model.num-layers 2 --model.embedding-size 48 --train.label-smoothing 0.1",
       {3}}};
  for (const auto& [kind, numbers] : kinds) {
    DYNAMIC_SECTION(kind) {
      require_success(run_program(training_command(texts, common + kind, "one")));
      const auto one = curve_of(texts, "one");
      REQUIRE(one.losses.size() == 40);
      for (const int processes : numbers) {
        const auto model = "of-" + std::to_string(processes);
        require_success(
            run_program(launched(processes, training_command(texts, common + kind, model))));
        const auto several = curve_of(texts, model);
        INFO(processes);
        CHECK(largest_difference(one.losses, several.losses) < 1e-5);
        CHECK(largest_difference(one.validations, several.validations) < 1e-4);
      }
    }
  }
}

TEST_CASE("Gradients that travel as bfloat16 train nearly alike, and resume with the same bits") {
  require_gloo();
  const TrainingTexts texts;
  const std::string engine = GENERATE("fused", "plain");
  const auto command = [&](const std::string& compression, int updates, const std::string& model) {
    return launched(2,
                    training_command(texts,
                                     "--train.log-every 1 --train.max-epochs 0 --train.threads 1 "
                                     "--validation.interval 1000 --train.engine " +
                                         engine + " --train.gradient-compression " + compression +
                                         " --train.max-updates " + std::to_string(updates),
                                     model));
  };
  require_success(run_program(command("none", 20, "exact")));
  require_success(run_program(command("bfloat16", 20, "compressed")));
  require_success(run_program(command("bfloat16", 10, "stopped")));
  require_success(run_program(command("bfloat16", 20, "stopped") + " --resume"));
  const double difference =
      largest_difference(curve_of(texts, "exact").losses, curve_of(texts, "compressed").losses);
  CHECK(difference > 0);
  CHECK(difference < 1e-3);
  const bool same = read_file(texts / "compressed/last.safetensors") ==
                    read_file(texts / "stopped/last.safetensors");
  CHECK(same);
}

TEST_CASE("A single process has no gradients to compress") {
  const TrainingTexts texts;
  const auto result = run_program(training_command(
      texts, "--train.max-updates 1 --train.gradient-compression bfloat16 --train.threads 1"));
  require_success(result);
  CHECK(contains(result.errors, "train.gradient_compression: has no effect"));
}

TEST_CASE("A limit of tokens counts those of all processes") {
  require_gloo();
  const TrainingTexts texts;
  const auto common = std::string(
      "--train.max-tokens 3000 --train.max-epochs 0 --train.schedule linear --train.threads 1 ");
  require_success(run_program(training_command(texts, common, "one")));
  require_success(run_program(launched(2, training_command(texts, common, "two"))));
  const auto summary = [&](const char* model) {
    auto json = nlohmann::json::parse(read_file(texts / model / "training.json"));
    CHECK(json.at("stop_reason") == "max_tokens reached");
    return std::pair{json.at("updates"), json.at("target_tokens")};
  };
  CHECK(summary("one") == summary("two"));
}

TEST_CASE("More processes than a batch has sentences still train") {
  require_gloo();
  const TrainingTexts texts;
  for (const auto& engine : {"fused", "plain"}) {
    require_success(run_program(launched(
        3,
        training_command(texts,
                         std::string("--data.batch-size 2 --train.max-updates 5 --train.engine ") +
                             engine + " --train.threads 1",
                         engine))));
  }
}

TEST_CASE("All processes leave held-out sentences out of training") {
  require_gloo();
  const TrainingTexts texts;
  const auto path = texts.path().string();
  const auto command = [&](const std::string& model) {
    return "train --train-sets " + path + "/train.src " + path + "/train.tgt -m " + path + "/" +
           model +
           " --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe "
           "--model.embedding-size 24 --model.hidden-size 48 --model.dropout 0 --train.threads 1 "
           "--data.batch-size 32 --train.log-every 1 --train.max-updates 10 "
           "--validation.interval 5 ";
  };
  require_success(run_program(command("one")));
  require_success(run_program(launched(2, command("two"))));
  const auto one = curve_of(texts, "one");
  const auto two = curve_of(texts, "two");
  CHECK(largest_difference(one.losses, two.losses) < 1e-4);
  CHECK(largest_difference(one.validations, two.validations) < 1e-4);
  const auto summary_of = [&](const std::string& model) {
    return nlohmann::json::parse(read_file(texts / model / "training.json"));
  };
  CHECK(summary_of("two").at("pairs_held_out") > 0);
  CHECK(summary_of("two").at("pairs_held_out") == summary_of("one").at("pairs_held_out"));
  CHECK(summary_of("two").at("test").at("pairs") == summary_of("one").at("test").at("pairs"));
}

TEST_CASE("One of several processes runs the validation script, and all follow it") {
  require_gloo();
  const TrainingTexts texts;
  const auto script = texts.write(
      "rate", "#!/bin/sh\ncd \"$(dirname \"$0\")\"; echo run >> runs\necho -$(wc -l < runs)\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  require_success(run_program(launched(
      2,
      training_command(texts, "--validation.metric script --validation.script " + script.string() +
                                  " --train.threads 1 --train.max-epochs 0 --validation.interval 5 "
                                  "--validation.patience 2"))));
  // The first rating, -1, is the best, and the third ends training.
  CHECK(read_lines((texts / "runs").string()).size() == 3);
  CHECK(nlohmann::json::parse(read_file(texts / "model/training.json")).at("updates") == 15);
}

TEST_CASE("A run goes on with another number of processes") {
  require_gloo();
  const TrainingTexts texts;
  const auto command = [&](int updates) {
    return training_command(texts,
                            "--train.log-every 1 --train.threads 1 --train.max-epochs 0 "
                            "--validation.interval 20 --train.max-updates " +
                                std::to_string(updates));
  };
  require_success(run_program(launched(2, command(20))));
  require_success(run_program(command(40) + " --resume"));
  require_success(run_program(launched(3, command(60) + " --resume")));
  require_success(run_program(training_command(
      texts,
      "--train.log-every 1 --train.threads 1 --train.max-epochs 0 --validation.interval 20 "
      "--train.max-updates 60",
      "straight")));
  const auto straight = curve_of(texts, "straight");
  const auto stopped = curve_of(texts, "model");
  CHECK(largest_difference(straight.losses, stopped.losses) < 1e-4);
}

TEST_CASE("Several processes go on with the same bits") {
  require_gloo();
  const TrainingTexts texts;
  const auto command = [&](const std::string& engine, int updates, const std::string& model) {
    return launched(2, training_command(texts,
                                        "--train.engine " + engine +
                                            " --model.dropout 0.3 --train.threads 1 "
                                            "--train.max-epochs 0 --validation.interval 1000 "
                                            "--train.max-updates " +
                                            std::to_string(updates),
                                        model));
  };
  for (const std::string engine : {"fused", "plain"}) {
    INFO(engine);
    require_success(run_program(command(engine, 20, engine)));
    require_success(run_program(command(engine, 10, engine + "-stopped")));
    require_success(run_program(command(engine, 20, engine + "-stopped") + " --resume"));
    const bool same = read_file(texts / engine / "last.safetensors") ==
                      read_file(texts / (engine + "-stopped") / "last.safetensors");
    CHECK(same);
  }
}

TEST_CASE("Every objective and sampled segmentations train among several processes") {
  require_gloo();
  const TrainingTexts texts;
  const std::string common = " --train.threads 1 --train.max-updates 6 --validation.interval 3 ";
  for (const auto& more :
       {"--train.objective r_drop", "--train.objective minimum_risk --train.mrt-samples 2",
        "--train.objective scheduled_sampling",
        "--data.source-subword-sampling 0.1 --train.max-updates 40 --validation.interval 40",
        "--model.architecture transformer --model.layer-dropout 0.5 --model.num-layers 2 "
        "--model.embedding-size 48"}) {
    INFO(more);
    require_success(
        run_program(launched(2, training_command(texts, common + more + " --overwrite"))));
  }
  // Those of the processes that sampled are gone.
  for (const auto& cache : std::filesystem::directory_iterator(texts / "model/cache")) {
    CHECK_FALSE(contains(cache.path().filename().string(), "process"));
  }
}

TEST_CASE("A signal ends all processes in good order, and the run goes on") {
  require_gloo();
  const int sent = GENERATE(SIGTERM, SIGHUP);  // SIGHUP: of a terminal that closes
  ::signal(SIGHUP, SIG_DFL);                   // under nohup too
  const TrainingTexts texts;
  const auto command = [&](const std::string& more) {
    return launched(2, training_command(texts, "--train.log-every 1 --train.threads 1 " + more));
  };
  {
    const auto log = (texts / "log").string();
    ChildProgram program(command("--train.max-epochs 100000"), log);
    REQUIRE(
        program.wait_until([&] { return read_file(log).find("update 5 ") != std::string::npos; }));
    program.send(sent);
    CHECK(program.wait() == 128 + SIGTERM);
    CHECK(read_file(log).find("run the same command again to resume") != std::string::npos);
  }
  const auto result = run_program(command("--train.max-epochs 1"));
  CHECK(result.errors.find("from update") != std::string::npos);
}

/// A process of the group, started without the launcher.
std::string member(int rank, int port, const std::string& address = "127.0.0.1") {
  return "RANK=" + std::to_string(rank) + " WORLD_SIZE=2 LOCAL_RANK=" + std::to_string(rank) +
         " LOCAL_WORLD_SIZE=2 MASTER_ADDR=" + address + " MASTER_PORT=" + std::to_string(port);
}

/// A port of this machine on which connections succeed, if `listens`, and nobody ever answers.
class SilentPort {
 public:
  explicit SilentPort(bool listens) {
    auto* name = reinterpret_cast<sockaddr*>(&address_);
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address_);
    REQUIRE(::bind(socket_, name, size) == 0);
    REQUIRE(::getsockname(socket_, name, &size) == 0);
    if (listens) REQUIRE(::listen(socket_, 8) == 0);
  }
  ~SilentPort() { ::close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  int number() const { return ntohs(address_.sin_port); }

 private:
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address_{};
};

/// The two processes that it has launched.
std::pair<pid_t, pid_t> children_of(const ChildProgram& launcher) {
  const auto process = std::to_string(launcher.process());
  std::istringstream children(read_file("/proc/" + process + "/task/" + process + "/children"));
  pid_t first = 0;
  pid_t second = 0;
  children >> first >> second;
  REQUIRE(second > 0);
  return {first, second};
}

TEST_CASE("The launcher starts all again when one is killed, and they go on") {
  require_gloo();
  const TrainingTexts texts;
  const auto log = (texts / "log").string();
  const auto command = [&](const std::string& model) {
    return training_command(
        texts,
        "--train.log-every 1 --train.threads 1 --train.max-epochs 0 --model.dropout 0.3 "
        "--train.max-updates 150 --train.save-every 5 --validation.interval 100000",
        model);
  };
  require_success(run_program(launched(2, command("straight"))));
  // What it starts again resumes, and replaces nothing.
  ChildProgram program(
      "launch --processes 2 --max-restarts 1 -- " + command("model") + " --overwrite", log);
  REQUIRE(
      program.wait_until([&] { return read_file(log).find("update 20 ") != std::string::npos; }));
  ::kill(children_of(program).second, SIGKILL);
  CHECK(program.wait() == 0);
  const auto text = read_file(log);
  CHECK(text.find("restarting all processes (1 of 1)") != std::string::npos);
  CHECK(text.find("from update") != std::string::npos);
  CHECK(text.find("max_updates reached") != std::string::npos);
  const bool same =
      read_file(texts / "model/last.safetensors") == read_file(texts / "straight/last.safetensors");
  CHECK(same);
}

TEST_CASE("A signal to one process ends all, and the launcher starts none again") {
  require_gloo();
  const int sent = GENERATE(SIGTERM, SIGHUP);
  ::signal(SIGHUP, SIG_DFL);
  const TrainingTexts texts;
  const auto log = (texts / "log").string();
  ChildProgram program(
      "launch --processes 2 --max-restarts 1 -- " +
          training_command(texts,
                           "--train.log-every 1 --train.threads 1 --train.max-epochs 100000"),
      log);
  REQUIRE(
      program.wait_until([&] { return read_file(log).find("update 5 ") != std::string::npos; }));
  ::kill(children_of(program).second, sent);
  CHECK(program.wait() == 128 + sent);
  CHECK_FALSE(contains(read_file(log), "restarting"));
}

TEST_CASE("A process that waits for process 0 says so and ends by a signal") {
  require_gloo();
  const SilentPort port(/*listens=*/GENERATE(false, true));
  const TrainingTexts texts;
  const auto log = (texts / "log").string();
  ChildProgram program(training_command(texts, "--train.threads 1"), log,
                       "env " + member(1, port.number()));
  REQUIRE(program.wait_until(
      [&] { return contains(read_file(log), "waiting for the other processes at 127.0.0.1"); }));
  program.send(SIGTERM);
  CHECK(program.wait() == 128 + SIGTERM);
  CHECK(contains(read_file(log), "interrupted while waiting"));
}

TEST_CASE("A name of process 0 that nobody knows is told by all") {
  require_gloo();
  const TrainingTexts texts;
  const auto command = training_command(texts, "--train.threads 1");
  const std::string reason = "no-such-host.invalid: unknown address of process 0";
  const auto result = run_program(command, member(0, 29500, "no-such-host.invalid"));
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, reason));
  const auto log = (texts / "log").string();
  ChildProgram other(command, log, "env " + member(1, 29500, "no-such-host.invalid"));
  CHECK(other.wait_until([&] { return contains(read_file(log), reason); }));
  other.send(SIGTERM);
  CHECK(other.wait() == 128 + SIGTERM);
}

TEST_CASE("A process whose launcher has ended before it was ready ends too") {
  const TrainingTexts texts;
  const auto result = run_program(training_command(texts, "--train.max-updates 2000"),
                                  "RANK=0 WORLD_SIZE=1 NMT_LAUNCHER=999999999");
  CHECK(result.exit_code == 128 + SIGTERM);
}

/// Whether the process is there and more than an entry that nobody has asked for.
bool runs(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  if (!std::filesystem::exists(folder)) return false;
  const auto stat = read_file(folder + "/stat");
  return stat.substr(stat.rfind(')') + 2, 1) != "Z";
}

/// Two processes, launched, that have made a few updates and would go on without end.
struct EndlessTraining {
  EndlessTraining() {
    REQUIRE(program.wait_until([&] { return contains(read_file(log), "update 5 "); }));
  }

  const TrainingTexts texts;
  const std::string log = (texts / "log").string();
  ChildProgram program{
      launched(2, training_command(
                      texts, "--train.log-every 1 --train.threads 1 --train.max-epochs 100000")),
      log};
};

/// Waits up to 20 seconds for each, which must then have ended.
void check_ended(std::initializer_list<pid_t> processes) {
  for (const pid_t process : processes) {
    for (int i = 0; i < 1000 && runs(process); ++i) std::this_thread::sleep_for(20ms);
    CHECK_FALSE(runs(process));
  }
}

TEST_CASE("A later signal ends the launcher and all that it started") {
  require_gloo();
  EndlessTraining training;
  auto& program = training.program;
  const auto [first, second] = children_of(program);
  ::kill(first, SIGSTOP);  // so that it cannot end by itself
  program.send(SIGINT);
  const auto again = [&] {
    program.send(SIGTERM);  // for a second it is the same wish
    return false;
  };
  program.wait_until(again);
  REQUIRE_FALSE(program.running());
  CHECK(program.wait() == 143);
  check_ended({first, second});
}

TEST_CASE("The processes of a launcher that is killed save and end") {
  require_gloo();
  EndlessTraining training;
  auto& program = training.program;
  const auto [first, second] = children_of(program);
  program.send(SIGKILL);
  program.wait();
  check_ended({first, second});
  CHECK(contains(read_file(training.log), "training was interrupted at update "));
}

TEST_CASE("An error of one process ends all, which say why") {
  require_gloo();
  const TrainingTexts texts;
  const auto port = 20000 + static_cast<int>(::getpid() % 12000);
  const auto command = training_command(texts, "--train.threads 1 --train.max-updates 5");
  texts.write("other.src", "1 2\n");
  texts.write("other.tgt", "2 1\n");
  auto other = command;
  for (const auto& side : {"src", "tgt"}) {
    const auto name = std::string("/train.") + side;
    other.replace(other.find(name), name.size(), std::string("/other.") + side);
  }
  other.replace(other.find("/model "), 7, "/others ");
  const auto log = (texts / "second").string();
  ChildProgram second(other, log, "env " + member(1, port));
  const auto result = run_program(command, member(0, port));
  CHECK(result.exit_code == 1);
  CHECK(second.wait() == 1);
  const std::string reason = "process 1 has different training or validation texts";
  CHECK(contains(result.errors, reason));
  CHECK(contains(read_file(log), reason));
}

TEST_CASE("Each machine deletes the caches of earlier corpora") {
  require_gloo();
  const TrainingTexts texts;
  const auto port = 20000 + static_cast<int>(::getpid() % 12000);
  const std::string limits = "--train.threads 1 --train.max-updates 4";
  const auto earlier = texts / "other/cache/0123.corpus";
  std::filesystem::create_directories(earlier);
  ChildProgram other(training_command(texts, limits, "other"), texts.at("log"),
                     "env " + member(1, port) + " LOCAL_RANK=0");  // of another machine
  require_success(run_program(training_command(texts, limits), member(0, port)));
  CHECK(other.wait() == 0);
  CHECK_FALSE(std::filesystem::exists(earlier));
}

TEST_CASE("A process with other settings ends all, which say why") {
  require_gloo();
  const TrainingTexts texts;
  const auto port = 20000 + static_cast<int>(::getpid() % 12000);
  const auto command = training_command(texts, "--train.threads 1 --train.max-updates 5");
  const auto log = (texts / "second").string();
  ChildProgram second(command + " --train.gradient-compression bfloat16", log,
                      "env " + member(1, port));
  const auto result = run_program(command, member(0, port));
  CHECK(result.exit_code == 1);
  CHECK(second.wait() == 1);
  const std::string reason =
      "process 1 has train.gradient_compression bfloat16, process 0 none; start all processes";
  CHECK(contains(result.errors, reason));
  CHECK(contains(read_file(log), reason));
}

TEST_CASE("An epoch whose corpus was not ready when a process was lost is not skipped") {
  require_gloo();
  const TrainingTexts texts;
  write_reversal(texts, "train", 60000, 1);  // sampling them takes a second
  const auto port = 20000 + static_cast<int>(::getpid() % 12000);
  const auto command =
      training_command(texts, "--train.threads 1 --data.source-subword-sampling 0.1");
  const auto log = (texts / "first").string();
  ChildProgram second(command, (texts / "second").string(), "env " + member(1, port));
  ChildProgram first(command, log, "env " + member(0, port));
  const auto state = texts / "model/training_state.safetensors";
  REQUIRE(first.wait_until([&] { return std::filesystem::exists(state); }));
  std::this_thread::sleep_for(100ms);
  first.send(SIGTERM);
  second.send(SIGKILL);
  first.wait();
  INFO(read_file(log));
  const auto progress = saved_progress(texts / "model");
  const bool begun = progress.at("within_epoch").get<bool>();
  CHECK(progress.at("epoch").get<int64_t>() == (begun ? 1 : 0));
}

TEST_CASE("The settings chosen for --minutes count the threads of all processes") {
  require_gloo();
  const TrainingTexts texts;
  const auto path = texts.path().string();
  const auto result = run_program(
      launched(2, "train --train-sets " + path + "/train.src " + path + "/train.tgt -m " + path +
                      "/model --minutes 0.05 --train.threads 1 --data.hold-out 0"));
  INFO(result.errors);
  CHECK(contains(result.errors, "chosen for 0.05 minutes with 2 threads"));
}

TEST_CASE("What launch cannot start is told before anything starts") {
  const auto no_train = run_program("launch --processes 2 -- translate");
  CHECK(no_train.exit_code == 2);
  CHECK(no_train.errors.find("train") != std::string::npos);
  CHECK(run_program("launch -- train").exit_code == 2);
  CHECK(run_program("launch --processes 0 -- train").exit_code == 2);
}

}  // namespace
}  // namespace nmt
