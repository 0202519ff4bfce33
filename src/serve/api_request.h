#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace nmt {

/// What a client is told of its mistake, with HTTP's status.
class ApiError : public std::runtime_error {
 public:
  ApiError(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// The named values of a request, from JSON or from a form, whose values are all strings. The
/// readers throw ApiError that names the value and what was expected.
class ApiRequest {
 public:
  /// Throws ApiError for what is neither or not UTF-8.
  static ApiRequest parse(const std::string& content_type, const std::string& body);

  bool has(const std::string& name) const;  // null is none
  std::string text(const std::string& name, const std::string& otherwise) const;
  std::string required_text(const std::string& name) const;
  int64_t integer(const std::string& name, int64_t otherwise, int64_t least, int64_t most) const;
  double number(const std::string& name, double otherwise) const;
  bool flag(const std::string& name, bool otherwise) const;

  bool is_list(const std::string& name) const;
  /// A list of texts, or one text.
  std::vector<std::string> texts(const std::string& name) const;

 private:
  nlohmann::json values_ = nlohmann::json::object();
  bool form_ = false;
};

}  // namespace nmt
