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
                ": not a model directory (config.yaml is missing); use one that nmt train wrote");
  }
  if (!fs::exists(directory.weights())) {
    throw Error(directory.root.string() +
                ": model.safetensors is missing; train until the first validation saves it");
  }
}

ModelFiles read_directory(const ModelDirectory& directory, Checksum weights,
                          Confidence confidence) {
  require_model(directory);
  ModelFiles files;
  files.path = directory.root;
  // The weights first: their metadata have the format version.
  files.weights = open_safetensors(directory.weights(), weights);
  if (files.weights.header.metadata.count("sha256") == 0) {
    throw Error(
        directory.weights().string() +
        ": no checksum: damaged, or not written by nmt; use nmt import for foreign weights");
  }
  files.parts = read_parts(directory, format_version_of(files.weights.header.metadata), confidence);
  return files;
}

bool looks_packed(std::string_view bytes) { return bytes.size() >= 9 && bytes[8] == '{'; }

ModelFiles read_packed(const fs::path& path, Checksum weights) {
  if (!looks_packed(MappedFile(path).bytes())) {
    throw Error(path.string() + ": neither a model directory nor a packed model");
  }
  ModelFiles files;
  files.path = path;
  files.weights = open_safetensors(path, weights);
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
  // Byte 7 is the high byte of the header's size, always 0; text contains no NUL.
  return looks_packed(file.bytes()) && file.bytes()[7] == '\0';
}

ModelFiles read_model_files(const fs::path& path, Checksum weights, Confidence confidence) try {
  if (!fs::exists(path)) throw Error(path.string() + ": no such model directory or packed model");
  return fs::is_directory(path) ? read_directory({path}, weights, confidence)
                                : read_packed(path, weights);
} catch (const DamagedFile& error) {
  throw Error(error.what() + std::string("; copy it again"));
} catch (const fs::filesystem_error& error) {
  throw Error(error.path1().string() + ": cannot be read: " + error.code().message());
}

}  // namespace nmt
