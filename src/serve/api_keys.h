#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace nmt {

constexpr int64_t kMaxRateLimit = 1'000'000'000;

/// What a client may send per minute; 0: no limit.
struct RateLimits {
  int64_t requests = 0;
  int64_t characters = 0;
};

struct ApiKey {
  std::string name;
  std::string hash;      // SHA-256 of the key, in hexadecimal
  std::string last_day;  // in UTC, such as "2027-01-31"; empty: no expiry
  RateLimits limits;     // 0: the server's limit

  bool is_expired(const std::string& today) const { return !last_day.empty() && last_day < today; }
};

/// Reads lines `NAME sha256:HASH [expires=2027-01-31] [requests=60] [characters=20000]`; empty
/// lines and those that begin with # are ignored. Throws Error without quoting the line: it may be
/// a key.
std::vector<ApiKey> read_api_keys(const std::filesystem::path& file);

/// Random bytes for secrets, in hexadecimal. Throws Error.
std::string random_hex(size_t bytes);

/// A new random key of 256 bits, which no attack on its SHA-256 can guess.
std::string make_api_key();

/// The line of a key for the key file. Throws UsageError for a name that the file cannot hold.
std::string api_key_line(const std::string& name, const std::string& key);

/// The keys of a server. Thread-safe.
class ApiKeys {
 public:
  /// Without a file, no key is required. Throws Error.
  explicit ApiKeys(std::filesystem::path file);

  bool required() const { return !file_.empty(); }

  /// The key, even if it has expired; nullopt if unknown. Compares in constant time.
  std::optional<ApiKey> find(const std::string& key) const;

  /// Reads the file again; if it is bad, logs that and keeps the old keys.
  void reload();

 private:
  const std::filesystem::path file_;
  mutable std::mutex mutex_;  // guards keys_
  std::vector<ApiKey> keys_;
};

}  // namespace nmt
