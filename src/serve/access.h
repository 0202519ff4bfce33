#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "http/http_message.h"
#include "serve/api_keys.h"
#include "serve/rate_limiter.h"
#include "serve/trusted_proxies.h"

namespace nmt {

struct AccessOptions {
  std::filesystem::path api_keys;            // the key file; empty: no key is required
  RateLimits limits;                         // per address, and of keys without limits
  std::vector<std::string> trusted_proxies;  // addresses and networks of TrustedProxies
  std::vector<std::string> allowed_origins;  // of pages that may use the API; "*": all

  /// `origin`, or "*" if all are allowed; empty if it is not allowed.
  std::string allowed_origin(const std::string& origin) const;
  bool log_text = false;  // whether the request log includes the texts
};

/// Throws UsageError for a proxy that TrustedProxies refuses and for an origin that no browser
/// sends.
void require_valid_access(const AccessOptions& options);

/// A client that may use the server.
struct Caller {
  std::string key_name;  // empty: no key is required
  std::string counted;   // what the limits count: the key or the address
  RateLimits limits;
};

/// Decides who may use the server, and how much. Thread-safe.
class Access {
 public:
  /// Throws Error for a bad key file.
  explicit Access(const AccessOptions& options);

  bool requires_key() const { return keys_.required(); }
  void reload_keys() { keys_.reload(); }

  /// Throws HttpError 403 if the key is wrong, or missing although one is required, and 429 once an
  /// address has sent too many such requests.
  Caller identify(const HttpRequest& request, const std::string& key);

  /// Counts a request without a valid key for its address. Throws HttpError 429 beyond the limits.
  void count_unknown(const HttpRequest& request) { count(without_key(request), 0); }

  /// Counts `requests` (0 for further characters of a counted request) and `characters`. Throws
  /// HttpError 429 beyond the limits.
  void count(const Caller& caller, int64_t characters, int64_t requests = 1);

  /// All characters counted so far for the caller's key or, without keys, for all clients.
  int64_t characters_of(const Caller& caller) const;

  /// Throws HttpError 403 for a request from a page of another site that may not use the server:
  /// browsers submit forms from any page to any server.
  void require_allowed_page(const HttpRequest& request) const;

  /// Throws HttpError 403 for a request without a key from a page that may have pointed its own
  /// name at this machine (DNS rebinding). The certificate of an https page, as behind a proxy,
  /// proves its name.
  void require_no_rebinding(const HttpRequest& request) const;

  /// Throws HttpError 403 unless a request has a valid key or comes from this machine and does not
  /// address it by a public name (DNS rebinding).
  void require_local_or_key(const HttpRequest& request, const std::string& key);

 private:
  Caller without_key(const HttpRequest& request) const;

  const AccessOptions options_;
  const TrustedProxies trusted_proxies_;
  ApiKeys keys_;
  RateLimiter limiter_;
  mutable std::mutex mutex_;                   // guards characters_
  std::map<std::string, int64_t> characters_;  // by the name of the key; "" without keys
};

}  // namespace nmt
