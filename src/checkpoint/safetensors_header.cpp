#include "checkpoint/safetensors_header.h"

#include <algorithm>
#include <set>
#include <utility>

#include "errors/error.h"
#include "files/json.h"
#include "files/sha256.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

using Json = nlohmann::json;

// Names among the metadata of our files.
constexpr char kFormat[] = "format";
constexpr char kOurFormat[] = "nmt";
constexpr char kVersion[] = "format_version";
constexpr char kChecksum[] = "sha256";
// The only entry of a header that is not a tensor.
constexpr char kMetadata[] = "__metadata__";

constexpr uint64_t kMaxHeaderBytes = 100'000'000;
constexpr int kMaxDepth = 4;  // header > tensor > list > number
constexpr size_t kMaxRank = 64;
constexpr size_t kMaxEvents = 40'000;  // of the parser, in a tensor or in the metadata

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw DamagedFile(file + ": not a valid safetensors file: " + what);
}

uint64_t header_bytes(std::string_view bytes, const std::string& file) {
  uint64_t size = 0;
  if (bytes.size() < sizeof(size)) refuse(file, "shorter than its own header length");
  for (size_t i = 0; i < sizeof(size); ++i) {
    size |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  if (size > kMaxHeaderBytes || size > bytes.size() - sizeof(uint64_t)) {
    refuse(file, "its header claims " + std::to_string(size) + " bytes");
  }
  return size;
}

uint64_t unsigned_number(const Json& value, const std::string& file, const std::string& tensor) {
  if (!value.is_number_unsigned()) {
    refuse(file, quoted(tensor) + " has a size or offset that is no number");
  }
  return value.get<uint64_t>();
}

TensorEntry parse_entry(const std::string& name, const Json& json, const std::string& file) {
  if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() ||
      !json.contains("shape") || !json["shape"].is_array() || !json.contains("data_offsets") ||
      !json["data_offsets"].is_array() || json["data_offsets"].size() != 2) {
    refuse(file, quoted(name) + " lacks dtype, shape or data_offsets");
  }
  TensorEntry entry;
  entry.name = name;
  entry.dtype = json["dtype"].get<std::string>();
  if (json["shape"].size() > kMaxRank) refuse(file, quoted(name) + " has an absurd shape");
  for (const auto& size : json["shape"]) {
    const uint64_t value = unsigned_number(size, file, name);
    if (value > INT64_MAX) refuse(file, quoted(name) + " has an absurd shape");
    entry.shape.push_back(static_cast<int64_t>(value));
  }
  entry.begin = unsigned_number(json["data_offsets"][0], file, name);
  entry.end = unsigned_number(json["data_offsets"][1], file, name);
  return entry;
}

/// Collects the tensors and the metadata while nlohmann's parser reads the header, and rejects what
/// the parser would accept: repeated names, deep nesting, endless lists.
class HeaderParser {
 public:
  HeaderParser(const std::string& file, SafetensorsHeader& header) : file_(file), header_(header) {}

  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) refuse(file_, "its header is nested too deeply");
    if (++num_events_ > kMaxEvents) refuse(file_, "its header has too many entries");
    if (event == Json::parse_event_t::object_start) names_.emplace_back();
    if (event == Json::parse_event_t::key) {
      const auto name = value.get<std::string>();
      if (!names_.back().insert(name).second) {
        refuse(file_, "the name " + quoted(name) + " occurs twice in its header");
      }
      if (depth == 1) {
        name_ = name;
        num_events_ = 0;
      }
    }
    if (event == Json::parse_event_t::object_end) {
      names_.pop_back();
      // Returning false discards the entry: the parser's time grows with the square of the number
      // of entries in an object.
      if (depth == 1 && names_.size() == 1) return take(value), false;
    }
    return true;
  }

 private:
  void take(const Json& value) {
    if (name_ != kMetadata) {
      header_.tensors.push_back(parse_entry(name_, value, file_));
      return;
    }
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) refuse(file_, "its metadata holds something other than text");
      header_.metadata[key] = text.get<std::string>();
    }
  }

  const std::string& file_;
  SafetensorsHeader& header_;
  std::string name_;                          // of the tensor that is being read
  std::vector<std::set<std::string>> names_;  // in each open object
  size_t num_events_ = 0;
};

std::string value_or(const std::map<std::string, std::string>& metadata, const char* key,
                     const char* otherwise) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? otherwise : found->second;
}

bool is_ours(const SafetensorsHeader& header) {
  return value_or(header.metadata, kFormat, "") == kOurFormat;
}

void require_known_version(const SafetensorsHeader& header, const std::string& file) {
  const int64_t version = format_version_of(header.metadata);
  if (version < 1) {
    refuse(file, "its format_version is " + quoted(value_or(header.metadata, kVersion, "")));
  }
  if (version <= kFormatVersion) return;
  throw Error(file + ": has format version " + std::to_string(version) + ", this nmt reads up to " +
              std::to_string(kFormatVersion) + "; update nmt to use it");
}

/// The checksum field as it appears in the header's JSON. JSON escapes quotes within strings, so no
/// text can look like it.
std::string checksum_field(const std::string& digits) {
  return std::string("\"") + kChecksum + "\":\"" + digits + "\"";
}

/// Hash of a whole file, with the digits of its checksum, at `digits`, replaced by zeros.
std::string hash_without(std::string_view bytes, size_t digits, size_t num_digits) {
  return sha256(
      {bytes.substr(0, digits), std::string(num_digits, '0'), bytes.substr(digits + num_digits)});
}

/// The number of bytes that the shape needs. Refuses shapes that overflow, also if a size of 0
/// hides it, since strides are products of the other sizes.
uint64_t bytes_of(const TensorEntry& entry, const std::string& file) {
  uint64_t bytes = element_size(entry.dtype);
  if (bytes == 0) {
    refuse(file, quoted(entry.name) + " has the unknown dtype " + quoted(entry.dtype));
  }
  int64_t extent = static_cast<int64_t>(bytes);
  for (const int64_t size : entry.shape) {
    if (__builtin_mul_overflow(extent, std::max<int64_t>(size, 1), &extent)) {
      refuse(file, quoted(entry.name) + " has an absurd shape");
    }
    bytes *= static_cast<uint64_t>(size);
  }
  return bytes;
}

/// The tensors must fill the data section one after the other.
void check_layout(SafetensorsHeader& header, uint64_t data_bytes, const std::string& file) {
  std::stable_sort(header.tensors.begin(), header.tensors.end(),
                   [](const TensorEntry& a, const TensorEntry& b) {
                     return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
                   });
  uint64_t at = 0;
  for (const auto& entry : header.tensors) {
    if (entry.begin != at) {
      refuse(file, quoted(entry.name) + " overlaps another tensor or leaves a gap");
    }
    if (entry.end < entry.begin) refuse(file, quoted(entry.name) + " ends before it begins");
    if (entry.end > data_bytes) {
      refuse(file, quoted(entry.name) + " reaches beyond the end of the file (is it cut off?)");
    }
    if (entry.end - entry.begin != bytes_of(entry, file)) {
      refuse(file, quoted(entry.name) + " has other bytes than its shape needs");
    }
    at = entry.end;
  }
  if (at != data_bytes) refuse(file, "its data has other bytes than its tensors");
}

/// The 8 bytes of length and the header.
std::string header_of(const nlohmann::ordered_json& metadata,
                      const std::vector<TensorEntry>& entries) {
  std::string text;
  std::set<std::string> names = {kMetadata};
  uint64_t end = 0;
  try {
    text = "{" + Json(kMetadata).dump() + ":" + metadata.dump();
    for (const auto& entry : entries) {
      if (!names.insert(entry.name).second) {
        throw Error("the tensor name " + entry.name + " is taken");
      }
      uint64_t bytes = element_size(entry.dtype);
      for (const int64_t size : entry.shape) bytes *= static_cast<uint64_t>(size);
      const uint64_t begin = std::exchange(end, end + bytes);
      const nlohmann::ordered_json fields = {
          {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {begin, end}}};
      text += "," + Json(entry.name).dump() + ":" + fields.dump();
    }
  } catch (const Json::type_error&) {
    throw Error("metadata and tensor names must be valid UTF-8");
  }
  text += "}";
  text.append((8 - text.size() % 8) % 8, ' ');  // so that the data starts at a multiple of 8
  if (text.size() > kMaxHeaderBytes) {
    throw Error("its header would have " + std::to_string(text.size()) + " bytes, more than the " +
                std::to_string(kMaxHeaderBytes) + " of the format");
  }
  std::string bytes;
  for (size_t i = 0; i < sizeof(uint64_t); ++i) {
    bytes += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  }
  return bytes + text;
}

}  // namespace

uint64_t element_size(const std::string& dtype) {
  static const std::map<std::string, uint64_t> sizes = {
      {"F64", 8},  {"I64", 8}, {"F32", 4}, {"I32", 4}, {"F16", 2},
      {"BF16", 2}, {"I16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}};
  const auto found = sizes.find(dtype);
  return found == sizes.end() ? 0 : found->second;
}

std::string quoted(const std::string& text) {
  constexpr size_t kMaxShown = 80;
  const auto ascii = dump_json(text, -1, /*in_ascii=*/true);
  return ascii.size() <= kMaxShown ? ascii : ascii.substr(0, kMaxShown) + "…";
}

SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& name) {
  const uint64_t size = header_bytes(bytes, name);
  const auto text = bytes.substr(sizeof(uint64_t), size);
  SafetensorsHeader header;
  header.data_begin = sizeof(uint64_t) + size;
  Json rest;
  try {
    rest = parse_json(text, HeaderParser(name, header));
  } catch (const Json::exception&) {
    refuse(name, "its header is not JSON");
  }
  if (!rest.is_object()) refuse(name, "its header is not a JSON object");
  for (const auto& [key, value] : rest.items()) {
    if (key == kMetadata) refuse(name, "its metadata is not an object");
    parse_entry(key, value, name);  // refuses anything but an object
  }
  if (is_ours(header)) require_known_version(header, name);
  check_layout(header, bytes.size() - header.data_begin, name);
  return header;
}

int64_t format_version_of(const std::map<std::string, std::string>& metadata) {
  const auto text = value_or(metadata, kFormat, "") == kOurFormat
                        ? value_or(metadata, kVersion, "1")
                        : std::string("1");
  return parse_number<int64_t>(text).value_or(0);
}

void verify_safetensors(const SafetensorsHeader& header, std::string_view bytes,
                        const std::string& name) {
  const auto stated = value_or(header.metadata, kChecksum, "");
  if (stated.empty()) {
    if (is_ours(header)) throw DamagedFile(name + ": its checksum is missing; the file is damaged");
    return;
  }
  bool fits = false;
  if (format_version_of(header.metadata) == 1) {
    fits = stated == sha256(bytes.substr(header.data_begin));
  } else {
    const auto text = bytes.substr(0, header.data_begin);
    const size_t at = text.find(checksum_field(stated));
    fits = at != std::string_view::npos &&
           stated == hash_without(bytes, at + checksum_field("").size() - 1, stated.size());
  }
  if (!fits) {
    throw DamagedFile(name + ": its checksum does not match its content; the file is damaged");
  }
}

std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::vector<TensorEntry>& entries) {
  return header_of(metadata, entries);
}

std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::vector<TensorEntry>& entries,
                                    const std::vector<std::string_view>& data) {
  const std::string no_digits(64, '0');
  nlohmann::ordered_json all_metadata = metadata;
  all_metadata[kFormat] = kOurFormat;
  all_metadata[kVersion] = std::to_string(kFormatVersion);
  all_metadata[kChecksum] = no_digits;
  auto bytes = header_of(all_metadata, entries);
  auto pieces = data;
  pieces.insert(pieces.begin(), bytes);
  const auto digits = bytes.find(checksum_field(no_digits)) + checksum_field("").size() - 1;
  return bytes.replace(digits, no_digits.size(), sha256(pieces));
}

}  // namespace nmt
