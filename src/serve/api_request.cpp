#include "serve/api_request.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

#include "config/suggest.h"
#include "files/json.h"
#include "numbers/parse.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_value(const std::string& name, const std::string& expected) {
  throw InvalidRequest(name + " must be " + expected);
}

void require_utf8_form(std::string_view text) {
  if (find_invalid_utf8(text)) throw InvalidRequest("the form is not UTF-8");
}

std::string percent_decoded(std::string_view encoded) {
  std::string text;
  for (size_t at = 0; at < encoded.size(); ++at) {
    unsigned byte = 0;
    const auto digits = encoded.substr(at + 1, 2);
    if (encoded[at] == '%' && digits.size() == 2 &&
        std::from_chars(digits.data(), digits.data() + 2, byte, 16).ptr == digits.data() + 2) {
      text += static_cast<char>(byte);
      at += 2;
    } else {
      text += encoded[at];
    }
  }
  require_utf8_form(text);
  return text;
}

std::string decode_form_value(std::string_view encoded) {
  std::string text(encoded);
  std::replace(text.begin(), text.end(), '+', ' ');
  return percent_decoded(text);
}

/// A repeated name becomes a list.
void add_value(Json& values, const std::string& name, const std::string& value) {
  if (!values.contains(name)) {
    values[name] = value;
  } else if (values[name].is_array()) {
    values[name].push_back(value);
  } else {
    values[name] = Json::array({values[name], value});
  }
}

Json parse_form(std::string_view body) {
  Json values = Json::object();
  while (!body.empty()) {
    const auto pair = body.substr(0, body.find('&'));
    body.remove_prefix(std::min(body.size(), pair.size() + 1));
    const size_t equals = std::min(pair.find('='), pair.size());
    add_value(values, decode_form_value(pair.substr(0, equals)),
              decode_form_value(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return values;
}

using Parameters = std::map<std::string, std::string>;

/// The parameters of a header such as `form-data; name="q"`, by lower-case name. A backslash
/// escapes only a quote or a backslash, since some programs send Windows paths unescaped.
Parameters header_parameters(std::string_view header) {
  constexpr std::string_view kBlanks = " \t\r\n";
  Parameters parameters;
  for (size_t at = header.find(';'); at < header.size();) {
    std::string parameter;  // without quotes, and without blanks outside of them
    bool quoted = false;
    for (++at; at < header.size() && (quoted || header[at] != ';'); ++at) {
      const auto pair = header.substr(at, 2);
      const bool escaped = quoted && (pair == "\\\"" || pair == "\\\\");
      if (escaped) ++at;
      if (header[at] == '"' && !escaped) {
        quoted = !quoted;
      } else if (quoted || kBlanks.find(header[at]) == std::string_view::npos) {
        parameter += header[at];
      }
    }
    const size_t equals = std::min(parameter.find('='), parameter.size());
    parameters.emplace(to_lower(parameter.substr(0, equals)),
                       parameter.substr(std::min(equals + 1, parameter.size())));
  }
  return parameters;
}

/// Of a part of a form.
Parameters disposition_parameters(std::string_view headers) {
  constexpr std::string_view kName = "content-disposition:";
  while (!headers.empty()) {
    const auto line = headers.substr(0, headers.find("\r\n"));
    if (to_lower(line.substr(0, kName.size())) == kName) return header_parameters(line);
    headers.remove_prefix(std::min(headers.size(), line.size() + 2));
  }
  return {};
}

/// filename*=UTF-8''a%C3%A4.txt (RFC 8187) or, without it, filename.
std::string file_name_of(Parameters& disposition) {
  constexpr std::string_view kCharset = "utf-8'";
  const auto& encoded = disposition["filename*"];
  const auto language_end = encoded.find('\'', kCharset.size());
  const bool is_utf8 = to_lower(encoded.substr(0, kCharset.size())) == kCharset;
  if (!is_utf8 || language_end == std::string::npos) return disposition["filename"];
  return percent_decoded(encoded.substr(language_end + 1));
}

/// RFC 7578: parts separated by lines of "--" and the boundary; each has headers, an empty line and
/// a value.
Json parse_multipart(const std::string& content_type, const std::string& body,
                     std::map<std::string, NamedFile>& files) {
  const auto boundary = header_parameters(content_type)["boundary"];
  const auto delimiter = "\r\n--" + boundary;
  const auto text = "\r\n" + body;
  Json values = Json::object();
  size_t begin = boundary.empty() ? std::string::npos : text.find(delimiter);
  while (begin != std::string::npos && text.compare(begin + delimiter.size(), 2, "--") != 0) {
    begin += delimiter.size();
    const size_t end = text.find(delimiter, begin);
    const size_t value = text.find("\r\n\r\n", begin);
    auto headers = text.substr(begin, value - begin);
    for (const char* fold : {"\r\n ", "\r\n\t"}) replace_all(headers, fold, " ");
    auto disposition = disposition_parameters(headers);
    const auto name = disposition["name"];
    if (end == std::string::npos || value >= end || name.empty()) {
      begin = std::string::npos;
      break;
    }
    require_utf8_form(headers);
    auto content = text.substr(value + 4, end - value - 4);
    if (disposition.count("filename") + disposition.count("filename*") > 0) {
      files[name] = {file_name_of(disposition), std::move(content)};
    } else {
      require_utf8_form(content);
      add_value(values, name, content);
    }
    begin = end;
  }
  if (begin == std::string::npos) throw InvalidRequest("malformed multipart form");
  return values;
}

/// Copying a value recurses as deeply as it is nested.
bool require_shallow(int depth, Json::parse_event_t, Json&) {
  constexpr int kMaxDepth = 8;
  if (depth > kMaxDepth) throw InvalidRequest("the JSON is nested too deeply");
  return true;
}

Json parse_object(const std::string& body) try {
  auto values = parse_json(body, require_shallow);
  if (!values.is_object()) throw InvalidRequest("the body must be a JSON object");
  return values;
} catch (const Json::parse_error& error) {
  if (find_invalid_utf8(body)) throw InvalidRequest("the JSON is not UTF-8");
  const bool is_half = std::string(error.what()).find("surrogate") != std::string::npos;
  throw InvalidRequest(std::string(is_half ? "half of a character, such as \\ud83d" : "not JSON") +
                       ", at byte " + std::to_string(error.byte));
} catch (const Json::exception&) {
  throw InvalidRequest("a number in the JSON is out of range");
}

/// Of a text, or of the texts of a list.
size_t characters_of(const Json& value) {
  if (value.is_string()) return to_code_points(value.get_ref<const std::string&>()).size();
  if (!value.is_array()) return 0;
  return std::accumulate(value.begin(), value.end(), size_t{0},
                         [](size_t sum, const Json& text) { return sum + characters_of(text); });
}

}  // namespace

ApiRequest ApiRequest::parse(const std::string& content_type, const std::string& body) {
  ApiRequest request;
  const auto lower_type = to_lower(content_type);
  const auto is = [&](const char* type) { return begins_with(lower_type, type); };
  if (is("multipart/form-data")) {
    request.form_ = true;
    request.values_ = parse_multipart(content_type, body, request.files_);
  } else if (is("application/x-www-form-urlencoded") && body.rfind('{', 0) != 0) {
    request.form_ = true;
    request.values_ = parse_form(body);
  } else if (!body.empty()) {  // curl -d labels JSON as a form
    request.values_ = parse_object(body);
  }
  return request;
}

bool ApiRequest::has(const std::string& name) const {
  read_.insert(name);
  const auto found = values_.find(name);
  return found != values_.end() && !found->is_null();
}

bool ApiRequest::has_content(const std::string& name) const {
  return has(name) && values_.at(name) != "" && values_.at(name) != Json::array();
}

std::string ApiRequest::text(const std::string& name, const std::string& otherwise) const {
  if (!has(name)) return otherwise;
  if (!values_.at(name).is_string()) refuse_value(name, "a string");
  return values_.at(name).get<std::string>();
}

std::string ApiRequest::required_text(const std::string& name) const {
  if (!has(name)) throw InvalidRequest("missing " + name + " parameter");
  return text(name, "");
}

int64_t ApiRequest::integer(const std::string& name, int64_t otherwise, int64_t least,
                            int64_t most) const {
  const double value = number(name, static_cast<double>(otherwise));
  const bool within = value >= static_cast<double>(least) && value <= static_cast<double>(most);
  if (!within || value != static_cast<double>(static_cast<int64_t>(value))) {
    refuse_value(name,
                 "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<int64_t>(value);
}

double ApiRequest::number(const std::string& name, double otherwise) const {
  if (!has(name)) return otherwise;
  const auto& value = values_.at(name);
  if (value.is_number()) return value.get<double>();
  const auto read =
      value.is_string() ? parse_number<double>(value.get<std::string>()) : std::nullopt;
  if (!read) refuse_value(name, "a number");
  return *read;
}

bool ApiRequest::flag(const std::string& name, bool otherwise) const {
  if (!has(name)) return otherwise;
  const auto& value = values_.at(name);
  if (value.is_boolean()) return value.get<bool>();
  if (form_ && (value == "true" || value == "1")) return true;
  if (form_ && (value == "false" || value == "0")) return false;
  refuse_value(name, "true or false");
}

bool ApiRequest::is_list(const std::string& name) const {
  return has(name) && values_.at(name).is_array();
}

std::vector<std::string> ApiRequest::texts(const std::string& name) const {
  if (!is_list(name)) return {required_text(name)};
  std::vector<std::string> texts;
  for (const auto& value : values_.at(name)) {
    if (!value.is_string()) refuse_value(name, "a string or a list of strings");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

size_t ApiRequest::longest_list() const {
  size_t longest = 0;
  for (const auto& value : values_) {
    if (value.is_array()) longest = std::max(longest, value.size());
  }
  return longest;
}

const NamedFile& ApiRequest::required_file(const std::string& name) const {
  const auto found = files_.find(name);
  if (found != files_.end()) return found->second;
  throw InvalidRequest("missing " + name + " parameter, a file");
}

int64_t ApiRequest::characters(std::initializer_list<const char*> names) const {
  size_t sum = 0;
  for (const char* name : names) {
    const auto found = values_.find(name);
    if (found != values_.end()) sum += characters_of(*found);
  }
  return static_cast<int64_t>(sum);
}

void ApiRequest::require_all_read() const {
  const std::vector<std::string> known(read_.begin(), read_.end());
  for (const auto& [name, value] : values_.items()) {
    if (read_.count(name) > 0) continue;
    throw InvalidRequest("unknown field " + name + suggestion(name, known));
  }
}

}  // namespace nmt
