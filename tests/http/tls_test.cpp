#include <httplib.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "http/http_server.h"
#include "http/raw_client.h"
#include "support/catch.h"
#include "support/certificate.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

/// A server on a thread of its own that speaks only TLS.
class TlsServer {
 public:
  explicit TlsServer(const TestCertificate& files, HttpOptions options = {})
      : files_{files.certificate, files.private_key} {
    server_.use_tls(files_);
    server_.post("/echo", [](const HttpRequest& request) -> HttpResponse {
      return {200, "text/plain", request.body};
    });
    options.threads = 2;
    thread_ = std::thread([this, options] {
      server_.run(options, [this] {
        if (renew_.exchange(false)) server_.use_tls(files_);
        return stop_.load();
      });
    });
  }
  ~TlsServer() {
    stop_ = true;
    thread_.join();
  }

  const HttpServer& server() const { return server_; }
  void renew() {
    renew_ = true;
    while (renew_) std::this_thread::yield();
  }

  /// Trusts nothing but this certificate.
  std::unique_ptr<httplib::SSLClient> client(const std::string& certificate) const {
    auto client = std::make_unique<httplib::SSLClient>("127.0.0.1", server_.port());
    client->set_ca_cert_path(certificate.c_str());
    client->enable_server_certificate_verification(true);
    client->set_read_timeout(60);
    return client;
  }
  std::string echo(httplib::SSLClient& client, const std::string& text) const {
    const auto response = client.Post("/echo", text, "text/plain");
    return response && response->status == 200 ? response->body : "no answer";
  }

 private:
  HttpServer server_{"127.0.0.1", 0};
  TlsFiles files_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> renew_{false};
  std::thread thread_;
};

}  // namespace

TEST_CASE("Requests and responses of any size are encrypted", "[http][tls]") {
  const TemporaryFolder folder;
  const TestCertificate files(folder.path());
  const TlsServer server(files);
  CHECK(server.server().url() == "https://127.0.0.1:" + std::to_string(server.server().port()));
  const auto client = server.client(files.certificate);
  CHECK(server.echo(*client, "one") == "one");
  client->set_keep_alive(true);
  for (const size_t size : {0, 1, 16384, 16385, 1000000}) {
    const std::string text(size, 'x');
    CHECK(server.echo(*client, text) == text);
  }
}

TEST_CASE("Clients that do not trust the certificate are not answered", "[http][tls]") {
  const TemporaryFolder folder;
  const TemporaryFolder other_folder;
  const TestCertificate files(folder.path());
  const TestCertificate others(other_folder.path());
  const TlsServer server(files);
  CHECK(server.echo(*server.client(others.certificate), "secret") == "no answer");
  CHECK(server.echo(*server.client(files.certificate), "open") == "open");
}

TEST_CASE("Unencrypted and broken requests end their connection alone", "[http][tls]") {
  const TemporaryFolder folder;
  const TestCertificate files(folder.path());
  const TlsServer server(files);
  const auto client = server.client(files.certificate);
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string("\x16\x03\x01\xff\xff", 5) + "junk",
        std::string(100000, '\x16'), std::string(1, '\0')}) {
    RawClient raw(server.server().port());
    raw.send(bytes);
    if (bytes.size() > 1) CHECK(raw.receive_all().find("HTTP/1.1") == std::string::npos);
    CHECK(server.echo(*client, "still here") == "still here");
  }
}

TEST_CASE("A client that starts no encryption is disconnected in time", "[http][tls]") {
  const TemporaryFolder folder;
  const TestCertificate files(folder.path());
  HttpOptions options;
  options.read_timeout = std::chrono::seconds(0);
  const TlsServer server(files, options);
  RawClient silent(server.server().port());
  CHECK(silent.receive_all().empty());
}

TEST_CASE("A renewed certificate is used by the next connection", "[http][tls]") {
  const TemporaryFolder folder;
  const TestCertificate files(folder.path());
  TlsServer server(files);
  const auto before = files.certificate + ".before";
  std::filesystem::copy_file(files.certificate, before);
  const auto open = server.client(before);
  open->set_keep_alive(true);
  CHECK(server.echo(*open, "first") == "first");
  TestCertificate(folder.path());
  server.renew();
  CHECK(server.echo(*open, "kept") == "kept");
  CHECK(server.echo(*server.client(before), "old") == "no answer");
  CHECK(server.echo(*server.client(files.certificate), "new") == "new");
}

TEST_CASE("Files that are no certificate and its key are named", "[http][tls]") {
  const TemporaryFolder folder;
  const TemporaryFolder other_folder;
  const TestCertificate files(folder.path());
  const TestCertificate others(other_folder.path(), "P-384");
  const auto junk = folder.write("junk", "-----BEGIN CERTIFICATE-----\njunk\n").string();
  const auto error_with = [](const std::string& certificate, const std::string& key) {
    return error_of([&] { require_valid_certificate(TlsFiles{certificate, key}); });
  };
  CHECK(error_with(junk, files.private_key) ==
        junk +
            ": not a certificate in PEM format; it must hold the server's certificate and then "
            "those that sign it");
  CHECK(error_with(files.certificate, junk) ==
        junk +
            ": not a private key in PEM format; it must hold the certificate's key, without a "
            "password");
  const TestCertificate same_kind(other_folder.path());
  CHECK(error_with(files.certificate, same_kind.private_key) ==
        same_kind.private_key + ": not the key of " + files.certificate +
            "; it must hold the certificate's key, without a password");
  CHECK(error_with(files.certificate, others.private_key) ==
        others.private_key + ": not the key of " + files.certificate +
            "; it must hold the certificate's key, without a password");
  require_valid_certificate(TlsFiles{files.certificate, files.private_key});
}

}  // namespace nmt
