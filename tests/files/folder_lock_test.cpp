#include "files/folder_lock.h"

#include <optional>

#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {

TEST_CASE("A folder has one lock at a time, and one that is absent none", "[support]") {
  const TemporaryFolder folder;
  std::optional<FolderLock> first(folder.path());
  REQUIRE(contains(error_of([&] { FolderLock(folder.path()); }), "in use by another nmt"));
  first.reset();
  REQUIRE_NOTHROW(FolderLock(folder.path()));
  REQUIRE_NOTHROW(FolderLock(folder / "absent"));
}

}  // namespace nmt
