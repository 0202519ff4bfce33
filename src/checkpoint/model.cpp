#include "checkpoint/model.h"

#include <ATen/Context.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "checkpoint/weights.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/folder_lock.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

constexpr char kStaged[] = ".new";  // and the number of a process
constexpr char kReplaced[] = "replaced";

/// A new model, written inside the folder of the model that it will replace, because a sibling
/// folder may be on another disk. The destructor removes it unless it has moved into place.
class StagedModel {
 public:
  explicit StagedModel(const ModelDirectory& place)
      : place_(place), existed_(fs::exists(place.root)) {}
  ~StagedModel() {
    std::error_code ignored;
    if (!replaced_is_needed_) fs::remove_all(files_.root, ignored);
    if (!existed_) fs::remove(place_.root, ignored);  // only if it is empty
  }
  StagedModel(const StagedModel&) = delete;
  StagedModel& operator=(const StagedModel&) = delete;

  void make_folders() {
    make_folder(place_.root);
    lock_.emplace(place_.root);  // a training run may be writing there
    clear_leftovers();
    fs::create_directories(replaced_.root);
  }

  void write(const ModelParts& parts, const Seq2Seq& network,
             const std::map<std::string, std::string>& metadata) try {
    write_parts(files_, parts);
    save_weights(files_.weights(), network, metadata);
  } catch (const Error& error) {  // name the file by its final path
    std::string message = error.what();
    const auto at = message.find(files_.root.string());
    if (at != std::string::npos) {
      message.replace(at, files_.root.string().size(), place_.root.string());
    }
    throw Error(message);
  }

  /// Moves the old model aside and this one into its place; undoes both on failure.
  void move_into_place() {
    for (const auto& entry : fs::directory_iterator(files_.root)) {
      limit_readers(entry.path(), {place_.root / entry.path().filename()});
    }
    replaced_is_needed_ = true;
    bool is_cleared = false;  // whether the old model has moved out completely
    try {
      if (place_.holds_model() || place_.holds_run()) {
        place_.move_to(replaced_);
        is_cleared = true;
      }
      place_.take_from(files_);
    } catch (const fs::filesystem_error& error) {
      put_back(is_cleared, error.code().message());
      throw;
    }
    replaced_is_needed_ = false;
  }

 private:
  /// Removes what a killed program left. Moves its old model back unless the new model had
  /// completely moved in, which its weights show: they move last.
  void clear_leftovers() {
    for (const auto& entry : fs::directory_iterator(place_.root)) {
      if (!is_numbered(entry.path().filename().string(), kStaged)) continue;
      const bool moved_in = !fs::exists(ModelDirectory{entry.path()}.weights());
      if (!moved_in && !place_.holds_run()) take_back({entry.path() / kReplaced});
      fs::remove_all(entry.path());
    }
  }

  /// Moves the old model back and removes a calibration of the new one if the old one had none.
  void take_back(const ModelDirectory& old) {
    place_.take_from(old);
    if (!fs::exists(place_.checksums())) return;
    const auto name = place_.calibration().filename().string();
    const bool is_old = read_file(place_.checksums()).find(name) != std::string::npos;
    if (!is_old) fs::remove(place_.calibration());
  }

  void put_back(bool is_cleared, const std::string& problem) {
    try {
      if (is_cleared) place_.move_to(files_);  // moved-in files that the old model may lack
      place_.take_from(replaced_);
      replaced_is_needed_ = false;
    } catch (const fs::filesystem_error&) {
      throw Error(place_.root.string() + ": cannot be written: " + problem + "; move what is in " +
                  replaced_.root.string() + " back: it is of the model that was there");
    }
  }

  const ModelDirectory place_;
  const bool existed_;
  const ModelDirectory files_{place_.root / (kStaged + std::to_string(::getpid()))};
  const ModelDirectory replaced_{files_.root / kReplaced};
  std::optional<FolderLock> lock_;
  bool replaced_is_needed_ = false;
};

}  // namespace

Seq2Seq make_network(const StoredModel& model, const torch::Device& device) {
  // A model may be read during training. Drawing its initial weights, which are then overwritten,
  // must not change the random state of that run.
  auto generator = at::globalContext().defaultGenerator(torch::kCPU);
  const auto random_numbers = generator.get_state();
  Seq2Seq network = make_seq2seq(model.options);
  generator.set_state(random_numbers);
  fill_weights(network, model.weights);
  network->to(device);
  network->eval();
  return network;
}

Model make_model(const ModelFiles& files, const torch::Device& device) {
  auto stored = parse_model(files);
  auto network = make_network(stored, device);
  return {std::move(stored.settings), std::move(stored.source), std::move(stored.target),
          std::move(network)};
}

Model load_model(const std::filesystem::path& path, const torch::Device& device) {
  return make_model(read_model_files(path), device);
}

void save_weights(const std::filesystem::path& path, const Seq2Seq& network,
                  const std::map<std::string, std::string>& metadata) {
  write_safetensors(path, {metadata, pack_weights(network, Precision::kF32), ""});
}

void load_weights(const std::filesystem::path& path, const Seq2Seq& network) {
  fill_weights(network, open_safetensors(path));
}

void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const Seq2Seq& network,
                           const std::map<std::string, std::string>& metadata) try {
  StagedModel staged(directory);
  staged.make_folders();
  staged.write(parts, network, metadata);
  staged.move_into_place();
} catch (const fs::filesystem_error& error) {
  throw Error(directory.root.string() + ": cannot be written: " + error.code().message());
}

}  // namespace nmt
