#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "support/catch.h"

namespace nmt {

/// A new key and a certificate for 127.0.0.1 that it signed itself, as PEM files.
struct TestCertificate {
  std::string certificate;
  std::string private_key;

  explicit TestCertificate(const std::filesystem::path& folder, const char* curve = "P-256",
                           long valid_seconds = 3600)
      : certificate((folder / "certificate.pem").string()),
        private_key((folder / "private-key.pem").string()) {
    const std::shared_ptr<EVP_PKEY> key(EVP_EC_gen(curve), EVP_PKEY_free);
    const std::shared_ptr<X509> x509(X509_new(), X509_free);
    X509_set_version(x509.get(), 2);
    X509_gmtime_adj(X509_getm_notBefore(x509.get()), -7200);
    X509_gmtime_adj(X509_getm_notAfter(x509.get()), valid_seconds);
    X509_set_pubkey(x509.get(), key.get());
    const std::shared_ptr<X509_EXTENSION> names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"),
        X509_EXTENSION_free);
    X509_add_ext(x509.get(), names.get(), -1);
    REQUIRE(X509_sign(x509.get(), key.get(), EVP_sha256()) > 0);
    write(certificate, [&](FILE* file) { return PEM_write_X509(file, x509.get()); });
    write(private_key, [&](FILE* file) {
      return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

 private:
  template <typename Write>
  static void write(const std::string& path, const Write& write_pem) {
    FILE* const file = std::fopen(path.c_str(), "w");
    REQUIRE(file != nullptr);
    const int written = write_pem(file);
    REQUIRE(std::fclose(file) == 0);
    REQUIRE(written == 1);
  }
};

}  // namespace nmt
