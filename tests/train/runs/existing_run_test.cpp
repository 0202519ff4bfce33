#include "train/runs/existing_run.h"

#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

namespace nmt {
namespace fs = std::filesystem;

TEST_CASE("Of a link to a directory, the directory is backed up and put back", "[train]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "disk/model/cache");
  folder.write("disk/model/training_state.safetensors", "old");
  fs::create_directory_symlink(folder / "disk/model", folder / "link");
  const ModelDirectory link{folder / "link"};
  const auto backup = back_up_run(link);
  CHECK(backup.string() == (fs::canonical(folder / "disk") / "model.old-1").string());
  CHECK(fs::is_symlink(link.root));
  CHECK(fs::exists(folder / "disk/model/cache"));
  CHECK_FALSE(link.holds_run());
  restore_backup(link, backup);
  CHECK(fs::is_symlink(link.root));
  CHECK(read_file(folder / "disk/model/training_state.safetensors") == "old");
  CHECK_FALSE(fs::exists(backup));
}

TEST_CASE("The current directory is not renamed", "[train]") {
  const TemporaryFolder folder;
  folder.write("training_state.safetensors", "old");
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  const auto error = error_of([] { require_movable({"."}, {}); });
  fs::current_path(before);
  CHECK(contains(error, ".: contains the current directory"));
}

TEST_CASE("A run that reads what it would replace is refused", "[train]") {
  const TemporaryFolder folder;
  const ModelDirectory directory{folder / "model"};
  const auto refused = [&](const Settings& settings) {
    return error_of(
        [&] { find_run_to_resume(directory, ExistingRunPolicy::kReplace, settings, false); });
  };
  Settings settings;
  settings.data.train_source = {(folder / "model/mine.src").string()};
  settings.data.train_target = {(folder / "model/held-out/valid.tgt").string()};
  CHECK(refused(settings) == settings.data.train_target.front() + ": lies in " +
                                 directory.root.string() +
                                 ", which --overwrite replaces; use another --model-dir");
  settings.data.train_target = {(folder / "model/mine.tgt").string()};
  CHECK_FALSE(find_run_to_resume(directory, ExistingRunPolicy::kReplace, settings, false));
  settings.train.initial_model = directory.root.string();
  CHECK(contains(refused(settings), "model: used as input and output"));
}

}  // namespace nmt
