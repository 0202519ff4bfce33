#include "train/runs/checkpoint_keeper.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "errors/error.h"
#include "files/file.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "train/small_model.h"

namespace nmt {
namespace {

struct Kept {
  TemporaryFolder folder;
  ModelDirectory directory{folder.path()};
  Seq2Seq model = small_model();

  Kept() { directory.clear(); }

  void offer(CheckpointKeeper& keeper, int64_t update, double value) {
    keeper.offer(model, {update}, {value, 1.0});
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory.checkpoints())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

}  // namespace

TEST_CASE("The best and the latest are kept, others go when told to", "[train]") {
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 2, 1, /*lower_is_better=*/true);
  kept.offer(keeper, 1, 5.0);
  kept.offer(keeper, 2, 4.0);
  kept.offer(keeper, 3, 6.0);
  kept.offer(keeper, 4, std::numeric_limits<double>::quiet_NaN());
  kept.offer(keeper, 5, 3.0);
  REQUIRE(kept.files() == std::vector<std::string>{"update-1.safetensors", "update-2.safetensors",
                                                   "update-5.safetensors"});
  keeper.keep(kept.model, {6});
  keeper.keep(kept.model, {7});
  kept.folder.write("checkpoints/update-mine.safetensors", "x");
  keeper.remove_others();
  REQUIRE(kept.files() == std::vector<std::string>{"update-2.safetensors", "update-5.safetensors",
                                                   "update-7.safetensors",
                                                   "update-mine.safetensors"});
}

TEST_CASE("Of equal values the weights with the lower loss are the model", "[train]") {
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 2, 0, /*lower_is_better=*/false);
  for (const int update : {1, 2, 3, 4}) {
    keeper.offer(kept.model, {update}, {0.0, update == 4 ? 5.5 : 6.0 - update});
  }
  keeper.remove_others();
  REQUIRE(kept.files() == std::vector<std::string>{"update-2.safetensors", "update-3.safetensors"});
  REQUIRE(keeper.to_json().at("best").at(0).at("update") == 3);
  CheckpointKeeper restored(kept.directory, 2, 0, /*lower_is_better=*/false);
  restored.restore(keeper.to_json());
  REQUIRE(restored.to_json() == keeper.to_json());
}

TEST_CASE("Weights that could not be saved are saved later, as they were", "[train]") {
  const auto fill = [](Kept& kept, double value) {
    const torch::NoGradGuard no_gradients;
    for (auto& weights : kept.model->parameters()) weights.fill_(value);
  };
  Kept expected;
  CheckpointKeeper undisturbed(expected.directory, 2, 0, /*lower_is_better=*/true);
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 2, 0, /*lower_is_better=*/true);
  const auto checkpoints = kept.directory.checkpoints();
  std::filesystem::remove(checkpoints);
  kept.folder.write("checkpoints", "no folder");
  for (const auto& [update, value] : {std::pair{1, 3.0}, {2, 5.0}, {3, 4.0}, {4, 9.0}}) {
    fill(expected, update);
    expected.offer(undisturbed, update, value);
    fill(kept, update);
    REQUIRE_THROWS_AS(kept.offer(keeper, update, value), Error);
  }
  std::filesystem::remove(checkpoints);
  std::filesystem::create_directory(checkpoints);
  fill(kept, 7.0);
  keeper.retry(kept.model);
  undisturbed.remove_others();
  REQUIRE(kept.files() == std::vector<std::string>{"update-1.safetensors", "update-3.safetensors"});
  REQUIRE(kept.files() == expected.files());
  REQUIRE(keeper.to_json() == undisturbed.to_json());
  for (const auto& file : kept.files()) {
    const bool same =
        read_file(checkpoints / file) == read_file(expected.directory.checkpoints() / file);
    REQUIRE(same);
  }
  REQUIRE(kept.model->parameters()[0].min().item<double>() == 7.0);
}

TEST_CASE("A folder of checkpoints that was removed is created again, not the model directory",
          "[train]") {
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 1, 1, /*lower_is_better=*/true);
  std::filesystem::remove(kept.directory.checkpoints());
  kept.offer(keeper, 1, 5.0);
  REQUIRE(kept.files() == std::vector<std::string>{"update-1.safetensors"});
  std::filesystem::remove_all(kept.directory.checkpoints());
  keeper.keep(kept.model, {2});
  REQUIRE(kept.files() == std::vector<std::string>{"update-2.safetensors"});
  std::filesystem::remove_all(kept.directory.root);
  REQUIRE_THROWS_AS(keeper.keep(kept.model, {3}), Error);
  REQUIRE_FALSE(std::filesystem::exists(kept.directory.root));
}

TEST_CASE("A restored list makes its best the model again", "[train]") {
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 1, 0, /*lower_is_better=*/true);
  kept.offer(keeper, 1, 5.0);
  const auto saved = keeper.to_json();
  const auto model = read_file(kept.directory.weights());
  kept.offer(keeper, 2, 4.0);  // after the state was saved
  REQUIRE(read_file(kept.directory.weights()) != model);
  CheckpointKeeper restored(kept.directory, 1, 0, /*lower_is_better=*/true);
  restored.restore(saved);
  REQUIRE(read_file(kept.directory.weights()) == model);
  REQUIRE(restored.to_json() == saved);
}

TEST_CASE("A best whose value no longer counts stays the model until the next", "[train]") {
  Kept kept;
  CheckpointKeeper before(kept.directory, 1, 0, /*lower_is_better=*/true);
  kept.offer(before, 1, 5.0);
  const auto model = read_file(kept.directory.weights());
  CheckpointKeeper keeper(kept.directory, 1, 0, /*lower_is_better=*/true);
  keeper.restore(before.to_json());
  keeper.forget_best(/*keeps_model=*/true);
  REQUIRE(keeper.to_json().at("best").empty());
  CheckpointKeeper resumed(kept.directory, 1, 0, /*lower_is_better=*/true);
  resumed.restore(keeper.to_json());
  resumed.forget_best(/*keeps_model=*/true);  // again
  resumed.save_last(kept.model, {2}, /*is_model=*/true);
  REQUIRE(read_file(kept.directory.weights()) == model);
  kept.offer(resumed, 3, 9.0);
  REQUIRE(read_file(kept.directory.weights()) != model);
  REQUIRE(resumed.to_json().at("keeps_model") == false);
}

TEST_CASE("Without validations the last state becomes the model, whatever was the best",
          "[train]") {
  Kept kept;
  CheckpointKeeper before(kept.directory, 1, 0, /*lower_is_better=*/true);
  kept.offer(before, 1, 5.0);
  before.forget_best(/*keeps_model=*/true);
  CheckpointKeeper keeper(kept.directory, 1, 0, /*lower_is_better=*/true);
  keeper.restore(before.to_json());
  keeper.forget_best(/*keeps_model=*/false);
  keeper.save_last(kept.model, {2}, /*is_model=*/true);
  REQUIRE(read_file(kept.directory.weights()) == read_file(kept.directory.last_weights()));
}

TEST_CASE("A best checkpoint of more than 256 MiB becomes the model again", "[train]") {
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 1, 0, /*lower_is_better=*/true);
  kept.offer(keeper, 1, 5.0);
  const auto saved = keeper.to_json();
  kept.offer(keeper, 2, 4.0);  // after the state was saved
  constexpr uintmax_t kSize = (256 << 20) + 1;
  const auto best = kept.directory.checkpoints() / "update-1.safetensors";
  std::filesystem::resize_file(best, kSize);  // a hole takes no room
  CheckpointKeeper restored(kept.directory, 1, 0, /*lower_is_better=*/true);
  restored.restore(saved);
  REQUIRE(std::filesystem::file_size(kept.directory.weights()) == kSize);
}

TEST_CASE("Weights that are worth nothing are the last, not the model", "[train]") {
  Kept kept;
  CheckpointKeeper keeper(kept.directory, 1, 0, /*lower_is_better=*/true);
  keeper.save_last(kept.model, {}, /*is_model=*/true);
  REQUIRE(std::filesystem::exists(kept.directory.weights()));
  keeper.save_last(kept.model, {}, /*is_model=*/false);
  REQUIRE_FALSE(std::filesystem::exists(kept.directory.weights()));
  REQUIRE(std::filesystem::exists(kept.directory.last_weights()));
}

}  // namespace nmt
