#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct evp_md_ctx_st;

namespace nmt {

/// Incremental SHA-256.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);

  /// The hash of all bytes so far, as 64 hexadecimal digits. More bytes may be added afterwards.
  std::string hexadecimal() const;

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

/// SHA-256 as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

/// The hash of the concatenated pieces.
std::string sha256(const std::vector<std::string_view>& pieces);

/// The hash of a file's content. Throws Error when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace nmt
