#pragma once

#include <filesystem>
#include <string>

namespace nmt {

struct PackRequest {
  std::filesystem::path model;  // a directory, or a packed file
  std::filesystem::path output;
  std::string precision = "f32";  // f32, f16 or int8
  bool overwrite = false;
};

/// Writes the whole model into one file (docs/model-format.md), reads it back and compares every
/// number. Returns one line that says what was written. Throws Error.
std::string pack_model(const PackRequest& request);

struct UnpackRequest {
  std::filesystem::path model;
  std::filesystem::path output;  // a folder
  bool overwrite = false;
};

/// Writes a packed file as a model directory with float32 weights. Returns one line that says what
/// was written. Throws Error.
std::string unpack_model(const UnpackRequest& request);

}  // namespace nmt
