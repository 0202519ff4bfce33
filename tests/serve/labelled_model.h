#pragma once

#include <filesystem>
#include <string>

#include "files/file.h"
#include "support/temporary_folder.h"
#include "support/write_checksums.h"

namespace nmt {

/// A copy of a model, FOLDER/NAME, whose settings name other languages: train.SOURCE and
/// train.TARGET. It translates as before.
inline std::filesystem::path label_model(const std::filesystem::path& folder,
                                         const std::string& name, const std::string& source,
                                         const std::string& target,
                                         const std::filesystem::path& model = NMT_SOURCE_DIR
                                         "/models/sample") {
  const auto copy = folder / name;
  std::filesystem::copy(model, copy, std::filesystem::copy_options::recursive);
  auto settings = read_file(copy / "config.yaml");
  const auto set = [&](const std::string& key, const std::string& value) {
    const auto begin = settings.find(key + ": ");
    settings.replace(begin, settings.find('\n', begin) - begin, key + ": " + value);
  };
  set("train_source", "train." + source);
  set("train_target", "train." + target);
  write_file_atomically(copy / "config.yaml", settings);
  write_checksums(copy);
  return copy;
}

}  // namespace nmt
