#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace nmt {

/// Device, inode, size and modification time of each file that translation depends on; zeros for a
/// missing file. A different stamp means that the model was replaced or is being replaced.
using ModelStamp = std::vector<std::array<int64_t, 4>>;

/// The stamp of a model directory, packed model or other file.
ModelStamp stamp_of(const std::filesystem::path& model);

}  // namespace nmt
