#include "serve/file_store.h"

#include <cstdlib>

#include "http/http_message.h"
#include "support/catch.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("A stored file is found by its key until it expires", "[serve]") {
  FileStoreOptions options;
  options.lifetime = std::chrono::minutes(2);
  auto now = FileStoreOptions::Clock::time_point();
  options.now = [&now] { return now; };
  FileStore store(options);
  const std::string content("a\0\xFF", 3);
  const auto key = store.add({"a.txt", content});
  REQUIRE(key.size() == 32);
  REQUIRE(store.add({"a.txt", ""}) != key);
  REQUIRE(store.find(key)->content == content);
  REQUIRE(store.find(key)->name == "a.txt");
  REQUIRE(store.find(key)->content == content);
  REQUIRE_FALSE(store.find(""));
  REQUIRE_FALSE(store.find(key.substr(1)));
  now += std::chrono::seconds(119);
  store.remove_expired();
  REQUIRE(store.find(key));
  now += std::chrono::seconds(1);
  REQUIRE_FALSE(store.find(key));
  store.remove_expired();
  now -= std::chrono::seconds(1);
  REQUIRE_FALSE(store.find(key));
}

TEST_CASE("Files are stored in TMPDIR, and the log says why one cannot be", "[serve]") {
  const char* given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  const TemporaryFolder folder;
  FileStore store;
  const auto absent = folder.at("absent");
  ::setenv("TMPDIR", absent.c_str(), 1);
  const LogCapture log;
  CHECK_THROWS_AS(store.add({"a.txt", "text"}), HttpError);
  CHECK(log.text().find("a translated file cannot be stored: TMPDIR: ") == 0);
  std::filesystem::create_directory(absent);
  const auto key = store.add({"a.txt", "text"});
  CHECK(std::filesystem::is_empty(absent));
  CHECK(store.find(key)->content == "text");
  given == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}

TEST_CASE("The oldest files make room for others", "[serve]") {
  FileStoreOptions options;
  options.max_files = 3;
  options.max_bytes = 10;
  options.max_file = 8;
  FileStore store(options);
  const auto first = store.add({"1", "12345"});
  const auto second = store.add({"2", "12345"});
  const auto third = store.add({"3", "1"});
  REQUIRE_FALSE(store.find(first));
  REQUIRE(store.find(second));
  const auto fourth = store.add({"4", ""});
  const auto fifth = store.add({"5", ""});
  REQUIRE_FALSE(store.find(second));
  REQUIRE(store.find(third));
  REQUIRE_THROWS_AS(store.add({"6", "123456789"}), HttpError);
  REQUIRE(store.find(third));
}

}  // namespace nmt
