#pragma once

#include <httplib.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/child_program.h"
#include "files/file.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace nmt {

using Json = nlohmann::json;

/// `nmt serve` on a free port, ended with the test.
class RunningServer {
 public:
  explicit RunningServer(const std::string& arguments = "",
                         const std::string& models = "-m '" NMT_SOURCE_DIR "/models/sample'")
      : program_("serve " + models + " --threads 2 --port 0 " + arguments,
                 (folder_ / "log").string()) {
    const std::string before = "listening on http://127.0.0.1:";
    REQUIRE(program_.wait_until([&] {
      const auto log = this->log();
      const auto found = log.find(before);
      if (found == std::string::npos || log.find('\n', found) == std::string::npos) return false;
      port_ = std::stoi(log.substr(found + before.size()));
      return true;
    }));
  }

  ChildProgram& program() { return program_; }
  int port() const { return port_; }
  std::string log() const { return read_file(folder_ / "log"); }

  httplib::Client client() const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(60);
    return client;
  }

  /// The answer to JSON, which has to have this status.
  Json post(const std::string& path, const Json& body, int status = 200) const {
    return post_text(path, body.dump(), status);
  }
  Json post_text(const std::string& path, const std::string& body, int status,
                 const std::string& type = "application/json") const {
    const auto response = client().Post(path, body, type);
    REQUIRE(response);
    INFO(path << ' ' << body.substr(0, 200) << ": " << response->body.substr(0, 500));
    REQUIRE(response->status == status);
    return Json::parse(response->body);
  }
  Json get(const std::string& path) const {
    const auto response = client().Get(path);
    REQUIRE(response);
    REQUIRE(response->status == 200);
    return Json::parse(response->body);
  }

  void require_alive() const { REQUIRE(get("/health")["status"] == "ok"); }

 private:
  TemporaryFolder folder_;
  int port_ = 0;
  ChildProgram program_;
};

}  // namespace nmt
