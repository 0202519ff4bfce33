#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

struct z_stream_s;

namespace nmt {

/// Reads the bytes of a file, a pipe or standard input. Gzip data is recognized by its first two
/// bytes, which are not valid UTF-8, and decompressed: all members (RFC 1952, section 2.2); zeros
/// after the last are ignored.
class InputFile {
 public:
  /// "-" is standard input. Throws Error, with the file's name, when it can't be opened.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads the available bytes, at most `size` (above 0), without waiting for more; 0 at the end.
  /// Throws Error with the reason only, since the caller adds file and line; bytes before a failure
  /// are returned first.
  size_t read(char* data, size_t size);

  /// Whether the file is compressed. Reads its first bytes. Throws Error as read() does.
  bool is_compressed();

  /// Skips to a byte of the (uncompressed) text, which must not have been read yet; compressed text
  /// is decompressed up to there. Throws Error, with the reason alone, when that fails.
  void skip_to(int64_t byte);

 private:
  bool read_more();
  bool begin_member();
  size_t decompress(char* data, size_t size);

  int file_;
  std::vector<char> stored_;  // raw bytes of the file; those from begin_ to end_ are unused
  size_t begin_ = 0;
  size_t end_ = 0;
  bool ended_ = false;
  bool format_is_known_ = false;
  bool member_ended_ = false;
  std::unique_ptr<z_stream_s> gzip_;  // null for plain text
};

}  // namespace nmt
