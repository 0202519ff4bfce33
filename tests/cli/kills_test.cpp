// Commands that are killed at random moments: none leaves something half written as if it were
// whole, and the same command then gives what it gives undisturbed. Training has its own,
// resume_test.cpp.

#include <chrono>
#include <map>

#include "cli/child_program.h"
#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/sha256.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const std::string kOriginal = NMT_SOURCE_DIR "/models/sample";

/// The hashes of a file, or of all files of a folder and those below it, by name; empty where there
/// is nothing.
std::map<std::string, std::string> content_of(const fs::path& path) {
  std::map<std::string, std::string> content;
  if (fs::is_regular_file(path)) content["."] = sha256(read_file(path));
  if (!fs::is_directory(path)) return content;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    content[fs::relative(entry.path(), path).string()] = sha256(read_file(entry.path()));
  }
  return content;
}

/// Starts the command again and again, and kills each run at a random moment of the time that the
/// command takes undisturbed. Some end before that.
struct RandomKills {
  std::string command;
  fs::path log;
  Clock::duration duration{};
  std::function<void()> after_kill;
  std::function<void()> after_end;

  void run(int kills, uint64_t seed) const {
    Random random(seed, 11);
    for (int killed = 0; killed < kills;) {
      ChildProgram program(command, log.string());
      const auto share = static_cast<double>(random.below(1000)) / 1000;
      std::this_thread::sleep_for(duration * share);
      program.send(SIGKILL);
      const int status = program.wait();
      INFO(read_file(log));
      if (status == 128 + SIGKILL) {
        ++killed;
        after_kill();
      } else {
        REQUIRE(status == 0);
        after_end();
      }
    }
  }
};

/// Runs the command to its end. Returns how long it took.
Clock::duration time_of(const std::string& command) {
  const auto begin = Clock::now();
  require_success(run_program(command));
  return Clock::now() - begin;
}

/// Of a command whose runs know nothing of those before: after each kill its output `is_there` as
/// an undisturbed run writes it, or not at all.
void check_writing(const std::string& command, const std::string& output,
                   const std::function<bool(const fs::path&)>& is_there, int kills, uint64_t seed) {
  const TemporaryFolder folder;
  const auto expected = folder / ("expected" + output);
  const auto found = folder / ("found" + output);
  const auto before = content_of(kOriginal);
  const auto duration = time_of(command + expected.string());
  const auto again = command + found.string();
  const auto require_whole = [&] {
    REQUIRE(content_of(found) == content_of(expected));
    fs::remove_all(found);
  };
  const auto after_kill = [&] {
    // The names of what is unfinished are none that a command reads.
    if (is_there(found)) return require_whole();
    time_of(again);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (contains(entry.path().string(), ".tmp")) fs::remove(entry.path());
    }
    if (fs::is_directory(found)) {
      for (const auto& entry : fs::directory_iterator(found)) {
        if (contains(entry.path().filename().string(), ".new")) fs::remove_all(entry.path());
      }
    }
    require_whole();
  };
  RandomKills{again, folder / "log", duration, after_kill, require_whole}.run(kills, seed);
  REQUIRE(content_of(kOriginal) == before);
}

void check_packing(int kills) {
  check_writing(
      "pack '" + kOriginal + "' --precision int8 -o ", ".nmt",
      [](const fs::path& file) { return fs::exists(file); }, kills, 1);
}

void check_adapting(int kills) {
  const TemporaryFolder texts;
  texts.write("fixed.ko", first_lines("test.ko", 4));
  texts.write("fixed.en", first_lines("test.en", 4));
  check_writing(
      "adapt -m '" + kOriginal + "' --steps 4 --threads 1 -s " + (texts / "fixed.ko").string() +
          " -t " + (texts / "fixed.en").string() + " -o ",
      "", [](const fs::path& model) { return fs::exists(model / "model.safetensors"); }, kills, 2);
}

/// A killed translation resumes where its journal is, first saved after two seconds; its file gets
/// its name once it is complete.
void check_translating(int kills, int copies) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < copies; ++i) text += read_file(NMT_SOURCE_DIR "/data/sample/test.ko");
  folder.write("in", text);
  const auto command = "translate -m '" + kOriginal + "' --threads 1 --beam-size 1 -i " +
                       (folder / "in").string() + " -o ";
  const auto expected = (folder / "expected").string();
  const auto duration = time_of(command + expected);
  const auto found = folder / "found";
  const auto require_whole = [&] {
    REQUIRE(read_file(found) == read_file(expected));
    fs::remove(found);
    REQUIRE_FALSE(fs::exists(folder / "found.part"));
    REQUIRE_FALSE(fs::exists(folder / "found.part.json"));
  };
  const auto after_kill = [&] {
    if (!fs::exists(found)) return;
    fs::remove(folder / "found.part.json");  // what a run removes last
    require_whole();
  };
  RandomKills{command + found.string(), folder / "log", duration, after_kill, require_whole}.run(
      kills, 3);
  if (!fs::exists(found)) time_of(command + found.string());
  require_whole();
}

/// A killed preparation resumes after its last complete shard.
void check_preparing(int kills, int64_t pairs) {
  const TemporaryFolder texts;
  write_reversal(texts, "train", pairs, 1);
  write_reversal(texts, "valid", 20, 2);
  const std::string limit = "--train.max-updates 1 --validation.max-sentences 1 ";
  const auto cache_of = [&](const std::string& model) {
    return content_of(texts / model / "cache");
  };
  const auto duration = time_of(training_command(texts, limit, "expected"));
  const auto expected = cache_of("expected");
  REQUIRE(expected.size() >= 2);
  const auto require_whole = [&] {
    REQUIRE(cache_of("model") == expected);
    fs::remove_all(texts / "model");
  };
  const auto after_kill = [&] {
    if (fs::exists(texts / "model/training_state.safetensors")) return require_whole();
    for (const auto& [name, hash] : cache_of("model")) {
      if (!contains(name, ".tmp")) REQUIRE(hash == expected.at(name));
    }
  };
  const auto command = training_command(texts, limit);
  RandomKills{command, texts / "log", duration, after_kill, require_whole}.run(kills, 4);
  time_of(command);
  require_whole();
}

}  // namespace

TEST_CASE("Whatever is killed leaves nothing half written as if it were whole", "[cli][kills]") {
  SECTION("packing") { check_packing(3); }
  SECTION("adapting") { check_adapting(3); }
  SECTION("translating") { check_translating(4, 2); }
  SECTION("preparing") { check_preparing(4, 2000); }
}

TEST_CASE("Killed hundreds of times, packing, adapting, translating and preparing are as safe",
          "[.][kills-long]") {
  SECTION("packing") { check_packing(200); }
  SECTION("adapting") { check_adapting(200); }
  SECTION("translating") { check_translating(200, 16); }
  SECTION("preparing") { check_preparing(200, 1'100'000); }
}

}  // namespace nmt
