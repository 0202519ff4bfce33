#include "processes/subprocess.h"

#include <csignal>
#include <filesystem>
#include <iterator>

#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

}  // namespace

TEST_CASE("A subprocess answers line by line until it ends", "[processes]") {
  Subprocess program({"sed", "-u", "s/a/b/;3q"}, {Streams::kPipe});
  REQUIRE(program.ask("ask") == "bsk");
  REQUIRE(program.ask("again") == "bgain");
  REQUIRE_FALSE(program.poll().has_value());
  REQUIRE(program.ask("last") == "lbst");
  REQUIRE(program.wait().code() == 0);
  REQUIRE(contains(error_of([&] { program.ask("x"); }), "sed: ended without an answer"));
}

TEST_CASE("A subprocess that cannot be started leaves no open stream", "[processes]") {
  const auto before = open_files();
  const std::vector<std::string> command = {"/nowhere/program"};
  for (const auto streams : {Streams::kInherit, Streams::kPipe}) {
    REQUIRE(contains(error_of([&] { Subprocess(command, {streams}); }),
                     "/nowhere/program: cannot be started: No such file"));
  }
  { const Subprocess program({"cat"}, {Streams::kPipe}); }
  REQUIRE(open_files() == before);
}

TEST_CASE("The output and the exit status of a subprocess are kept", "[processes]") {
  const TemporaryFolder folder;
  const auto log = folder / "log";
  Subprocess::Options options{Streams::kToFile, log, {"NMT_A=1", "PATH=/usr/bin:/bin"}};
  options.own_group = true;
  const std::string script = "cat; echo $NMT_A-$PATH; echo error >&2; exit ";
  REQUIRE(Subprocess({"/bin/sh", "-c", script + "3"}, options).wait().code() == 3);
  REQUIRE(read_file(log) == "1-/usr/bin:/bin\nerror\n");
  options.errors = folder / "errors";
  REQUIRE(Subprocess({"/bin/sh", "-c", script + "0"}, options).wait().code() == 0);
  REQUIRE(read_file(log) == "1-/usr/bin:/bin\n");
  REQUIRE(read_file(options.errors) == "error\n");
}

TEST_CASE("A subprocess gets default signal handling and is killed at the end", "[processes]") {
  Subprocess program({"cat"}, {Streams::kPipe});
  program.send(SIGTERM);
  const auto status = program.wait();
  REQUIRE(status.signal == SIGTERM);
  REQUIRE(status.code() == 128 + SIGTERM);
  const Subprocess endless({"sleep", "1000"}, {});
}

}  // namespace nmt
