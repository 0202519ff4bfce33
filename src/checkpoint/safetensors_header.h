#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"

namespace nmt {

/// The file is truncated or changed, or not a safetensors file at all.
class DamagedFile : public Error {
 public:
  using Error::Error;
};

/// Version of the model files that this program writes; it also reads all earlier ones.
/// docs/model-format.md describes each version.
constexpr int64_t kFormatVersion = 2;

/// One tensor's entry in the header.
struct TensorEntry {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // in the data section, bytes
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> tensors;  // in the order of their data
  uint64_t data_begin = 0;           // in the file, bytes
};

/// Bytes of one element of a safetensors dtype, or 0 for an unknown one.
uint64_t element_size(const std::string& dtype);

/// Parses and checks the header; `bytes` is the whole content of the file. Every number is compared
/// with the file's real size before it is used. Messages call the file `name`. Throws DamagedFile,
/// or Error for a file of nmt with a newer version.
SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& name);

/// The format version in a file's metadata; 1 if there is none or the file is not from nmt, 0 if it
/// is not a number.
int64_t format_version_of(const std::map<std::string, std::string>& metadata);

/// Throws DamagedFile if the content does not match the `sha256` in its metadata, or if a file of
/// nmt has none; files of other programs need none.
void verify_safetensors(const SafetensorsHeader& header, std::string_view bytes,
                        const std::string& name);

/// The 8 bytes of length and the header of a file of nmt, with `format`, `format_version` and the
/// checksum of the whole file in its metadata. `entries` are in the order of `data`; their begin
/// and end are ignored. Throws Error if a name occurs twice or is not UTF-8, and for a header over
/// 100 MB.
std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::vector<TensorEntry>& entries,
                                    const std::vector<std::string_view>& data);

/// The same without `format`, version and checksum, for a file whose data is written later.
std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::vector<TensorEntry>& entries);

/// Text from a file, safe to show in a message: a JSON string in ASCII, cut after 80 characters.
std::string quoted(const std::string& text);

}  // namespace nmt
