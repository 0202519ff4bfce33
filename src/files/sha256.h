#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);

  /// Of all bytes so far, as 64 hexadecimal digits; more may follow.
  std::string hexadecimal() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// SHA-256 as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

/// The same of several pieces, as if they stood one after the other.
std::string sha256(const std::vector<std::string_view>& pieces);

/// The same of a file's content. Throws Error when it can't be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace nmt
