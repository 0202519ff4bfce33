#include "train/validation_script.h"

#include <filesystem>
#include <string>
#include <thread>

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace {

struct Script : TemporaryFolder {
  explicit Script(const std::string& body) {
    write("rate", "#!/bin/sh\n" + body);
    std::filesystem::permissions(path() / "rate", std::filesystem::perms::owner_all);
  }

  double rate(std::chrono::milliseconds limit = kScriptLimit) const {
    return rate_by_script(file(), {{"a b", "c"}, {"a b", "d"}, {"s", "t"}}, limit);
  }

  std::string failure() const {
    return error_of([&] { rate(); });
  }

  std::string file() const { return (path() / "rate").string(); }
};

}  // namespace

TEST_CASE("A script rates translations against references and sources", "[train]") {
  // Lines that agree, then source lines and a half.
  const Script script(
      "echo progress >&2; echo loading\n"
      "paste \"$1\" \"$2\" | awk -F '\\t' '$1 == $2 {n += 1} END {printf \"%s\", n}'\n"
      "printf '%s.5\\n\\n' $(wc -l < \"$3\")\n");
  REQUIRE(script.rate() == 12.5);
  REQUIRE_NOTHROW(require_script(script.file()));
  REQUIRE(Script("echo ' -1e-3 '\n").rate() == -1e-3);
}

TEST_CASE("A script without a rating is an error that says why", "[train]") {
  REQUIRE(contains(Script("echo first >&2; echo no model >&2; exit 3\n").failure(),
                   "rate: failed with exit code 3: no model"));
  for (const std::string printed : {"BLEU = 3", "nan", "inf", "1,5", ""}) {
    REQUIRE(contains(Script("echo '" + printed + "'\n").failure(),
                     "'" + printed + "', the last line of its output, is not a number"));
  }
  REQUIRE(contains(Script("kill -9 $$\n").failure(), "failed with exit code 137"));
}

TEST_CASE("A script that takes too long is killed with what it started", "[train]") {
  const Script script("cd \"$(dirname \"$0\")\"; (sleep 1; touch survived) & sleep 1000\n");
  REQUIRE(contains(error_of([&] { script.rate(std::chrono::milliseconds(100)); }),
                   "rate: took longer than 0 seconds"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  REQUIRE_FALSE(std::filesystem::exists(script / "survived"));
}

TEST_CASE("A script that cannot be run is refused", "[train]") {
  const TemporaryFolder folder;
  folder.write("text", "text");
  const auto refusal = [&](const std::string& name) {
    return error_of([&] { require_script((folder / name).string()); });
  };
  REQUIRE(contains(refusal("absent"), "absent: no such file"));
  REQUIRE(contains(refusal("text"), "text: cannot be run; use chmod +x"));
  REQUIRE(contains(refusal("."), "cannot be run"));
}

}  // namespace nmt
