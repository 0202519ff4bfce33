#include "config/suggest.h"

#include "support/catch.h"

namespace nmt {

TEST_CASE("The nearest name is suggested, and none when nothing is near", "[config]") {
  const std::vector<std::string> known = {"hidden_size", "embedding_size", "dropout"};
  REQUIRE(nearest_name("hiden_size", known) == "hidden_size");
  REQUIRE(nearest_name("dropuot", known) == "dropout");
  REQUIRE(nearest_name("zzz", known).empty());
  REQUIRE(suggestion("droput", known) == " (did you mean dropout?)");
  REQUIRE(suggestion("quite another", known).empty());
}

TEST_CASE("A key is near in another section, or without one", "[config]") {
  const std::vector<std::string> known = {"model.dropout", "train.seed", "data.batch_size"};
  REQUIRE(nearest_name("train.dropout", known) == "model.dropout");
  REQUIRE(nearest_name("batch_size", known) == "data.batch_size");
  REQUIRE(nearest_name("train.sed", known) == "train.seed");
}

TEST_CASE("Names of quite another length are not compared", "[config]") {
  // By a full table of edit distances this would take an hour.
  REQUIRE(nearest_name(std::string(4 << 20, 'x'), {std::string(1 << 20, 'y')}).empty());
  REQUIRE(nearest_name("s." + std::string(4 << 20, 'x'), {std::string(1 << 20, 'y')}).empty());
  REQUIRE(nearest_name("dropout", {"dropo", "model.dropout"}) == "model.dropout");
}

}  // namespace nmt
