#include "reports/event_file.h"

#include <array>
#include <cerrno>
#include <cstring>

#include "errors/error.h"

namespace nmt {
namespace {

// Wire types of Protocol Buffers, and the numbers of the fields of TensorFlow's event.proto and
// summary.proto.
constexpr uint32_t kVarint = 0;
constexpr uint32_t kFixed64 = 1;
constexpr uint32_t kBytes = 2;
constexpr uint32_t kFixed32 = 5;
constexpr uint32_t kEventWallTime = 1;     // double
constexpr uint32_t kEventStep = 2;         // int64
constexpr uint32_t kEventFileVersion = 3;  // string
constexpr uint32_t kEventSummary = 5;      // Summary
constexpr uint32_t kSummaryValue = 1;      // Value, repeated
constexpr uint32_t kValueTag = 1;          // string
constexpr uint32_t kValueSimple = 2;       // float

std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t code = i;
    for (int bit = 0; bit < 8; ++bit) code = (code >> 1) ^ ((code & 1) != 0 ? 0x82F63B78U : 0U);
    table[i] = code;
  }
  return table;
}

/// What TensorFlow stores of a checksum, so that one of data with checksums in it still says much.
uint32_t masked(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U; }

// Little endian, as every machine that this program runs on is.
template <typename Number>
void append(std::string& bytes, Number number) {
  char raw[sizeof(number)];
  std::memcpy(raw, &number, sizeof(number));
  bytes.append(raw, sizeof(number));
}

void append_varint(std::string& bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7F) | 0x80);
  bytes += static_cast<char>(number);
}

void append_key(std::string& bytes, uint32_t field, uint32_t type) {
  append_varint(bytes, (field << 3) | type);
}

void append_bytes(std::string& bytes, uint32_t field, const std::string& content) {
  append_key(bytes, field, kBytes);
  append_varint(bytes, content.size());
  bytes += content;
}

std::string event(double wall_time) {
  std::string message;
  append_key(message, kEventWallTime, kFixed64);
  append(message, wall_time);
  return message;
}

std::string summary_of(const std::vector<Scalar>& scalars) {
  std::string summary;
  for (const auto& scalar : scalars) {
    std::string value;
    append_bytes(value, kValueTag, scalar.tag);
    append_key(value, kValueSimple, kFixed32);
    append(value, static_cast<float>(scalar.value));
    append_bytes(summary, kSummaryValue, value);
  }
  return summary;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static const auto table = make_crc_table();
  uint32_t code = ~0U;
  for (const char byte : bytes) {
    code = table[(code ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (code >> 8);
  }
  return ~code;
}

EventFile::EventFile(const std::filesystem::path& folder, double wall_time) {
  path_ =
      folder / ("events.out.tfevents." + std::to_string(static_cast<int64_t>(wall_time)) + ".nmt");
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) throw Error(path_.string() + ": cannot be written: " + std::strerror(errno));
  auto message = event(wall_time);
  append_bytes(message, kEventFileVersion, "brain.Event:2");
  write_record(message);
}

void EventFile::add(double wall_time, int64_t update, const std::vector<Scalar>& scalars) {
  auto message = event(wall_time);
  append_key(message, kEventStep, kVarint);
  append_varint(message, static_cast<uint64_t>(update));
  append_bytes(message, kEventSummary, summary_of(scalars));
  write_record(message);
}

void EventFile::flush() {
  if (!file_.flush()) throw Error(path_.string() + ": writing failed: " + std::strerror(errno));
}

void EventFile::write_record(const std::string& message) {
  std::string length;
  append(length, static_cast<uint64_t>(message.size()));
  std::string record = length;
  append(record, masked(crc32c(length)));
  record += message;
  append(record, masked(crc32c(message)));
  file_ << record;
}

}  // namespace nmt
