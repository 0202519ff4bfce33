#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

struct ExportRequest {
  std::filesystem::path model_dir;
  std::string format = "safetensors";  // a name of export_formats()
  std::filesystem::path output;
  bool overwrite = false;
  bool verify = false;                // compare log-probabilities before the file gets its name
  std::filesystem::path sample = {};  // sentences to compare with; empty: made-up ones
};

/// The values of --to: "NAME: meaning; NAME: meaning".
std::string describe_export_formats();
std::vector<std::string> export_format_names();

/// Writes the model for other programs, reads the file back and compares every weight and, with
/// `verify`, what it computes. The file gets its name only if all of this succeeds. Returns one
/// line that says what was written and, with `verify`, the largest difference. Throws Error.
std::string export_model(const ExportRequest& request);

}  // namespace nmt
