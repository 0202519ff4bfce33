#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace nmt {

/// What a model directory or packed file holds, verified but without building the network:
/// settings, vocabularies, tensors, parameters, training summary, hashes. Throws Error as
/// load_model does.
nlohmann::ordered_json describe_model(const std::filesystem::path& model);

}  // namespace nmt
