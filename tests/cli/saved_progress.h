#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "files/file.h"

namespace nmt {

/// The progress in the training state of a model directory.
inline nlohmann::json saved_progress(const std::filesystem::path& model) {
  const auto state = read_file(model / "training_state.safetensors");
  uint64_t size = 0;
  std::memcpy(&size, state.data(), sizeof(size));
  const auto header = nlohmann::json::parse(state.substr(sizeof(size), size));
  return nlohmann::json::parse(header.at("__metadata__").at("progress").get<std::string>());
}

}  // namespace nmt
