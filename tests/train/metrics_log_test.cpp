#include "train/metrics_log.h"

#include <nlohmann/json.hpp>

#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {

TEST_CASE("Lines after the saved state are cut off when a run is resumed", "[train]") {
  const TemporaryFolder folder;
  MetricsLog log(folder / "metrics.jsonl");
  log.train({});
  const auto size = log.sync();
  const auto saved = read_file(folder / "metrics.jsonl");
  REQUIRE(static_cast<int64_t>(saved.size()) == size);
  log.train({});
  MetricsLog resumed(folder / "metrics.jsonl");
  resumed.resume(size);
  REQUIRE(read_file(folder / "metrics.jsonl") == saved);
  resumed.train({});
  REQUIRE(read_file(folder / "metrics.jsonl") == saved + saved);
}

TEST_CASE("Lines that cannot be written are kept until they can", "[train]") {
  const TemporaryFolder folder;
  MetricsLog log(folder / "absent/metrics.jsonl");
  log.train({});
  REQUIRE(contains(error_of([&] { log.sync(); }), "cannot be written: No such file"));
  std::filesystem::create_directory(folder / "absent");
  log.train({});
  log.sync();
  const auto lines = read_file(folder / "absent/metrics.jsonl");
  REQUIRE(std::count(lines.begin(), lines.end(), '\n') == 2);
}

TEST_CASE("A validation's line holds its samples, whatever bytes they have", "[train]") {
  const TemporaryFolder folder;
  MetricsLog log(folder / "metrics.jsonl");
  log.validation({}, {}, {{3, "a \"source\"", "\xFFtranslation", "reference"}}, true);
  log.sync();
  const auto line = nlohmann::json::parse(read_file(folder / "metrics.jsonl"));
  REQUIRE(line["samples"].size() == 1);
  REQUIRE(line["samples"][0]["line"] == 3);
  REQUIRE(line["samples"][0]["source"] == "a \"source\"");
  REQUIRE(line["samples"][0]["translation"] == "\xEF\xBF\xBDtranslation");
}

TEST_CASE("The metrics are no more readable than the texts of their samples", "[train]") {
  using std::filesystem::perms;
  const TemporaryFolder folder;
  const auto text = folder.write("text", "private\n");
  std::filesystem::permissions(text, perms::owner_read);
  MetricsLog log(folder / "metrics.jsonl", {"", text});
  log.train({});
  log.sync();
  REQUIRE(std::filesystem::status(folder / "metrics.jsonl").permissions() ==
          (perms::owner_read | perms::owner_write));
  SECTION("nor after they were deleted") {
    const auto line = read_file(folder / "metrics.jsonl");
    log.train({});
    std::filesystem::remove(folder / "metrics.jsonl");
    log.sync();
    log.train({});
    REQUIRE(read_file(folder / "metrics.jsonl") == line);
    REQUIRE(std::filesystem::status(folder / "metrics.jsonl").permissions() ==
            (perms::owner_read | perms::owner_write));
  }
}

}  // namespace nmt
