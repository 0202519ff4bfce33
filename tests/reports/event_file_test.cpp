#include "reports/event_file.h"

#include "errors/error.h"
#include "reports/event_follower.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

std::filesystem::path only_file(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files(folder);
  return files->path();
}

}  // namespace

TEST_CASE("CRC-32C is that of RFC 3720", "[report][events]") {
  CHECK(crc32c("123456789") == 0xE3069283U);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAU);
  CHECK(crc32c("") == 0);
}

TEST_CASE("An event file is read back by another reader", "[report][events]") {
  const TemporaryFolder folder;
  {
    EventFile file(folder.path(), 1700000000.5);
    file.add(1700000001.5, 300, {{"train/loss", 0.25}, {"train/learning_rate", 2.0}});
    file.add(1700000002.5, int64_t{1} << 40, {{"validation/bleu", 50}});
    file.flush();
  }
  const auto path = only_file(folder.path());
  CHECK(path.filename() == "events.out.tfevents.1700000000.nmt");
  const auto said = python_on("read_events.py", path);
  if (!said.empty()) {
    CHECK(said ==
          "time 1700000000.5\nversion brain.Event:2\n"
          "time 1700000001.5\n300 train/loss 0.25\n300 train/learning_rate 2.0\n"
          "time 1700000002.5\n1099511627776 validation/bleu 50.0\n");
  }
}

TEST_CASE("A follower writes all that a run has told by its end", "[report][events]") {
  const TemporaryFolder folder;
  folder.write("metrics.jsonl",
               "{\"type\":\"train\",\"update\":50,\"seconds\":1,\"loss\":4}\n"
               "{\"type\":\"validation\",\"update\":60,\"seconds\":2,\"bleu\":3}\n{\"type");
  { const EventFollower follower(folder / "metrics.jsonl", folder / "events/here"); }
  const auto said = python_on("read_events.py", only_file(folder / "events/here"));
  if (!said.empty()) {
    CHECK(contains(said, "\n50 train/loss 4.0\n"));
    CHECK(contains(said, "\n60 validation/bleu 3.0\n"));
  }
}

TEST_CASE("A run that told nothing leaves no events", "[report][events]") {
  const TemporaryFolder folder;
  { const EventFollower follower(folder / "metrics.jsonl", folder / "events"); }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("A folder of events that cannot be is told of before training", "[report][events]") {
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK(contains(error_of([&] { EventFollower(folder / "metrics.jsonl", folder / "file/x"); }),
                 "file/x: cannot be written"));
}

}  // namespace nmt
