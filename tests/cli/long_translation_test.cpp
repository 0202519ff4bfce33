// Translations that are ended and go on, and those that several machines share.

#include <nlohmann/json.hpp>

#include "cli/child_program.h"
#include "cli/run_program.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const std::string kTranslate = "translate -m '" NMT_SOURCE_DIR "/models/sample' --threads 1 ";

/// The sample's test text, several times: some seconds of work.
std::string long_text() {
  const auto text = read_file(NMT_SOURCE_DIR "/data/sample/test.ko");
  return text + text + text;
}

int64_t lines_saved(const std::filesystem::path& journal) {
  if (!std::filesystem::exists(journal)) return 0;
  return nlohmann::json::parse(read_file(journal)).at("lines").get<int64_t>();
}

/// Starts the command, and kills it when it has saved more lines. Time passes while it is stopped:
/// it saves every two seconds.
void kill_on_the_way(const std::string& command, const TemporaryFolder& folder, int signal) {
  const auto journal = folder / "out.part.json";
  const auto saved_before = lines_saved(journal);
  const auto log = (folder / "log").string();
  std::filesystem::remove(log);
  ChildProgram program(command, log);
  REQUIRE(program.wait_until([&] {
    return saved_before > 0 ? contains(read_file(log), "resuming after line")
                            : std::filesystem::exists(folder / "out.part");
  }));
  program.send(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  program.send(SIGCONT);
  REQUIRE(program.wait_until([&] { return lines_saved(journal) > saved_before; }));
  program.send(signal);
  REQUIRE(program.wait() == 128 + signal);
  REQUIRE_FALSE(std::filesystem::exists(folder / "out"));
}

std::string translated(const TemporaryFolder& folder, const std::string& flags) {
  require_success(run_program(kTranslate + flags + " -o " + (folder / "out").string()));
  return read_file(folder / "out");
}

/// What the shards of a text have one after the other.
std::string translated_in_shards(const TemporaryFolder& folder, const std::string& flags,
                                 int shards) {
  std::string together;
  for (int i = 1; i <= shards; ++i) {
    together +=
        translated(folder, flags + " --shard " + std::to_string(i) + "/" + std::to_string(shards));
  }
  return together;
}

}  // namespace

TEST_CASE("A translation that was killed goes on, and ends byte for byte the same", "[cli]") {
  const TemporaryFolder folder;
  folder.write("in", long_text());
  // Windows of 64 lines, several lines or one for each.
  const auto command =
      kTranslate + "--beam-size 1 --batch-size 4 --json -i " + (folder / "in").string();
  const auto files =
      " -o " + (folder / "out").string() + " --alignments " + (folder / "pairs").string();
  kill_on_the_way(command + files, folder, SIGKILL);
  const auto refused = run_program(command + files + " --max-length 7");
  REQUIRE(refused.exit_code == 1);
  REQUIRE(contains(refused.errors, "started with other settings: --max-length 512 → 7; use"));
  ::signal(SIGHUP, SIG_DFL);  // under nohup too
  for (const int signal : {SIGINT, SIGHUP}) {
    kill_on_the_way(command + files, folder, signal);
    REQUIRE(
        contains(read_file(folder / "log"), "out.part: rerun the command to resume after line "));
  }
  // The alignments may get another name with their part.
  std::filesystem::rename(folder / "pairs.part", folder / "moved.part");
  // Nor does the result depend on the batches.
  const auto last = run_program(kTranslate + "--beam-size 1 --batch-size 5 --json -i " +
                                (folder / "in").string() + " -o " + (folder / "out").string() +
                                " --alignments " + (folder / "moved").string());
  INFO(last.errors);
  REQUIRE(last.exit_code == 0);
  REQUIRE(contains(last.errors, "out.part: resuming after line "));
  require_success(run_program(command + " -o " + (folder / "out2").string() + " --alignments " +
                              (folder / "pairs2").string()));
  const bool same = read_file(folder / "out") == read_file(folder / "out2") &&
                    read_file(folder / "moved") == read_file(folder / "pairs2");
  REQUIRE(same);
  for (const char* gone : {"out.part", "out.part.json", "moved.part"}) {
    REQUIRE_FALSE(std::filesystem::exists(folder / gone));
  }
}

TEST_CASE("An n-best list that was begun is begun anew where that is asked for", "[cli]") {
  const TemporaryFolder folder;
  folder.write("in", long_text());
  const auto command = kTranslate + "--batch-size 4 --beam-size 2 --n-best 2 -i " +
                       (folder / "in").string() + " -o " + (folder / "out").string();
  kill_on_the_way(command, folder, SIGTERM);
  folder.write("in", "저는 책을 읽어요.\n" + long_text());
  const auto other = run_program(command);
  REQUIRE(other.exit_code == 1);
  REQUIRE(contains(other.errors, "have changed"));
  folder.write("in", "저는 책을 읽어요.\n");
  REQUIRE(run_program(command).exit_code == 1);
  require_success(run_program(command + " --restart"));
  REQUIRE(count_lines(read_file(folder / "out")) == 2);
  REQUIRE_FALSE(std::filesystem::exists(folder / "out.part.json"));
}

TEST_CASE("The shards' translations one after the other are those of the whole", "[cli]") {
  const TemporaryFolder folder;
  std::string prefixes;
  for (int i = 0; i < 1000; ++i) prefixes += i % 3 == 0 ? "The \n" : "\n";
  const auto prefix = folder.write("prefix", prefixes).string();
  const std::string input = "--beam-size 2 -i '" NMT_SOURCE_DIR "/data/sample/test.ko'";
  const bool same = translated_in_shards(folder, input, 3) == translated(folder, input);
  REQUIRE(same);
  const auto guided = input + " --n-best 2 --prefix " + prefix;
  const bool same_lists = translated_in_shards(folder, guided, 2) == translated(folder, guided);
  REQUIRE(same_lists);
  const auto few = folder.write("few", "저는 책을 읽어요.\n").string();
  REQUIRE(translated(folder, "-i " + few + " --shard 2/2").empty());
  REQUIRE(count_lines(translated(folder, "-i " + few + " --shard 1/2")) == 1);
}

TEST_CASE("A shard says of its lines that they are its own", "[cli]") {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "one\ntwo\nth\xFFree\n").string();
  const auto result = run_program(kTranslate + "--shard 2/2 -i " + text);
  REQUIRE(contains(result.errors, "line 1 of shard 2/2: not valid UTF-8"));
  const auto numbered = run_program(kTranslate + "--shard 2/2 --json -i " + text);
  REQUIRE(contains(numbered.errors, "line 3: not valid UTF-8"));
  REQUIRE(numbered.output.rfind("{\"line\":3,", 0) == 0);
}

}  // namespace nmt
