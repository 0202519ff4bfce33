#include "processes/subprocess.h"

#include <csignal>

#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("A program that cannot be started is named", "[processes]") {
  const std::vector<std::string> command = {"/nowhere/program"};
  REQUIRE(contains(error_of([&] { Subprocess(command, {}); }),
                   "/nowhere/program: cannot be started: No such file"));
}

TEST_CASE("The output and the exit status of a subprocess are kept", "[processes]") {
  const TemporaryFolder folder;
  const auto log = folder / "log";
  Subprocess::Options options{log, {"NMT_A=1", "PATH=/usr/bin:/bin"}};
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
  Subprocess program({"sleep", "1000"}, {});
  REQUIRE_FALSE(program.poll().has_value());
  program.send(SIGTERM);
  const auto status = program.wait();
  REQUIRE(status.signal == SIGTERM);
  REQUIRE(status.code() == 128 + SIGTERM);
  const Subprocess endless({"sleep", "1000"}, {});
}

}  // namespace nmt
