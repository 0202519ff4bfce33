#include "support/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

#include "support/error.h"

namespace nmt {
namespace {

class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }
  void update(const char* data, size_t size) { EVP_DigestUpdate(context_.get(), data, size); }
  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &length);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) { return sha256(std::vector{bytes}); }

std::string sha256(const std::vector<std::string_view>& pieces) {
  Digest digest;
  for (const auto& piece : pieces) digest.update(piece.data(), piece.size());
  return digest.hexadecimal();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(path.string() + ": cannot be read");
  Digest digest;
  std::vector<char> buffer(1 << 20);
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())),
         stream.gcount() > 0) {
    digest.update(buffer.data(), static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) throw Error(path.string() + ": reading failed");
  return digest.hexadecimal();
}

}  // namespace nmt
