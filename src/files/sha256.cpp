#include "files/sha256.h"

#include <openssl/evp.h>
#include <spdlog/fmt/ranges.h>

#include <array>
#include <fstream>

#include "errors/error.h"

namespace nmt {
namespace {

using Context = std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)>;

/// libcrypto's functions return 1 on success. They fail without its default provider, which
/// OPENSSL_CONF can disable.
void require_success(int result) {
  if (result != 1) throw Error("libcrypto: cannot compute SHA-256; check OPENSSL_CONF");
}

Context new_context() {
  Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  require_success(context != nullptr ? 1 : 0);
  return context;
}

}  // namespace

Sha256::Sha256() : context_(new_context()) {
  require_success(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view bytes) {
  require_success(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::hexadecimal() const {
  const auto end = new_context();
  require_success(EVP_MD_CTX_copy_ex(end.get(), context_.get()));
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  require_success(EVP_DigestFinal_ex(end.get(), digest.data(), &length));
  return fmt::format("{:02x}", fmt::join(digest.data(), digest.data() + length, ""));
}

std::string sha256(std::string_view bytes) { return sha256(std::vector{bytes}); }

std::string sha256(const std::vector<std::string_view>& pieces) {
  Sha256 digest;
  for (const auto& piece : pieces) digest.add(piece);
  return digest.hexadecimal();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(path.string() + ": cannot be read");
  Sha256 digest;
  std::vector<char> buffer(1 << 20);
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())),
         stream.gcount() > 0) {
    digest.add({buffer.data(), static_cast<size_t>(stream.gcount())});
  }
  if (stream.bad()) throw Error(path.string() + ": reading failed");
  return digest.hexadecimal();
}

}  // namespace nmt
