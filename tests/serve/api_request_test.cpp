#include "serve/api_request.h"

#include "http/http_message.h"
#include "support/catch.h"

namespace nmt {
namespace {

ApiRequest json(const std::string& body) { return ApiRequest::parse("application/json", body); }
ApiRequest form(const std::string& body) {
  return ApiRequest::parse("application/x-www-form-urlencoded", body);
}

}  // namespace

TEST_CASE("JSON and forms give the same values", "[serve]") {
  for (const auto& request : {json(R"({"q": "가 b", "n": 3, "on": true, "nothing": null})"),
                              form("q=%EA%B0%80+b&n=3&on=true")}) {
    REQUIRE(request.required_text("q") == "가 b");
    REQUIRE(request.integer("n", 1, 1, 5) == 3);
    REQUIRE(request.flag("on", false));
    REQUIRE_FALSE(request.has("nothing"));
    REQUIRE(request.text("other", "x") == "x");
  }
  REQUIRE(form("q=a&q=b").texts("q") == std::vector<std::string>{"a", "b"});
  REQUIRE(form("q=a&q=b&r=c&r=d&r=e").longest_list() == 3);
  REQUIRE(json(R"({"q": "a", "constraints": ["", ""]})").longest_list() == 2);
  REQUIRE(json("{}").longest_list() == 0);
  REQUIRE(form("q=100%&r=%4").text("q", "") == "100%");
  for (const std::string type : {"", "application/json", "application/x-www-form-urlencoded"}) {
    REQUIRE_FALSE(ApiRequest::parse(type, "").has("q"));
  }
}

TEST_CASE("A request that is not one is a client's mistake", "[serve]") {
  for (const std::string body : {" ", "x", "[]", "1", "{\"q\": ", "{\"q\": \"\xFF\"}",
                                 "{\"n\": 1e999}", "{\"q\": \"a\"} x"}) {
    INFO(body);
    REQUIRE_THROWS_AS(json(body), HttpError);
  }
  REQUIRE_THROWS_AS(form("q=%FF"), HttpError);
  const std::string brackets(500000, '[');
  REQUIRE_THROWS_AS(json(brackets), HttpError);
  REQUIRE_THROWS_AS(json("{\"q\": " + brackets + std::string(brackets.size(), ']') + "}"),
                    HttpError);
}

TEST_CASE("A value of the wrong kind is refused", "[serve]") {
  const auto request = json(R"({"q": 1, "n": 1.5, "big": 1e300, "flag": "yes", "list": ["a", 1]})");
  REQUIRE_THROWS_AS(request.text("q", ""), HttpError);
  REQUIRE_THROWS_AS(request.integer("n", 1, 1, 5), HttpError);
  REQUIRE_THROWS_AS(request.integer("big", 1, 1, 5), HttpError);
  REQUIRE_THROWS_AS(request.flag("flag", false), HttpError);
  REQUIRE_THROWS_AS(request.texts("list"), HttpError);
  REQUIRE_THROWS_AS(request.required_text("missing"), HttpError);
}

TEST_CASE("A multipart form gives its values", "[serve]") {
  const std::string type = "multipart/form-data; boundary=\"a b\"";
  const std::string part = "\r\n--a b\r\nContent-Disposition: form-data; name=\"q\"";
  const auto request = ApiRequest::parse(
      type, "preamble" + part + "\r\n\r\n가 b\r\nc" +
                "\r\n--a b\r\nContent-Disposition: form-data; name=n\r\n" +
                "Content-Type: text/plain\r\n\r\n3\r\n--a b\r\nContent-Disposition: form-data; " +
                "filename=\"q.zip\"; name=\"f\"\r\n\r\n\xFF\r\n--a b--\r\nepilogue");
  REQUIRE(request.required_text("q") == "가 b\r\nc");
  REQUIRE(request.integer("n", 1, 1, 5) == 3);
  REQUIRE(request.required_file("f").name == "q.zip");
  REQUIRE(request.required_file("f").content == "\xFF");
  REQUIRE_THROWS_AS(request.required_file("q"), HttpError);
  REQUIRE(ApiRequest::parse(type, "--a b--").has("q") == false);
  for (const std::string& body :
       {std::string(), std::string("--a b"), part, part + "\r\n\r\nx", part + "\r\n--a b--",
        std::string("--a b\r\n\r\nno name\r\n--a b--"), part + "\r\n\r\n\xFF\r\n--a b--"}) {
    INFO(body);
    REQUIRE_THROWS_AS(ApiRequest::parse(type, body), HttpError);
  }
  REQUIRE_THROWS_AS(ApiRequest::parse("multipart/form-data", part + "\r\n\r\nx"), HttpError);
}

TEST_CASE("Names of fields and files are read as programs write them", "[serve]") {
  const auto name_of = [](const std::string& headers) {
    const auto request = ApiRequest::parse("multipart/form-data; boundary=x",
                                           "--x\r\n" + headers + "\r\n\r\ncontent\r\n--x--\r\n");
    REQUIRE(request.required_file("file").content == "content");
    return request.required_file("file").name;
  };
  const std::string disposition = "Content-Disposition: form-data; ";
  CHECK(name_of(disposition + R"(name=file; filename="=?utf-8?B?YsOkci50eHQ=?="; )"
                              "filename*=utf-8''b%C3%A4r+1.txt") == "bär+1.txt");
  CHECK(name_of(disposition + R"(name="file"; filename*="UTF-8'de'a%C3%A4.txt")") == "aä.txt");
  CHECK(name_of(disposition + R"(name="file"; filename="a.txt"; filename*=latin1''%E4.txt)") ==
        "a.txt");
  CHECK(name_of(disposition + R"(name="file"; filename*=UTF-8)").empty());
  CHECK(name_of(disposition + R"(name="file"; filename="Der \"Hund\".txt")") == "Der \"Hund\".txt");
  CHECK(name_of(disposition + R"(name="file"; filename="C:\a\\b; name=c.txt")") ==
        R"(C:\a\b; name=c.txt)");
  CHECK(name_of(disposition + R"(filename="my name=1.txt"; name="file")") == "my name=1.txt");
  CHECK(name_of(disposition + "filename=à.txt;x;\r\n name=file") == "à.txt");  // folded
  CHECK(name_of("Content-Type: text/plain; name=\"a.txt\"\r\n"
                "content-disposition:form-data;NAME=\"file\";FileName=\"a.txt\"") == "a.txt");
  for (const std::string headers :
       {"Content-Type: text/plain; name=file; filename=a.txt",
        "Content-Disposition: form-data; name=file; filename*=UTF-8''%E4.txt"}) {
    INFO(headers);
    CHECK_THROWS_AS(name_of(headers), HttpError);
  }
}

TEST_CASE("The case of a content type does not matter", "[serve]") {
  CHECK(ApiRequest::parse("Application/X-WWW-Form-Urlencoded", "q=a").text("q", "") == "a");
  const auto request = ApiRequest::parse(
      "Multipart/Form-Data; Boundary=aB",
      "--aB\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\na\r\n--aB--\r\n");
  CHECK(request.text("q", "") == "a");
}

TEST_CASE("Null and empty texts and lists have no content", "[serve]") {
  const auto request = json(R"({"null": null, "text": "", "list": [], "no": false, "some": [""]})");
  for (const char* name : {"null", "text", "list", "other"}) CHECK_FALSE(request.has_content(name));
  for (const char* name : {"no", "some"}) CHECK(request.has_content(name));
}

TEST_CASE("JSON in another encoding is refused as such", "[serve]") {
  REQUIRE_THROWS_WITH(json("{\"q\":\"T\xfcr\"}"), "Invalid request: the JSON is not UTF-8");
}

TEST_CASE("A field that nobody reads is refused with the nearest name", "[serve]") {
  const auto request = json(R"({"q": "a", "beam_sise": 3})");
  request.required_text("q");
  request.integer("beam_size", 5, 1, 16);
  REQUIRE_THROWS_WITH(request.require_all_read(),
                      "Invalid request: unknown field beam_sise (did you mean beam_size?)");
}

}  // namespace nmt
