#include "serve/api_request.h"

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
  REQUIRE(form("q=100%&r=%4").text("q", "") == "100%");
}

TEST_CASE("A request that is not one is a client's mistake", "[serve]") {
  for (const std::string body : {"", "x", "[]", "1", "{\"q\": ", "{\"q\": \"\xFF\"}",
                                 "{\"n\": 1e999}", "{\"q\": \"a\"} x"}) {
    INFO(body);
    REQUIRE_THROWS_AS(json(body), ApiError);
  }
  REQUIRE_THROWS_AS(form("q=%FF"), ApiError);
  REQUIRE_THROWS_AS(ApiRequest::parse("multipart/form-data; boundary=x", "--x"), ApiError);
  REQUIRE_THROWS_AS(json(std::string(100000, '[')), ApiError);
}

TEST_CASE("A value of the wrong kind is refused", "[serve]") {
  const auto request = json(R"({"q": 1, "n": 1.5, "big": 1e300, "flag": "yes", "list": ["a", 1]})");
  REQUIRE_THROWS_AS(request.text("q", ""), ApiError);
  REQUIRE_THROWS_AS(request.integer("n", 1, 1, 5), ApiError);
  REQUIRE_THROWS_AS(request.integer("big", 1, 1, 5), ApiError);
  REQUIRE_THROWS_AS(request.flag("flag", false), ApiError);
  REQUIRE_THROWS_AS(request.texts("list"), ApiError);
  REQUIRE_THROWS_AS(request.required_text("missing"), ApiError);
}

}  // namespace nmt
