#include <sstream>

#include "config/settings_io.h"
#include "config/validate.h"
#include "support/catch.h"
#include "support/comma_locale.h"
#include "support/expect_error.h"

namespace nmt {

TEST_CASE("Settings are read and written alike in a host program's locale", "[config]") {
  Settings settings;
  settings.model.dropout = 0.125;
  settings.train.max_updates = 1234567;
  settings.data.train_weights = {0.5, 2.25};
  const auto plain = to_yaml(settings, true);
  settings.train.learning_rate = -1.5;
  const auto complaint = error_of([&] { validate(settings); });
  const CommaLocale german;
  if (!german.works()) SKIP("localedef cannot make de_DE.UTF-8 here");
  std::ostringstream proof;
  proof << 1234.5;
  REQUIRE(proof.str() == "1.234,5");
  Settings again;
  apply_yaml(again, plain, "x.yaml");
  REQUIRE(again.model.dropout == 0.125);
  REQUIRE(again.data.train_weights == std::vector<double>{0.5, 2.25});
  REQUIRE(to_yaml(again, true) == plain);
  set_setting(again, "train.learning-rate", "2.5e-4");
  REQUIRE(again.train.learning_rate == 2.5e-4);
  REQUIRE(error_of([&] { validate(settings); }) == complaint);
  REQUIRE(contains(error_of([&] { set_setting(again, "train.momentum", "0,5"); }), "not a number"));
}

}  // namespace nmt
