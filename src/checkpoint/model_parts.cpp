#include "checkpoint/model_parts.h"

#include <sstream>
#include <vector>

#include "errors/error.h"
#include "files/file.h"
#include "files/sha256.h"

namespace nmt {
namespace {

constexpr size_t kMaxTextBytes = 4 << 20;
constexpr size_t kMaxTokenizerBytes = 256 << 20;

struct Part {
  std::filesystem::path path;
  std::string ModelParts::*content;
  size_t max_bytes;
};

/// The files in SHA256SUMS besides confidence.json: those that determine what the model translates,
/// apart from its weights.
std::vector<Part> parts_of(const ModelDirectory& directory) {
  return {{directory.settings(), &ModelParts::settings, kMaxTextBytes},
          {directory.source_tokenizer(), &ModelParts::source_tokenizer, kMaxTokenizerBytes},
          {directory.target_tokenizer(), &ModelParts::target_tokenizer, kMaxTokenizerBytes}};
}

/// A line as sha256sum writes it.
std::string sum_line(const std::filesystem::path& path, const std::string& content) {
  return sha256(content) + "  " + path.filename().string() + "\n";
}

void require_sum(const std::string& sums, const std::filesystem::path& path,
                 const std::string& content) {
  const auto wanted = sum_line(path, content);
  std::istringstream lines(sums);
  for (std::string line; std::getline(lines, line);) {
    if (line + "\n" == wanted) return;
  }
  const ModelDirectory directory{path.parent_path()};
  const bool calibrated = std::filesystem::exists(directory.calibration());
  throw Error(path.string() +
              ": does not match SHA256SUMS: damaged or edited; after an edit, run " + "cd '" +
              directory.root.string() + "' && sha256sum config.yaml source.spm target.spm" +
              (calibrated ? " confidence.json" : "") + " > SHA256SUMS");
}

std::string read_if_there(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? read_file(path, kMaxTextBytes) : "";
}

const std::string& metadata_of(const SafetensorsHeader& header, const char* key,
                               const std::string& name) {
  const auto found = header.metadata.find(key);
  if (found != header.metadata.end()) return found->second;
  throw Error(name + ": no " + key +
              ", so not a packed model; use a model directory or a file of nmt pack");
}

std::string bytes_of(const SafetensorsHeader& header, std::string_view bytes, const char* tensor,
                     const std::string& name) {
  for (const auto& entry : header.tensors) {
    if (entry.name != tensor) continue;
    if (entry.dtype != "U8" || entry.end - entry.begin > kMaxTokenizerBytes) break;
    return std::string(bytes.substr(header.data_begin + entry.begin, entry.end - entry.begin));
  }
  throw Error(name + ": no tensor " + tensor + " of bytes; pack the model again");
}

}  // namespace

ModelParts packed_parts(const SafetensorsHeader& header, std::string_view bytes,
                        const std::string& name) {
  const auto optional = [&](const char* key) {
    const auto found = header.metadata.find(key);
    return found == header.metadata.end() ? std::string() : found->second;
  };
  return {metadata_of(header, kPackedSettings, name),
          bytes_of(header, bytes, kPackedSourceTokenizer, name),
          bytes_of(header, bytes, kPackedTargetTokenizer, name), optional(kPackedSummary),
          optional(kPackedCalibration)};
}

ModelParts read_parts(const ModelDirectory& directory, int64_t format_version,
                      Confidence confidence) {
  ModelParts parts;
  const bool has_sums = std::filesystem::exists(directory.checksums());
  if (!has_sums && format_version >= 2) {
    throw Error(directory.checksums().string() +
                ": missing, so the other files cannot be verified; copy the whole directory");
  }
  const auto sums = read_if_there(directory.checksums());
  for (const auto& part : parts_of(directory)) {
    auto& content = parts.*part.content;
    content = read_file(part.path, part.max_bytes);
    if (has_sums) require_sum(sums, part.path, content);
  }
  parts.summary = read_if_there(directory.summary());
  if (confidence == Confidence::kSkip) return parts;
  parts.calibration = read_if_there(directory.calibration());
  if (has_sums && !parts.calibration.empty()) {
    require_sum(sums, directory.calibration(), parts.calibration);
  }
  return parts;
}

void write_parts(const ModelDirectory& directory, const ModelParts& parts) {
  std::string sums;
  for (const auto& part : parts_of(directory)) sums += sum_line(part.path, parts.*part.content);
  if (!parts.calibration.empty()) sums += sum_line(directory.calibration(), parts.calibration);
  // While the files are replaced one by one, SHA256SUMS lists both the old and the new sums.
  const auto old_sums = read_if_there(directory.checksums());
  if (!old_sums.empty()) write_file_atomically(directory.checksums(), old_sums + sums);
  for (const auto& part : parts_of(directory)) {
    write_file_atomically(part.path, parts.*part.content);
  }
  if (parts.calibration.empty()) {
    std::filesystem::remove(directory.calibration());
  } else {
    write_file_atomically(directory.calibration(), parts.calibration);
  }
  write_file_atomically(directory.checksums(), sums);
  if (!parts.summary.empty()) write_file_atomically(directory.summary(), parts.summary);
}

}  // namespace nmt
