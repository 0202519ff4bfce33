#include "checkpoint/model_files.h"

#include <algorithm>
#include <memory>

#include "checkpoint/model_directory.h"
#include "support/error.h"

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
  files.weights = read_safetensors(directory.weights());
  if (files.weights.metadata.count("sha256") == 0) {
    throw Error(directory.weights().string() +
                ": has no checksum, so it was not written by nmt, or is damaged");
  }
  files.parts = read_parts(directory, format_version_of(files.weights.metadata));
  return files;
}

ModelFiles read_packed(const fs::path& path) {
  const auto mapped = std::make_shared<MappedFile>(path);
  const auto bytes = mapped->bytes();
  if (bytes.size() < 9 || bytes[8] != '{') {
    throw Error(path.string() + ": neither the folder of a model nor a file of nmt pack");
  }
  const auto header = parse_safetensors_header(bytes, path.string());
  verify_safetensors(header, bytes, path.string());
  ModelFiles files;
  files.path = path;
  files.parts = packed_parts(header, bytes, path.string());
  files.weights = tensors_of(mapped, header, path.string());
  auto& tensors = files.weights.tensors;
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                               [](const NamedTensor& tensor) {
                                 return tensor.name == kPackedSourceTokenizer ||
                                        tensor.name == kPackedTargetTokenizer;
                               }),
                tensors.end());
  return files;
}

}  // namespace

std::string ModelFiles::name_of(const std::string& file) const {
  return fs::is_directory(path) ? (path / file).string() : path.string() + ": " + file;
}

ModelFiles read_model_files(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw Error(path.string() + ": no such model directory or packed model");
  }
  return fs::is_directory(path, ignored) ? read_directory({path}) : read_packed(path);
}

void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const TensorFile& weights) {
  directory.make();
  write_parts(directory, parts);
  write_safetensors(directory.weights(), weights);
}

}  // namespace nmt
