#include "terminal/correction.h"

#include <filesystem>
#include <iterator>
#include <string>

#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("A corrected model is saved beside whatever stands next to its place", "[terminal]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "model/checkpoints");
  folder.write("model/config.yaml", "new");
  fs::create_directory(folder / "precious");
  fs::create_directory_symlink(folder / "precious", folder / "linked.partial");
  fs::create_directory(folder / "left.partial");
  folder.write("left.partial/old", "left by another");
  for (const char* place : {"linked", "left", "slash/"}) {
    INFO(place);
    const auto saved = folder.path() / place;
    CorrectedModels::save(folder / "model", saved);
    CHECK(read_file(saved / "config.yaml") == "new");
    CHECK(fs::is_directory(saved / "checkpoints"));
    CHECK(std::distance(fs::directory_iterator(saved), fs::directory_iterator()) == 2);
  }
  CHECK(fs::is_empty(folder / "precious"));
  CHECK(fs::exists(folder / "left.partial/old"));
  // The model, the folders made above, and what was saved; nothing half-written.
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 7);
}

TEST_CASE("The error of a correction names no file and no option that the user did not give",
          "[terminal]") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& said) {
    const auto program = folder.write("nmt", "#!/bin/sh\necho \"" + said + "\"\nexit 1\n");
    fs::permissions(program, fs::perms::owner_all);
    CorrectedModels models(program, "cpu", 1);
    return error_of([&] { models.learn({"model", "source", "target"}, [] { return false; }); });
  };
  CHECK(error("nmt: $9: line 1: no piece for '--'; use other characters, or a larger --new") ==
        "no piece for '--'; use other characters");
  CHECK(error("nmt: adapt: the token loss rose; lower --learning-rate") ==
        "nmt: adapt: the token loss rose");
  CHECK(error("nmt: model: not a model --") == "nmt: model: not a model --");
}

TEST_CASE("A corrected model replaces nothing", "[terminal]") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "model");
  fs::create_symlink("nowhere", folder / "link");
  const auto error = [&](const std::string& place) {
    return error_of([&] { CorrectedModels::save(folder / "model", folder / place); });
  };
  CHECK(contains(error("model"), "model: already exists"));
  CHECK(contains(error("link"), "link: already exists"));
  CHECK(contains(error("absent/saved"), "cannot be created: No such file"));
  CHECK(contains(error(std::string(300, 'x')), "cannot be created: File name too long"));
}

}  // namespace nmt
