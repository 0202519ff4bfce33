#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace nmt {

/// What a model directory holds, without loading its weights: settings, vocabularies, tensors,
/// parameters, training summary, hashes. Throws Error as load_model does.
nlohmann::ordered_json describe_model(const std::filesystem::path& directory);

}  // namespace nmt
