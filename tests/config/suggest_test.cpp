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

}  // namespace nmt
