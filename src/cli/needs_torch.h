#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "cli/commands.h"
#include "config/settings.h"

namespace nmt {

/// The network settings of a stored model; nothing where they cannot be read.
using ModelConfigReader = std::function<std::optional<ModelConfig>(const std::filesystem::path&)>;

/// Whether a command line needs LibTorch: because of its command, or because a translator that it
/// opens uses the plain engine. A model that cannot be read needs none: the command reports that.
bool needs_torch(const CommandCall& call, const ModelConfigReader& config_of);

}  // namespace nmt
