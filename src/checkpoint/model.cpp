#include "checkpoint/model.h"

#include <ATen/Context.h>
#include <unistd.h>

#include <utility>

#include "checkpoint/weights.h"
#include "errors/error.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

/// The weights come last: without them a folder is no model.
void move_into_place(const ModelDirectory& staged, const ModelDirectory& directory) {
  if (directory.holds_model()) directory.clear();
  for (const auto& path :
       {staged.settings(), staged.source_tokenizer(), staged.target_tokenizer(), staged.summary(),
        staged.card(), staged.calibration(), staged.checksums(), staged.weights()}) {
    if (fs::exists(path)) fs::rename(path, directory.root / path.filename());
  }
}

}  // namespace

Seq2Seq make_network(const StoredModel& model, const torch::Device& device) {
  // A model may be read while another is trained: its initial weights, which are overwritten, must
  // not take random numbers from that run.
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
  fill_weights(network, map_safetensors(path));
}

void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const Seq2Seq& network,
                           const std::map<std::string, std::string>& metadata) {
  const bool existed = fs::exists(directory.root);
  directory.make();
  // Inside it, because a sibling folder may be on another disk.
  const ModelDirectory staged{directory.root / (".new" + std::to_string(::getpid()))};
  const auto clean_up = [&] {
    std::error_code ignored;
    fs::remove_all(staged.root, ignored);
    if (!existed) fs::remove(directory.root, ignored);  // only where it is empty
  };
  try {
    fs::remove_all(staged.root);
    fs::create_directory(staged.root);
    write_parts(staged, parts);
    save_weights(staged.weights(), network, metadata);
    move_into_place(staged, directory);
    clean_up();
  } catch (const fs::filesystem_error& error) {
    clean_up();
    throw Error(directory.root.string() + ": cannot be written: " + error.code().message());
  } catch (...) {
    clean_up();
    throw;
  }
}

}  // namespace nmt
