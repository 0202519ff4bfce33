#pragma once

#include <filesystem>
#include <string>

namespace nmt {

struct ExportRequest {
  std::filesystem::path model_dir;
  std::string format = "safetensors";
  std::filesystem::path output;
  bool overwrite = false;
};

/// Writes the model's weights under their state_dict names, reads the file back and compares every
/// number. Returns one line that says what was written. Throws Error.
std::string export_model(const ExportRequest& request);

}  // namespace nmt
