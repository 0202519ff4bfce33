#include "checkpoint/model_files.h"

#include <algorithm>

#include "checkpoint/model_directory.h"
#include "errors/error.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

void require_model(const ModelDirectory& directory) {
  if (!fs::exists(directory.settings())) {
    throw Error(directory.root.string() +
                ": not a model directory (config.yaml is missing); nmt train makes one");
  }
  if (!fs::exists(directory.weights())) {
    throw Error(directory.root.string() +
                ": has no model.safetensors; its training was stopped before anything was saved");
  }
}

ModelFiles read_directory(const ModelDirectory& directory) {
  require_model(directory);
  ModelFiles files;
  files.path = directory.root;
  // The weights first: where the model is of a newer version, they say so.
  files.weights = map_safetensors(directory.weights());
  if (files.weights.header.metadata.count("sha256") == 0) {
    throw Error(directory.weights().string() +
                ": has no checksum, so it was not written by nmt, or is damaged");
  }
  files.parts = read_parts(directory, format_version_of(files.weights.header.metadata));
  return files;
}

bool looks_packed(std::string_view bytes) { return bytes.size() >= 9 && bytes[8] == '{'; }

ModelFiles read_packed(const fs::path& path) {
  if (!looks_packed(MappedFile(path).bytes())) {
    throw Error(path.string() + ": neither the folder of a model nor a file of nmt pack");
  }
  ModelFiles files;
  files.path = path;
  files.weights = map_safetensors(path);
  files.parts = packed_parts(files.weights.header, files.weights.file->bytes(), path.string());
  auto& tensors = files.weights.header.tensors;
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                               [](const TensorEntry& entry) {
                                 return entry.name == kPackedSourceTokenizer ||
                                        entry.name == kPackedTargetTokenizer;
                               }),
                tensors.end());
  return files;
}

}  // namespace

std::string ModelFiles::name_of(const std::string& file) const {
  return fs::is_directory(path) ? (path / file).string() : path.string() + ": " + file;
}

bool may_be_model(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  if (!fs::is_regular_file(path, ignored)) return false;
  const MappedFile file(path);
  // The size of its header: no text has a NUL there.
  return looks_packed(file.bytes()) && file.bytes()[7] == '\0';
}

ModelFiles read_model_files(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw Error(path.string() + ": no such model directory or packed model");
  }
  return fs::is_directory(path, ignored) ? read_directory({path}) : read_packed(path);
}

}  // namespace nmt
