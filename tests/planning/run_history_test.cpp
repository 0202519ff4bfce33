#include "planning/run_history.h"

#include <cmath>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("A history has the training's lines and the validations'", "[report]") {
  const auto history = parse_history(
      R"({"type":"train","update":50,"seconds":1.5,"loss":4,"learning_rate":0.1})"
      "\n"
      R"({"type":"validation","update":60,"epoch":2,"bleu":3.5,"best":true,"samples":[{"line":7,)"
      R"("source":"s","translation":"t","reference":"r"}]})"
      "\n",
      "metrics");
  REQUIRE(history.training.size() == 1);
  CHECK(history.training[0].update == 50);
  CHECK(history.training[0].loss == 4);
  CHECK(std::isnan(history.training[0].gradient_norm));
  REQUIRE(history.validations.size() == 1);
  CHECK(history.validations[0].best);
  CHECK(history.validations[0].bleu == 3.5);
  REQUIRE(history.validations[0].samples.size() == 1);
  CHECK(history.validations[0].samples[0].translation == "t");
}

TEST_CASE("A loss that was not finite is not a number", "[report]") {
  const auto history =
      parse_history("{\"type\":\"train\",\"update\":1,\"loss\":null}\n", "metrics");
  CHECK(std::isnan(history.training[0].loss));
}

TEST_CASE("A last line that is still being written is left out", "[report]") {
  const auto history =
      parse_history("{\"type\":\"train\",\"update\":1}\n{\"type\":\"tra", "metrics");
  CHECK(history.training.size() == 1);
  CHECK(parse_history("", "metrics").training.empty());
}

TEST_CASE("A line that is no line of metrics is named", "[report]") {
  const auto problem = [](const std::string& line) {
    return error_of([&] { parse_history("{\"type\":\"other\"}\n" + line + "\n", "m.jsonl"); });
  };
  for (const char* line : {"nonsense", "[1]", "{}", "{\"type\":\"train\"}", "{\"type\":3}",
                           "{\"type\":\"validation\",\"update\":1,\"samples\":[{}]}",
                           "{\"type\":\"validation\",\"update\":1,\"samples\":3}"}) {
    INFO(line);
    CHECK(contains(problem(line), "m.jsonl: line 2: not written by nmt train"));
  }
  const auto nested = std::string(300000, '[') + std::string(300000, ']');
  CHECK(contains(problem("{\"type\":\"validation\",\"update\":1,\"samples\":" + nested + "}"),
                 "line 2: not written by nmt train"));
}

}  // namespace nmt
