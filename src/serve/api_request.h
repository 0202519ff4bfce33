#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "http/http_message.h"
#include "serve/file_store.h"

namespace nmt {

/// The fields of a request, from JSON or from a form, where all values are strings. Reading a field
/// with an unexpected value throws HttpError 400 that names the field and what was expected.
class ApiRequest {
 public:
  /// JSON, application/x-www-form-urlencoded or multipart/form-data; an empty body has no fields.
  /// Throws HttpError 400 for anything else and for text that is not UTF-8.
  static ApiRequest parse(const std::string& content_type, const std::string& body);

  bool has(const std::string& name) const;          // null counts as absent
  bool has_content(const std::string& name) const;  // empty texts and lists count as absent, too
  std::string text(const std::string& name, const std::string& otherwise) const;
  std::string required_text(const std::string& name) const;
  int64_t integer(const std::string& name, int64_t otherwise, int64_t least, int64_t most) const;
  double number(const std::string& name, double otherwise) const;
  bool flag(const std::string& name, bool otherwise) const;

  bool is_list(const std::string& name) const;
  /// A list of texts, or one text.
  std::vector<std::string> texts(const std::string& name) const;

  /// Entries of the longest list.
  size_t longest_list() const;

  /// A part of a multipart form that has a file name. Throws HttpError 400 if it is missing.
  const NamedFile& required_file(const std::string& name) const;

  /// Characters of the texts in these fields; fields of another type count 0.
  int64_t characters(std::initializer_list<const char*> names) const;

  /// Throws HttpError 400 if a field was not read: a misspelled one would otherwise be ignored.
  void require_all_read() const;

 private:
  nlohmann::json values_ = nlohmann::json::object();
  std::map<std::string, NamedFile> files_;
  bool form_ = false;
  mutable std::set<std::string> read_;  // names that were looked up
};

}  // namespace nmt
