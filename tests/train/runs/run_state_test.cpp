#include "train/runs/run_state.h"

#include <ATen/ATen.h>

#include "checkpoint/safetensors.h"
#include "files/file.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "train/runs/run_record.h"

namespace nmt {
namespace {

RunFingerprint some_origin() {
  RunFingerprint fingerprint;
  fingerprint.threads = 2;
  fingerprint.program = "nmt 1";
  fingerprint.content = {{"training source text", std::string(64, 'a')},
                         {"source vocabulary", std::string(64, 'b')}};
  return fingerprint;
}

std::map<std::string, std::string> metadata_of(const RunRecord& record) {
  std::map<std::string, std::string> metadata;
  write_run_record(record, metadata);
  return metadata;
}

}  // namespace

TEST_CASE("A training state reads back as it was written", "[train]") {
  const TemporaryFolder folder;
  RunState state;
  state.progress = {{"update", 7}, {"loss_sum", 0.1 + 0.2}, {"finish", ""}};
  state.tensors.tensors = {{"weights.x", torch::arange(6).reshape({2, 3})}};
  write_run_state(folder / "state", state);
  const auto found = read_run_state(folder / "state");
  REQUIRE(found.progress == state.progress);
  REQUIRE(torch::equal(found.tensors.at("weights.x"), state.tensors.tensors[0].tensor));
  REQUIRE(finish_of(found).empty());
}

TEST_CASE("What is no training state is refused in one line", "[train]") {
  const TemporaryFolder folder;
  const auto refusal = [&](std::map<std::string, std::string> metadata) {
    write_safetensors(folder / "state", {std::move(metadata), {}, ""});
    return error_of([&] { read_run_state(folder / "state"); });
  };
  REQUIRE(contains(refusal({}), "not a 'training state 2'"));
  REQUIRE(contains(refusal({{"content", "training state 3"}}), "not a 'training"));
  REQUIRE(contains(refusal({{"content", "training state 2"}, {"origin", "{"}}),
                   "incomplete training state"));
  folder.write("state", read_file(folder / "state").substr(0, 100));
  REQUIRE(contains(error_of([&] { read_run_state(folder / "state"); }),
                   "; use --restart to back up the directory and start over"));
}

TEST_CASE("A run of other settings or texts is refused with what differs", "[train]") {
  const auto before = some_origin();
  auto now = before;
  REQUIRE_NOTHROW(require_same_fingerprint("model", before, now, false));
  now.settings.train.max_epochs = 99;
  now.settings.data.train_source = {"elsewhere"};
  now.threads = 4;
  REQUIRE_NOTHROW(require_same_fingerprint("model", before, now, false));
  now.settings.train.learning_rate = 0.5;
  now.settings.validation.interval = 3;
  REQUIRE(contains(error_of([&] { require_same_fingerprint("model", before, now, false); }),
                   "train.learning_rate 0.001 → 0.5; validation.interval 0 → 3;"));
  REQUIRE_NOTHROW(require_same_fingerprint("model", before, now, true));
  now.content["training source text"] = std::string(64, 'c');
  REQUIRE(contains(error_of([&] { require_same_fingerprint("model", before, now, false); }),
                   "the training source text (SHA-256) aaaaaaaaaaaa → cccccccccccc;"));
  now.settings.data.train_source = {"elsewhere.gz"};
  const auto refused = error_of([&] { require_same_fingerprint("model", before, now, false); });
  REQUIRE(contains(refused, "aaaaaaaaaaaa → cccccccccccc (compressed file);"));
  REQUIRE(refused.rfind("model: this run was started with other settings or texts: ", 0) == 0);
  REQUIRE_NOTHROW(require_same_fingerprint("model", before, now, true));
  now.content["source vocabulary"] = std::string(64, 'd');
  REQUIRE(contains(error_of([&] { require_same_fingerprint("model", before, now, true); }),
                   "cannot change"));
}

TEST_CASE("A limit on which the linear learning rate depends makes another run", "[train]") {
  auto before = some_origin();
  before.settings.train.schedule = ScheduleKind::kLinear;
  before.settings.train.max_updates = 100;
  auto now = before;
  now.settings.train.max_updates = 150;
  REQUIRE(
      contains(error_of([&] { require_same_fingerprint("model", before, now, false); }),
               "train.max_updates 100 → 150 (on which the linear learning rate depends); undo"));
  REQUIRE_NOTHROW(require_same_fingerprint("model", before, now, true));
}

TEST_CASE("A finished run says what makes it continue", "[train]") {
  Settings settings;
  settings.train.max_updates = 100;
  const auto how = [&](const char* limit) {
    return how_to_continue("my model", std::string("max_") + limit + " reached", settings);
  };
  const std::string run = "; for twice the training, run: nmt train --resume -m 'my model'";
  CHECK(how("updates") ==
        "raise --train.max-updates to continue" + run + " --train.max-updates 200");
  settings.validation.patience = 5;
  CHECK(how_to_continue("m", "bleu did not improve in 5 validations", settings) ==
        "raise --validation.patience to continue; for twice the training, run: nmt train --resume "
        "-m m --validation.patience 10");
  settings.train.schedule = ScheduleKind::kLinear;
  settings.train.max_epochs = 3;
  const auto accepting =
      " to continue, with --accept-changes because the linear learning rate depends on when the "
      "run ends" +
      run;
  CHECK(how("epochs") ==
        "raise --train.max-epochs" + accepting + " --train.max-epochs 6 --accept-changes");
  settings.train.max_minutes = 2.5;
  CHECK(how("minutes") == "raise --minutes to continue" + run + " --minutes 5");
  CHECK(how("updates") == "raise --minutes and --train.max-updates" + accepting +
                              " --minutes 5 --train.max-updates 200 --accept-changes");
  settings.model.architecture = Architecture::kLanguageModel;
  CHECK(contains(how("minutes"), "run: nmt lm train --resume"));
}

TEST_CASE("Changed settings of the network alone are refused, before all others", "[train]") {
  const auto before = some_origin();
  auto now = before.settings;
  now.train.learning_rate = 0.5;
  REQUIRE_NOTHROW(require_same_network("model", before, now));
  now.model.hidden_size = 64;
  REQUIRE(contains(error_of([&] { require_same_network("model", before, now); }),
                   "model: cannot change within a run: model.hidden_size 512 → 64; undo it"));
}

TEST_CASE("An origin reads back as it was written", "[train]") {
  RunRecord record{some_origin(), nlohmann::json::object()};
  record.fingerprint.settings.train.learning_rate = 0.3;
  const auto metadata = metadata_of(record);
  const auto found = parse_run_record(metadata, "state");
  REQUIRE(metadata_of(found) == metadata);
  REQUIRE(found.fingerprint.settings.train.learning_rate == 0.3);
}

TEST_CASE("A part of a training state of another type is refused in one line", "[train]") {
  using Json = nlohmann::json;
  const auto parse = [](const Json& progress) {
    return parse_run_record(metadata_of({some_origin(), progress}), "state");
  };
  const auto refused = [&](const Json& progress) {
    const auto error = error_of([&] { parse(progress); });
    return contains(error, "state: incomplete training state; use --restart to start over");
  };
  const Json none = {{"best", Json::array()}, {"latest", Json::array()}};
  CHECK_NOTHROW(parse({{"finish", "max_updates reached"}, {"update", 7}, {"checkpoints", none}}));
  CHECK(refused({{"finish", 3}}));
  CHECK(refused({{"update", -1}}));
  CHECK(refused({{"metrics_bytes", 1.5}}));
  CHECK(refused({{"bucket", uint64_t{1} << 63}}));
  CHECK(refused({{"seconds", -0.5}}));
  CHECK(refused({{"seconds", 1e300}}));
  Json plan = {{"seconds", 60.0},
               {"validation", 0.5},
               {"next_review", 3.75},
               {"reviewed_seconds", 0.0},
               {"reviewed_updates", 0}};
  CHECK_NOTHROW(parse({{"time_plan", plan}}));
  CHECK_NOTHROW(parse({{"time_plan", nullptr}}));
  plan["reviewed_seconds"] = 4.5;  // of a slow first update
  CHECK_NOTHROW(parse({{"time_plan", plan}}));
  plan["next_review"] = 0.0;  // would be doubled for ever
  CHECK(refused({{"time_plan", plan}}));
  CHECK(refused({{"time_plan", 3}}));
  CHECK(refused({{"checkpoints", {{"best", Json::array()}}}}));
  CHECK(refused({{"checkpoints", {{"best", {7}}, {"latest", Json::array()}}}}));
  CHECK(refused(Json::array({1})));

  auto metadata = metadata_of({some_origin(), Json::object()});
  auto origin = Json::parse(metadata["origin"]);
  origin["threads"] = "two";
  metadata["origin"] = origin.dump();
  CHECK(contains(error_of([&] { parse_run_record(metadata, "state"); }), "incomplete"));
}

}  // namespace nmt
