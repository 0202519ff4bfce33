#include "serve/access.h"

#include <csignal>

#include "files/sha256.h"
#include "http/raw_client.h"
#include "serve/running_server.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

const Json kRequest = {{"q", "저는 책을 읽어요."}, {"source", "ko"}, {"target", "en"}};

std::string line_of(const std::string& name, const std::string& key, const std::string& more = "") {
  return name + " sha256:" + sha256(key) + " " + more + "\n";
}

Json with_key(const std::string& key) {
  auto request = kRequest;
  request["api_key"] = key;
  return request;
}

}  // namespace

TEST_CASE("A key is asked for where there are keys", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys", line_of("alice", "first key") + line_of("bob", "second") +
                           line_of("carol", "third", "expires=2020-12-31"));
  RunningServer server("--api-key-file '" + (folder / "keys").string() + "'");
  server.post("/translate", kRequest, 403);
  server.post("/translate", with_key("fourth"), 403);
  server.post("/translate", with_key(std::string(900000, 'x')), 403);
  server.post("/translate", with_key("second"), 200);
  REQUIRE(contains(server.post("/translate", with_key("third"), 403)["error"], "expired"));
  const auto status_with = [&](const std::string& authorization, const std::string& body) {
    return server.client()
        .Post("/v1/translate", {{"Authorization", authorization}}, body, "application/json")
        ->status;
  };
  REQUIRE(status_with("Bearer first key", R"({"q": "a"})") == 200);
  REQUIRE(status_with("Bearer wrong", "not even JSON") == 403);  // the body is not read
  REQUIRE(status_with("Basic first key", R"({"q": "a"})") == 403);
  REQUIRE(status_with("bearer first key", R"({"q": "a"})") == 200);
  REQUIRE(status_with("DEEPL-AUTH-KEY  first key", R"({"q": "a"})") == 200);
  server.require_alive();

  folder.write("keys", "broken\n");
  server.program().send(SIGHUP);
  REQUIRE(server.program().wait_until([&] { return contains(server.log(), "old keys stay"); }));
  server.post("/translate", with_key("second"), 200);
  folder.write("keys", line_of("dave", "fifth"));
  server.program().send(SIGHUP);
  REQUIRE(
      server.program().wait_until([&] { return contains(server.log(), "API keys loaded: 1"); }));
  server.post("/translate", with_key("second"), 403);
  server.post("/translate", with_key("fifth"), 200);
  REQUIRE(!contains(server.log(), "fifth"));
  REQUIRE(contains(server.log(), "key dave"));
}

TEST_CASE("Limits per minute are counted for a key, or for an address", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys", line_of("alice", "one", "requests=2") + line_of("bob", "two"));
  const RunningServer server("--requests-per-minute 1 --api-key-file '" +
                             (folder / "keys").string() + "'");
  server.post("/translate", with_key("one"), 200);
  server.post("/translate", with_key("one"), 200);
  server.post("/translate", with_key("one"), 429);
  server.post("/translate", with_key("two"), 200);
  server.post("/translate", with_key("two"), 429);
  server.post("/translate", with_key("wrong"), 403);
  server.post("/translate", with_key("wrong"), 429);  // no guessing
}

TEST_CASE("A request counts whatever its answer is", "[serve]") {
  const RunningServer server("--requests-per-minute 4 --max-characters 12");
  server.post_text("/translate", "not even JSON", 400);
  server.post("/translate", {{"q", "a"}}, 400);
  server.post("/translate", {{"q", "thirteen char"}}, 413);
  server.post("/translate", kRequest, 200);
  server.post("/translate", kRequest, 429);

  const TemporaryFolder folder;
  folder.write("keys", line_of("alice", "one"));
  const RunningServer with_keys("--requests-per-minute 3 --api-key-file '" +
                                (folder / "keys").string() + "'");
  with_keys.post_text("/translate", "not even JSON", 400);
  with_keys.post("/translate", {{"api_key", 1}}, 400);
  with_keys.post_text("/translate?%ff", "", 400);
  with_keys.post_text("/translate", "not even JSON", 429);
  with_keys.post("/translate", with_key("one"), 200);
}

TEST_CASE("A client beyond its limit learns when to come back, and cannot hide", "[serve]") {
  const RunningServer server("--characters-per-minute 12");
  server.post("/translate", kRequest, 200);  // 10 characters
  auto client = server.client();
  const auto refused = client.Post("/translate", {{"X-Forwarded-For", "192.0.2.1"}},
                                   kRequest.dump(), "application/json");
  REQUIRE(refused->status == 429);
  const int wait = std::stoi(refused->get_header_value("Retry-After"));  // 8 of 12 a minute
  REQUIRE(wait >= 1);
  REQUIRE(wait <= 40);
  auto longer = kRequest;
  longer["q"] = "thirteen char";
  REQUIRE(contains(server.post("/translate", longer, 413)["error"], "12 per minute"));
}

TEST_CASE("Clients behind a trusted proxy are limited separately", "[serve]") {
  const RunningServer server("--requests-per-minute 1 --trusted-proxy 127.0.0.1");
  const auto status_of = [&](const std::string& forwarded_for) {
    return server.client()
        .Post("/translate", {{"X-Forwarded-For", forwarded_for}}, kRequest.dump(),
              "application/json")
        ->status;
  };
  REQUIRE(status_of("192.0.2.1") == 200);
  REQUIRE(status_of("192.0.2.2") == 200);
  REQUIRE(status_of("192.0.2.3, 192.0.2.1") == 429);
  REQUIRE(status_of("2001:db8::1") == 200);
  REQUIRE(status_of("2001:db8::2") == 429);
  REQUIRE(status_of("192.0.2.4:50001") == 200);
  REQUIRE(status_of("192.0.2.5:50001") == 200);
  REQUIRE(status_of("192.0.2.5:50002") == 429);
}

TEST_CASE("Metrics are for this machine, or for a key", "[serve]") {
  const TemporaryFolder folder;
  folder.write("keys", line_of("alice", "one"));
  const RunningServer server("--api-key-file '" + (folder / "keys").string() + "'");
  const auto status_of = [&](const httplib::Headers& headers) {
    return server.client().Get("/metrics", headers)->status;
  };
  REQUIRE(status_of({}) == 200);
  REQUIRE(status_of({{"Host", "host.docker.internal:8080"}}) == 200);
  REQUIRE(status_of({{"Host", "evil.example:8080"}}) == 403);  // DNS rebinding
  REQUIRE(status_of({{"Host", "nmt.example"}, {"Authorization", "Bearer one"}}) == 200);
  REQUIRE(status_of({{"X-Forwarded-For", "127.0.0.1"}}) == 403);  // by a proxy on this machine
  REQUIRE(status_of({{"Forwarded", "for=127.0.0.1"}}) == 403);
  REQUIRE(status_of({{"Forwarded", "for=x"}, {"Authorization", "Bearer two"}}) == 403);
  REQUIRE(status_of({{"Forwarded", "for=x"}, {"Authorization", "Bearer one"}}) == 200);
}

TEST_CASE("Only clients that a trusted proxy names as this machine read metrics without a key",
          "[serve]") {
  AccessOptions options;
  options.trusted_proxies = {"127.0.0.1"};
  Access access(options);
  const auto is_refused = [&](const std::string& header, const std::string& value) {
    HttpRequest request;
    request.peer_address = "127.0.0.1";
    request.headers[header] = value;
    try {
      access.require_local_or_key(request, "");
      return false;
    } catch (const HttpError& error) {
      return error.status() == 403;
    }
  };
  CHECK_FALSE(is_refused("x-forwarded-for", "127.0.0.1"));
  CHECK_FALSE(is_refused("x-forwarded-for", "[::1]:50001"));
  for (const std::string client :
       {"203.0.113.7", "203.0.113.7:50001", "[2001:db8::1]:4711", "unknown"}) {
    INFO(client);
    CHECK(is_refused("x-forwarded-for", client));
  }
  CHECK(is_refused("forwarded", "for=203.0.113.7"));
}

TEST_CASE("Pages of other origins may use the server only if they are allowed", "[serve]") {
  const auto allowed = [](const RunningServer& server, const std::string& origin) {
    return server.client()
        .Options("/translate", {{"Origin", origin}})
        ->get_header_value("Access-Control-Allow-Origin");
  };
  const RunningServer none;
  REQUIRE(allowed(none, "https://a.example").empty());
  const RunningServer two("--cors https://a.example --cors http://localhost:3000");
  REQUIRE(allowed(two, "https://a.example") == "https://a.example");
  REQUIRE(allowed(two, "http://localhost:3000") == "http://localhost:3000");
  REQUIRE(allowed(two, "https://b.example").empty());
  REQUIRE(allowed(two, "*").empty());
  REQUIRE(allowed(two, "").empty());
  const RunningServer all("--cors '*'");
  REQUIRE(allowed(all, "https://b.example") == "*");
}

TEST_CASE("Only pages that may use the server send suggestions, since browsers send any form",
          "[serve]") {
  const TemporaryFolder folder;
  const auto suggestions = folder / "suggestions";
  const auto arguments = "--suggestions '" + suggestions.string() + "'";
  const auto status_of = [](const RunningServer& server, const httplib::Headers& headers) {
    return server.client()
        .Post("/suggest", headers, "q=a&s=b&source=ko&target=en",
              "application/x-www-form-urlencoded")
        ->status;
  };
  const auto own = [](const RunningServer& server) {
    return "127.0.0.1:" + std::to_string(server.port());
  };
  {
    const RunningServer server(arguments + " --cors https://a.example");
    REQUIRE(status_of(server, {{"Origin", "https://b.example"}}) == 403);
    REQUIRE(status_of(server, {{"Origin", "null"}}) == 403);
    REQUIRE(status_of(server, {{"Origin", "http://127.0.0.1:1"}}) == 403);
    REQUIRE(status_of(server, {{"Origin", own(server)}}) == 403);
    REQUIRE(read_file(suggestions).empty());
    REQUIRE(status_of(server, {}) == 200);
    REQUIRE(status_of(server, {{"Origin", "https://a.example"}}) == 200);
    REQUIRE(status_of(server, {{"Origin", "http://" + own(server)}}) == 200);
    REQUIRE(status_of(server, {{"Origin", "https://" + own(server)}}) == 200);  // by a proxy
  }
  const RunningServer all(arguments + " --cors '*'");
  REQUIRE(status_of(all, {{"Origin", "https://b.example"}}) == 200);
}

TEST_CASE("A page that leads its own name to this machine cannot use the server", "[serve]") {
  const TemporaryFolder folder;
  const auto suggestions = folder / "suggestions";
  const RunningServer server("--suggestions '" + suggestions.string() + "'");
  const auto post = [&](const std::string& path, const std::string& host,
                        const std::string& origin) {
    httplib::Headers headers = {{"Host", host}};
    if (!origin.empty()) headers.emplace("Origin", origin);
    return server.client().Post(path, headers, "q=a&s=b&source=ko&target=en",
                                "application/x-www-form-urlencoded");
  };
  for (const std::string path : {"/translate", "/detect", "/suggest", "/v1/translate"}) {
    INFO(path);
    const auto refused = post(path, "evil.example:8080", "http://evil.example:8080");
    REQUIRE(refused->status == 403);
    REQUIRE(contains(refused->body, "needs --cors http://evil.example:8080 on this server"));
  }
  REQUIRE(read_file(suggestions).empty());
  const auto metrics = server.client().Get("/metrics", {{"Host", "evil.example:8080"}});
  REQUIRE(metrics->status == 403);
  REQUIRE(contains(metrics->body, "at localhost or an IP address"));
  const auto status_of = [&](const std::string& host, const std::string& origin) {
    return post("/translate", host, origin)->status;
  };
  REQUIRE(status_of("evil.example:8080", "") == 200);      // not from a page
  REQUIRE(status_of("evil.example:8080", "null") == 403);  // a page that hides its own
  REQUIRE(status_of("localhost:8080", "null") == 200);
  REQUIRE(status_of("localhost:8080", "http://localhost:8080") == 200);
  REQUIRE(status_of("nmt.example", "https://nmt.example") == 200);  // by a proxy
  REQUIRE(status_of("127.0.0.1:8080", "chrome-extension://abc") == 200);
}

TEST_CASE("A page by a public name may use a server that can tell it from DNS rebinding",
          "[serve]") {
  const auto is_refused = [](const AccessOptions& options, const std::string& peer = "127.0.0.1") {
    HttpRequest request;
    request.peer_address = peer;
    request.headers = {{"host", "nmt.example"}, {"origin", "http://nmt.example"}};
    try {
      Access(options).require_no_rebinding(request);
      return false;
    } catch (const HttpError& error) {
      return error.status() == 403;
    }
  };
  CHECK(is_refused({}));
  CHECK(is_refused({}, "::1"));
  CHECK_FALSE(is_refused({}, "192.0.2.1"));  // another machine
  AccessOptions proxy;
  proxy.trusted_proxies = {"127.0.0.1"};
  CHECK_FALSE(is_refused(proxy));
  AccessOptions cors;
  cors.allowed_origins = {"http://nmt.example"};
  CHECK_FALSE(is_refused(cors));
  const TemporaryFolder folder;
  folder.write("keys", line_of("alice", "one"));
  AccessOptions keys;
  keys.api_keys = folder / "keys";
  CHECK_FALSE(is_refused(keys));
}

TEST_CASE("The log has a line for each request, without its text", "[serve]") {
  RunningServer server;
  const auto response =
      server.client().Post("/translate?secret", kRequest.dump(), "application/json");
  const auto id = response->get_header_value("X-Request-Id");
  REQUIRE(!id.empty());
  server.post("/translate", {{"q", "secret"}}, 400);
  RawClient raw(server.port());
  raw.send("SECRET /secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  REQUIRE(contains(raw.receive_all(), "X-Request-Id: "));
  server.require_alive();
  const auto log = server.log();
  INFO(log);
  REQUIRE(contains(log, "POST /translate  status 200  seconds "));
  REQUIRE(contains(log, "  request " + id + "  characters 10\n"));
  REQUIRE(contains(log, "POST /translate  status 400  seconds "));
  REQUIRE(contains(log, "other other  status 404  seconds "));
  REQUIRE(!contains(log, "/health"));
  REQUIRE(!contains(log, "secret"));
  REQUIRE(!contains(log, "SECRET"));
  REQUIRE(!contains(log, "저는"));

  const RunningServer open("--log-text");
  open.post("/translate", {{"q", "a\n\x1b[1mb"}, {"source", "ko"}, {"target", "en"}});
  REQUIRE(contains(open.log(), "  text [\"a\\n\\u001b[1mb\"]\n"));
}

TEST_CASE("A server that others reach warns, and names a URL that works", "[serve]") {
  const RunningServer server("--host 0.0.0.0");
  REQUIRE(contains(server.log(), "0.0.0.0: other machines can use this server without a key"));
  server.require_alive();  // RunningServer waits for "listening on http://127.0.0.1:"
  REQUIRE(contains(server.log(), " and all other addresses of this machine (0.0.0.0)\n"));
  const RunningServer local("--host 127.0.0.1");
  REQUIRE(!contains(local.log(), "without a key"));
  REQUIRE(!contains(local.log(), "other addresses"));
}

TEST_CASE("Proxies are addresses and origins have no path", "[serve]") {
  AccessOptions options;
  options.trusted_proxies = {"10.0.0.1", "fd00::/8"};
  options.allowed_origins = {"*", "https://a.example", "http://[::1]:8080"};
  REQUIRE_NOTHROW(require_valid_access(options));
  options.trusted_proxies = {"10.0.0.1:80"};
  REQUIRE_THROWS_AS(require_valid_access(options), UsageError);
  options.trusted_proxies = {};
  for (const std::string origin : {"", "a.example", "https://", "https://a.example/", "https://A",
                                   "https://a\r\nX: y", "://a", "**"}) {
    options.allowed_origins = {origin};
    REQUIRE_THROWS_AS(require_valid_access(options), UsageError);
  }
}

}  // namespace nmt
