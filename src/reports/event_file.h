#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A number at an update, for TensorBoard.
struct Scalar {
  std::string tag;  // "train/loss"
  double value = 0.0;
};

/// A file of events as TensorBoard reads them: records of a length, its checksum, a message of
/// Protocol Buffers, and the message's checksum (masked CRC-32C, RFC 3720).
class EventFile {
 public:
  /// Makes DIR/events.out.tfevents.SECONDS.nmt. `wall_time` is in seconds since 1970. Throws Error.
  EventFile(const std::filesystem::path& folder, double wall_time);

  /// Appends the scalars of one update. Throws Error.
  void add(double wall_time, int64_t update, const std::vector<Scalar>& scalars);

  void flush();

 private:
  void write_record(const std::string& message);

  std::filesystem::path path_;
  std::ofstream file_;
};

/// CRC-32C (Castagnoli) of the bytes.
uint32_t crc32c(std::string_view bytes);

}  // namespace nmt
