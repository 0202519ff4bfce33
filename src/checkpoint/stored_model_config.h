#pragma once

#include <filesystem>
#include <optional>

#include "config/settings.h"

namespace nmt {

/// The network settings of a model, and no more of its files; nothing where they cannot be read.
std::optional<ModelConfig> stored_model_config(const std::filesystem::path& path);

}  // namespace nmt
