#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"

namespace nmt {

/// A file that is cut off or changed, or no safetensors file at all.
class DamagedFile : public Error {
 public:
  using Error::Error;
};

/// Version of the model files that this program writes; it reads all up to it.
/// docs/model-format.md says what each version is.
constexpr int64_t kFormatVersion = 2;

/// What the header says of one tensor.
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

/// Parses and checks the start of a file of which `bytes` is the whole content: every number is
/// compared with the file's real size before it is used. `name` is what messages call the file.
/// Throws DamagedFile; Error for a file of ours that is of a newer version.
SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& name);

/// The format version that a parsed file's metadata name; 1 where they name none.
int64_t format_version_of(const std::map<std::string, std::string>& metadata);

/// Throws DamagedFile when the file's content is not what its `sha256` says, or when it is one of
/// ours and has none. A file of another program may have none.
void verify_safetensors(const SafetensorsHeader& header, std::string_view bytes,
                        const std::string& name);

/// The 8 bytes of length and the header of a file of ours, with `format`, `format_version` and the
/// checksum of the whole file among its metadata. `entries`: in the order of `data`, which has one
/// after the other; their begin and end are not read. Throws Error when a name is taken or not
/// UTF-8, and for a header over 100 MB.
std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::vector<TensorEntry>& entries,
                                    const std::vector<std::string_view>& data);

/// The same without `format`, version and checksum, for a file whose data is written later.
std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::vector<TensorEntry>& entries);

/// Text from a file as a message can show it: short, on one line, whatever it holds.
std::string quoted(const std::string& text);

}  // namespace nmt
