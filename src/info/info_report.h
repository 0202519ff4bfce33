#pragma once

#include <filesystem>
#include <string>

namespace nmt {

/// What `nmt info` prints: the model, if a path is given, and this build, as indented "name value"
/// lines or as one JSON object. Throws Error as describe_model() does.
std::string info_report(const std::filesystem::path& model, bool json);

}  // namespace nmt
