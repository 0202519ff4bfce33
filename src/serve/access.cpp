#include "serve/access.h"

#include <spdlog/fmt/chrono.h>

#include <algorithm>
#include <ctime>

#include "errors/error.h"
#include "http/client_address.h"

namespace nmt {
namespace {

constexpr char kOfOrigins[] = "abcdefghijklmnopqrstuvwxyz0123456789+-.:[]";

/// SCHEME://HOST[:PORT] in lower case, as browsers send it, or *.
bool is_origin(const std::string& text) {
  if (text == "*") return true;
  const auto slashes = text.find("://");
  if (slashes == std::string::npos || slashes == 0) return false;
  const auto host = text.substr(slashes + 3);
  return !host.empty() && host.find_first_not_of(kOfOrigins) == std::string::npos &&
         text.substr(0, slashes).find_first_not_of(kOfOrigins) == std::string::npos;
}

/// In UTC, such as "2027-01-31".
std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

}  // namespace

std::string AccessOptions::allowed_origin(const std::string& origin) const {
  for (const auto& allowed : {std::string("*"), origin}) {
    if (std::find(allowed_origins.begin(), allowed_origins.end(), allowed) != allowed_origins.end())
      return allowed;
  }
  return "";
}

void require_valid_access(const AccessOptions& options) {
  const TrustedProxies proxies(options.trusted_proxies);  // throws if one is invalid
  for (const auto& origin : options.allowed_origins) {
    if (is_origin(origin)) continue;
    throw UsageError("--cors: " + origin +
                     ": not an origin; use one such as https://example.org, or *");
  }
}

Access::Access(const AccessOptions& options)
    : options_(options), trusted_proxies_(options.trusted_proxies), keys_(options.api_keys) {}

Caller Access::without_key(const HttpRequest& request) const {
  return {"", "address " + address_group(trusted_proxies_.client_of(request)), options_.limits};
}

Caller Access::identify(const HttpRequest& request, const std::string& key) {
  if (!requires_key()) return without_key(request);
  const auto found = keys_.find(key);
  if (found && !found->is_expired(today())) {
    auto limits = found->limits;
    if (limits.requests == 0) limits.requests = options_.limits.requests;
    if (limits.characters == 0) limits.characters = options_.limits.characters;
    return {found->name, "key " + found->name, limits};
  }
  count_unknown(request);
  throw HttpError(403, found         ? "This API key has expired"
                       : key.empty() ? "This server requires an API key (api_key)"
                                     : "Invalid API key");
}

void Access::count(const Caller& caller, int64_t characters, int64_t requests) {
  const auto& limits = caller.limits;
  if (limits.characters > 0 && characters > limits.characters) {
    throw InvalidRequest(fmt::format("{} characters exceed the limit of {} per minute", characters,
                                     limits.characters),
                         413);
  }
  const auto wait =
      limiter_.count(caller.counted, limits, characters, RateLimiter::Clock::now(), requests);
  if (wait.count() == 0) {
    const std::lock_guard<std::mutex> lock(mutex_);
    characters_[caller.key_name] += characters;
    return;
  }
  throw HttpError(
      429,
      fmt::format("Too many requests or characters per minute; try again in {} s", wait.count()),
      wait);
}

int64_t Access::characters_of(const Caller& caller) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = characters_.find(caller.key_name);
  return found == characters_.end() ? 0 : found->second;
}

void Access::require_allowed_page(const HttpRequest& request) const {
  const auto origin = request.header("origin");
  if (origin.empty()) return;  // not from a page
  const auto slashes = origin.find("://");
  const bool own =
      slashes != std::string::npos && origin.substr(slashes + 3) == request.header("host");
  if (own || !options_.allowed_origin(origin).empty()) return;
  throw HttpError(403, "Pages of other sites need --cors on this server");
}

void Access::require_no_rebinding(const HttpRequest& request) const {
  if (requires_key()) return;
  // Browsers send it with each POST; a page may have them send "null".
  const auto origin = request.header("origin");
  const auto host = request.header("host");
  const auto page = "http://" + host;
  const bool own = (origin == page || origin == "null") && !is_private_host(host);
  const bool local =
      is_loopback(request.peer_address) && !trusted_proxies_.contain(request.peer_address);
  if (!own || !local || !options_.allowed_origin(page).empty()) return;
  throw HttpError(403, "This page needs --cors " + page + " on this server");
}

void Access::require_local_or_key(const HttpRequest& request, const std::string& key) {
  // A proxy on this machine forwards requests of other machines; only a trusted one says whose they
  // are.
  const bool has_client = !request.header("x-forwarded-for").empty();
  const bool forwarded = has_client || !request.header("forwarded").empty();
  const bool known = has_client && trusted_proxies_.contain(request.peer_address);
  const bool local = is_loopback(trusted_proxies_.client_of(request)) && (!forwarded || known);
  if (local && is_private_host(request.header("host"))) return;
  if (!requires_key()) {
    throw HttpError(
        403, "Only this machine, at localhost or an IP address, may read this without an API key");
  }
  identify(request, key);
}

}  // namespace nmt
