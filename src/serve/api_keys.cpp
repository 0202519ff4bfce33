#include "serve/api_keys.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <sstream>

#include "errors/error.h"
#include "errors/log.h"
#include "files/line_reader.h"
#include "files/sha256.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

constexpr char kHashPrefix[] = "sha256:";
constexpr size_t kHashDigits = 64;
constexpr size_t kMaxName = 64;

bool consists_of(const std::string& text, const char* characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string::npos;
}

/// Names appear in the log, so they must be one word of plain characters.
bool is_name(const std::string& text) {
  return text.size() <= kMaxName &&
         consists_of(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-");
}

/// Whether a text is a day such as 2027-01-31. As text, such days compare by time.
bool is_day(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = parse_number<unsigned>(text.substr(0, 4));
  const auto month = parse_number<unsigned>(text.substr(5, 2));
  const auto day = parse_number<unsigned>(text.substr(8));
  if (!year || !month || !day) return false;
  std::tm time{};
  time.tm_year = static_cast<int>(*year) - 1900;
  time.tm_mon = static_cast<int>(*month) - 1;
  time.tm_mday = static_cast<int>(*day);
  ::timegm(&time);  // normalizes a day that does not exist
  return time.tm_mon + 1 == static_cast<int>(*month) && time.tm_mday == static_cast<int>(*day);
}

/// Reads one NAME=VALUE; returns false if it is invalid.
bool read_setting(const std::string& setting, ApiKey& key) {
  const auto middle = std::min(setting.find('='), setting.size());
  const auto name = setting.substr(0, middle);
  const auto value = setting.substr(std::min(middle + 1, setting.size()));
  if (name == "expires") key.last_day = value;
  if (name == "expires") return is_day(value);
  if (name != "requests" && name != "characters") return false;
  const auto limit = parse_number<int64_t>(value);
  if (!limit || *limit < 1 || *limit > kMaxRateLimit) return false;
  (name == "requests" ? key.limits.requests : key.limits.characters) = *limit;
  return true;
}

ApiKey parse_key(const std::string& line, const std::string& place) {
  std::istringstream words(line);
  ApiKey key;
  std::string hash;
  words >> key.name >> hash;
  const auto begins = hash.rfind(kHashPrefix, 0) == 0;
  if (begins) key.hash = hash.substr(sizeof(kHashPrefix) - 1);
  if (!is_name(key.name) || key.hash.size() != kHashDigits ||
      !consists_of(key.hash, "0123456789abcdef")) {
    throw Error(place +
                ": not NAME sha256:HASH; make a key and its line with `nmt serve --new-key NAME`");
  }
  size_t word = 2;
  for (std::string setting; words >> setting;) {
    ++word;
    if (read_setting(setting, key)) continue;
    throw Error(place + ": word " + std::to_string(word) +
                ": not expires=YYYY-MM-DD, requests=N or characters=N; correct or remove it");
  }
  return key;
}

}  // namespace

std::vector<ApiKey> read_api_keys(const std::filesystem::path& file) {
  std::vector<ApiKey> keys;
  std::set<std::string> seen;  // names and hashes, which never look alike
  LineReader reader(file);
  for (std::string line; reader.next(line);) {
    if (line.find_first_not_of(" \t") == std::string::npos || line.front() == '#') continue;
    const auto place = file.string() + ": line " + std::to_string(reader.line_number());
    keys.push_back(parse_key(line, place));
    if (!seen.insert(keys.back().name).second ||
        !seen.insert(kHashPrefix + keys.back().hash).second) {
      throw Error(place + ": this name or hash is already used above; use another");
    }
  }
  if (keys.empty()) {
    throw Error(file.string() + ": has no keys; make one with `nmt serve --new-key NAME`");
  }
  return keys;
}

std::string random_hex(size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (RAND_bytes(random.data(), static_cast<int>(bytes)) != 1) {
    throw Error("libcrypto: has no random numbers; check OPENSSL_CONF");
  }
  return fmt::format("{:02x}", fmt::join(random, ""));
}

std::string make_api_key() { return "nmt_" + random_hex(32); }

std::string api_key_line(const std::string& name, const std::string& key) {
  if (!is_name(name)) {
    throw UsageError("--new-key: the name has at most " + std::to_string(kMaxName) +
                     " letters, digits, '.', '_', '-' or '@'; use another");
  }
  return name + " " + kHashPrefix + sha256(key);
}

ApiKeys::ApiKeys(std::filesystem::path file) : file_(std::move(file)) {
  if (required()) keys_ = read_api_keys(file_);
}

std::optional<ApiKey> ApiKeys::find(const std::string& key) const {
  const auto hash = sha256(key);
  const std::lock_guard<std::mutex> lock(mutex_);
  const ApiKey* found = nullptr;
  for (const auto& known : keys_) {  // no early exit: constant time
    if (CRYPTO_memcmp(known.hash.data(), hash.data(), kHashDigits) == 0) found = &known;
  }
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

void ApiKeys::reload() try {
  auto keys = read_api_keys(file_);
  const std::lock_guard<std::mutex> lock(mutex_);
  keys_ = std::move(keys);
  log_info("{}: API keys loaded: {}", file_.string(), keys_.size());
} catch (const Error& error) {
  log_error("{}; the old keys stay valid", error.what());
}

}  // namespace nmt
