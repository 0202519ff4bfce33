#include "files/scratch_folder.h"

#include <filesystem>

#include "support/catch.h"

namespace fs = std::filesystem;

TEST_CASE("Scratch folders are new, private and removed with what they hold", "[files]") {
  fs::path path;
  {
    const nmt::ScratchFolder folder;
    const nmt::ScratchFolder other;
    path = folder.path();
    CHECK(path != other.path());
    CHECK(fs::is_empty(path));
    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    fs::create_directories(path / "inner");
  }
  CHECK_FALSE(fs::exists(path));
}
