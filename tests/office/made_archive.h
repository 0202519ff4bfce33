#pragma once

#include <zip.h>

#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"

namespace nmt {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// A ZIP archive of these files.
inline std::string zipped(const Entries& entries) {
  auto* source = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  auto* archive = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  zip_source_keep(source);
  for (const auto& [name, content] : entries) {
    auto* entry = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index = zip_file_add(archive, name.c_str(), entry, 0);
    if (name == "mimetype") {
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    }
  }
  REQUIRE(zip_close(archive) == 0);
  zip_stat_t stat;
  zip_source_stat(source, &stat);
  std::string bytes(stat.size, '\0');
  zip_source_open(source);
  zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  zip_source_free(source);
  return bytes;
}

}  // namespace nmt
