#include "checkpoint/stored_model_config.h"

#include "checkpoint/model_directory.h"
#include "checkpoint/model_files.h"
#include "checkpoint/model_parts.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/mapped_file.h"

namespace nmt {

std::optional<ModelConfig> stored_model_config(const std::filesystem::path& path) try {
  const ModelDirectory directory{path};
  const auto name = path.string();
  Settings settings;
  if (std::filesystem::is_directory(path)) {
    apply_yaml(settings, read_file(directory.settings()), name);
  } else if (may_be_model(path)) {
    const MappedFile file(path);
    const auto header = parse_safetensors_header(file.bytes(), name);
    apply_yaml(settings, packed_parts(header, file.bytes(), name).settings, name);
  } else {
    return std::nullopt;
  }
  validate_model(settings);
  return settings.model;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace nmt
