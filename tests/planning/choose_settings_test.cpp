#include "planning/choose_settings.h"

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "config/settings_io.h"
#include "config/validate.h"
#include "data/hold_out.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

constexpr TrainingMachine kMachine{2, 3e10, false};

SideProfile side(double words, int64_t frequent, int64_t characters, Script script) {
  return {words, frequent, characters, script, {}};
}

// Statistics of real corpora, by size: a fiftieth of Multi30k, Multi30k, Korean and English,
// Tatoeba English-French and English-German.
std::vector<CorpusProfile> five_corpora() {
  const auto latin = Script::kLatin;
  return {{580, side(5788, 145, 60, latin), side(5515, 141, 69, latin), 283, 70},
          {29000, side(345020, 3996, 80, latin), side(322383, 4114, 99, latin), 8050, 100},
          {36617, side(478342, 12021, 1541, Script::kHangul), side(758757, 9349, 117, latin), 21300,
           1600},
          {158444, side(973316, 8952, 91, latin), side(1059142, 11731, 112, latin), 20600, 115},
          {162039, side(1044745, 9572, 92, latin), side(1050258, 12972, 120, latin), 22500, 125}};
}

Settings chosen(const CorpusProfile& corpus, double minutes = 0,
                const TrainingMachine& machine = kMachine) {
  auto settings = automatic_settings();
  settings.train.max_minutes = minutes;
  return choose_settings(settings, corpus, machine).settings;
}

}  // namespace

TEST_CASE("Choices are valid, and networks grow with the corpus", "[planning]") {
  Settings smaller;
  smaller.model.hidden_size = 0;
  smaller.vocab.source_size = 0;
  for (const auto& corpus : five_corpora()) {
    INFO(corpus.pairs << " pairs");
    const auto settings = chosen(corpus);
    REQUIRE_NOTHROW(validate(settings));
    CHECK(settings.automatic.empty());
    CHECK(settings.model.hidden_size >= smaller.model.hidden_size);
    CHECK(settings.vocab.source_size >= smaller.vocab.source_size);
    if (corpus.pairs > 29000) CHECK(settings.model.dropout <= smaller.model.dropout);
    CHECK(settings.train.max_epochs > 0);
    CHECK(settings.validation.patience > 0);
    CHECK(to_yaml(settings, false) == to_yaml(chosen(corpus), false));
    for (const auto& change : changed_settings(Settings(), settings)) {
      CHECK(reason_without_effect(settings, change.name) == "");
    }
    smaller = settings;
  }
  CorpusProfile huge = five_corpora().back();
  for (auto* text : {&huge.source, &huge.target}) text->words *= 1e4;
  REQUIRE_NOTHROW(validate(chosen(huge)));
  REQUIRE_NOTHROW(validate(chosen(CorpusProfile())));
}

TEST_CASE("One vocabulary serves both languages where they share a script", "[planning]") {
  const auto corpora = five_corpora();
  const auto german = chosen(corpora[1]);
  CHECK(german.vocab.joint);
  CHECK(german.model.tied_embeddings == TiedEmbeddings::kAll);
  const auto korean = chosen(corpora[2]);
  CHECK_FALSE(korean.vocab.joint);
  CHECK(korean.model.tied_embeddings == TiedEmbeddings::kTarget);
  CHECK(korean.vocab.source_size > corpora[2].source.characters);
}

TEST_CASE("A side without spaces gets the pieces that the other side's words would get",
          "[planning]") {
  // 1,500 pairs of Multi30k; half of the Thai characters count as words.
  CorpusProfile corpus{1500, side(17800, 447, 60, Script::kLatin),
                       side(47700, 40, 60, Script::kThai)};
  CHECK(chosen(corpus).vocab.target_size == 1000);
  corpus.source.frequent_words = 3000;
  CHECK(chosen(corpus).vocab.target_size == 2000);
  corpus.target.characters = 2000;
  CHECK(chosen(corpus).vocab.target_size == 3000);
  // Of two such sides, the frequent words are unknown.
  corpus.source.script = Script::kHan;
  corpus.target.characters = 60;
  CHECK(chosen(corpus).vocab.target_size == 3000);
}

TEST_CASE("A target whose characters nmt_nfkc would change is written as its texts are",
          "[planning]") {
  auto corpus = five_corpora()[2];
  const auto choice_with = [&](const std::string& name, const std::string& value) {
    auto settings = automatic_settings();
    if (!name.empty()) set_setting(settings, name, value);
    const auto choice = choose_settings(settings, corpus, kMachine);
    REQUIRE_NOTHROW(validate(choice.settings));
    REQUIRE_FALSE(choice.reasons.empty());
    CHECK(contains(choice.reasons[0], "  target_normalization identity (nmt_nfkc would") ==
          (choice.settings.vocab.target_normalization == TargetNormalization::kIdentity &&
           name != "vocab.target_normalization"));
    return choice.settings.vocab;
  };
  const auto chosen_for = [&](Script script) {
    corpus.target.script = script;
    const auto vocab = choice_with("", "");
    CHECK(vocab.normalization == UnicodeNormalization::kNmtNfkc);
    return vocab.target_normalization;
  };
  for (const auto script : {Script::kHan, Script::kThai, Script::kSoutheast, Script::kArabic}) {
    CHECK(chosen_for(script) == TargetNormalization::kIdentity);
  }
  for (const auto script : {Script::kLatin, Script::kCyrillic, Script::kHangul}) {
    CHECK(chosen_for(script) == TargetNormalization::kSame);
  }
  corpus.target.non_joiners = true;
  CHECK(chosen_for(Script::kDevanagari) == TargetNormalization::kIdentity);
  corpus.target.non_joiners = false;
  CHECK(chosen_for(Script::kDevanagari) == TargetNormalization::kSame);
  corpus.target.script = Script::kHan;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"vocab.joint", "true"},
                                                        {"vocab.normalization", "nfkc_cf"},
                                                        {"vocab.target_model", "ready.model"},
                                                        {"vocab.target_normalization", "same"}}) {
    CHECK(choice_with(name, value).target_normalization == TargetNormalization::kSame);
  }
  CHECK(choice_with("vocab.source_model", "ready.model").target_normalization ==
        TargetNormalization::kIdentity);
  CHECK(choice_with("vocab.target_normalization", "nfkc").target_normalization ==
        TargetNormalization::kNfkc);
  corpus.source.script = Script::kHan;
  CHECK(choice_with("", "").target_normalization == TargetNormalization::kSame);
  // Of German and Chinese, German has most of the letters.
  corpus.source.script = corpus.target.script = Script::kLatin;
  corpus.target.scripts = {Script::kLatin, Script::kHan};
  CHECK(choice_with("", "").target_normalization == TargetNormalization::kIdentity);
  CHECK_FALSE(choice_with("", "").joint);
}

TEST_CASE("What was given is kept, and the rest chosen to go with it", "[planning]") {
  const auto corpus = five_corpora()[1];
  const auto given = [&](const std::vector<std::pair<std::string, std::string>>& values,
                         double minutes = 0) {
    auto settings = automatic_settings();
    settings.train.max_minutes = minutes;
    for (const auto& [name, value] : values) set_setting(settings, name, value);
    const auto choice = choose_settings(settings, corpus, kMachine).settings;
    REQUIRE_NOTHROW(validate(choice));
    for (const auto& setting : describe_settings(choice)) {
      for (const auto& [name, value] : values) {
        if (name == setting.section + "." + setting.key) CHECK(setting.value == value);
      }
    }
    return choice;
  };
  // Each setting by itself, with another value than the chosen one.
  const auto usual = describe_settings(chosen(corpus));
  const auto fixed = describe_settings();
  for (size_t i = 0; i < usual.size(); ++i) {
    if (usual[i].value == fixed[i].value) continue;
    const auto name = usual[i].section + "." + usual[i].key;
    INFO(name);
    given({{name, fixed[i].value}});
    if (name != "train.max_minutes") given({{name, fixed[i].value}}, 0.01);
  }
  CHECK(given({{"model.embedding_size", "64"}}).model.tied_embeddings == TiedEmbeddings::kNone);
  CHECK(given({{"model.tied_embeddings", "target"}, {"model.embedding_size", "64"}})
            .model.hidden_size == 64);
  CHECK(given({{"vocab.joint", "false"}}).model.tied_embeddings == TiedEmbeddings::kTarget);
  CHECK(given({{"vocab.source_model", "a.model"}, {"vocab.target_model", "b.model"}}).vocab.joint ==
        false);
  CHECK(given({{"model.attention", "multi-head"}, {"model.heads", "6"}}).model.hidden_size % 6 ==
        0);
  given({{"model.architecture", "transformer"}});
  CHECK(given({{"model.architecture", "transformer"}, {"train.max_updates", "300"}})
            .train.warmup_updates == 75);
  CHECK(given({{"train.max_updates", "20"}}).train.max_epochs == 0);
  CHECK(given({{"train.max_updates", "20"}}).train.schedule == ScheduleKind::kLinear);
  CHECK(given({{"train.max_tokens", "90000"}}).train.max_epochs == 0);
  CHECK(given({{"train.max_tokens", "90000"}}).train.schedule == ScheduleKind::kLinear);
  CHECK(given({{"train.max_tokens", "90000"}}).model.dropout < chosen(corpus).model.dropout);
  const auto sized = given({{"model.hidden_size", "512"}}, 0.1);  // less than an epoch
  CHECK(sized.model.dropout < chosen(corpus).model.dropout);
  CHECK(sized.train.warmup_updates < chosen(corpus).train.warmup_updates);
  CHECK(sized.validation.interval > 0);
}

TEST_CASE("Settings that given vocabularies leave without effect are not named as chosen",
          "[planning]") {
  auto settings = automatic_settings();
  set_setting(settings, "vocab.source_model", "a.model");
  set_setting(settings, "vocab.target_model", "b.model");
  const auto reasons = choose_settings(settings, five_corpora()[1], kMachine).reasons;
  REQUIRE(reasons.size() == 2);
  CHECK(contains(reasons[0], "hidden_size"));
  for (const char* name : {"type ", "source_size", "target_size"}) {
    CHECK_FALSE(contains(reasons[0], name));
  }
}

TEST_CASE("The reasons name no epochs where only an estimate of them is known", "[planning]") {
  auto corpus = five_corpora()[1];
  const auto reasons = [&](const std::string& name, const std::string& value) {
    auto settings = automatic_settings();
    set_setting(settings, name, value);
    const auto lines = choose_settings(settings, corpus, kMachine).reasons;
    REQUIRE(lines.size() == 2);
    return lines[0] + "\n" + lines[1] + "\n";
  };
  CHECK(contains(reasons("train.max_epochs", "7"), "  epochs at most 7\n"));
  for (const char* limit : {"train.max_updates", "train.max_tokens", "train.max_minutes"}) {
    CHECK_FALSE(contains(reasons(limit, "60"), "epochs"));
  }
  corpus.pairs = 1;
  CHECK(contains(reasons("train.max_epochs", "7"), "chosen for 1 pair of "));
}

TEST_CASE("Chosen numbers are the ones nearest to few digits", "[planning]") {
  auto settings = automatic_settings();
  settings.automatic.erase("train.max_updates");
  settings.train.max_updates = 500;
  CHECK(choose_settings(settings, five_corpora()[1], kMachine).settings.train.ema_decay == 0.95);
}

TEST_CASE("The learning rate suits the optimizer, and its peak the schedule", "[planning]") {
  const auto chosen_with = [](const auto& change) {
    auto settings = automatic_settings();
    change(settings);
    return choose_settings(settings, five_corpora()[1], kMachine).settings;
  };
  const auto rate_of = [&](OptimizerKind optimizer) {
    return chosen_with([&](Settings& given) { given.train.optimizer = optimizer; })
        .train.learning_rate;
  };
  CHECK(rate_of(OptimizerKind::kAdam) == 3e-3);
  CHECK(rate_of(OptimizerKind::kSgd) == 3.0);
  const auto noam = chosen_with([](Settings& given) {
    given.automatic.erase("train.schedule");
    given.train.schedule = ScheduleKind::kNoam;
  });
  const auto& [model, train] = std::tie(noam.model, noam.train);
  const auto factor = std::sqrt(static_cast<double>(model.hidden_size * train.warmup_updates));
  CHECK(train.learning_rate / factor == Approx(3e-3).epsilon(1e-3));
}

TEST_CASE("A corpus too small for a validation set is trained on to a known end", "[planning]") {
  auto corpus = five_corpora().front();
  corpus.pairs = 100;
  const auto settings = chosen(corpus);
  CHECK(settings.train.schedule == ScheduleKind::kLinear);
  CHECK(settings.train.max_epochs > 0);
  CHECK(settings.validation.patience == 0);
}

TEST_CASE("Few held-out sentences are judged by chrF", "[planning]") {
  const auto corpora = five_corpora();
  CHECK(chosen(corpora[0]).validation.metric == ValidationMetric::kChrf);
  CHECK(chosen(corpora[1]).validation.metric == ValidationMetric::kBleu);
  auto settings = automatic_settings();
  settings.data.valid_source = settings.data.valid_target = "given";
  CHECK(choose_settings(settings, corpora[0], kMachine).settings.validation.metric ==
        ValidationMetric::kBleu);
  settings.validation.metric = ValidationMetric::kLoss;
  settings.automatic.erase("validation.metric");
  CHECK(choose_settings(settings, corpora[0], kMachine).settings.validation.metric ==
        ValidationMetric::kLoss);
}

TEST_CASE("With little time the network is smaller, and training knows its end", "[planning]") {
  for (const auto& corpus : five_corpora()) {
    INFO(corpus.pairs << " pairs");
    auto longer = chosen(corpus);
    for (const double minutes : {1e4, 30.0, 3.0, 0.1, 0.01}) {
      const auto settings = chosen(corpus, minutes);
      REQUIRE_NOTHROW(validate(settings));
      CHECK(settings.model.hidden_size <= longer.model.hidden_size);
      CHECK(settings.model.dropout <= longer.model.dropout);
      CHECK(settings.data.source_subword_sampling <= longer.data.source_subword_sampling);
      CHECK(settings.data.batch_size <= longer.data.batch_size);
      CHECK(settings.vocab.source_size <= longer.vocab.source_size);
      CHECK(settings.train.learning_rate >= longer.train.learning_rate);
      CHECK(settings.train.schedule == ScheduleKind::kLinear);
      CHECK(settings.train.precision == TrainingPrecision::kFloat32);
      // The number of updates is fitted when their cost is known.
      CHECK(settings.automatic.count("train.max_updates") == 1);
      longer = settings;
    }
    CHECK(longer.model.hidden_size == 128);
    CHECK(longer.data.batch_size == std::min<int64_t>(16, chosen(corpus).data.batch_size));
    CHECK(longer.data.target_subword_sampling == 0);
    CHECK(longer.train.learning_rate == 5e-3);
    CHECK(chosen(corpus, 1e4).model.hidden_size == chosen(corpus).model.hidden_size);
    CHECK(chosen(corpus, 1e4).vocab.source_size == chosen(corpus).vocab.source_size);
  }
  CHECK(chosen(five_corpora()[4]).vocab.source_size == 8200);
  CHECK(chosen(five_corpora()[4], 0.01).vocab.source_size == 4100);
  CHECK(chosen(five_corpora()[0], 0.01).vocab.source_size == 1000);  // never fewer
  const TrainingMachine rounding{2, 3e10, true};
  CHECK(chosen(five_corpora()[3], 3, rounding).train.precision == TrainingPrecision::kBfloat16);
  CHECK(chosen(five_corpora()[3], 1e4, rounding).train.precision == TrainingPrecision::kFloat32);
}

TEST_CASE("A run with an end has 40,000 updates if small batches allow it", "[planning]") {
  const auto batch = [](const Settings& given, size_t corpus) {
    return choose_settings(given, five_corpora()[corpus], kMachine).settings.data.batch_size;
  };
  auto given = automatic_settings();
  const auto full = batch(given, 3);
  given.train.max_epochs = 4;  // of 162,039 pairs: 10,000 updates of 64
  given.automatic.erase("train.max_epochs");
  CHECK(full == 64);
  CHECK(batch(given, 3) == 16);
  given.train.max_epochs = 8;
  CHECK(batch(given, 3) == 32);
  given.train.device = "cuda";
  CHECK(batch(given, 3) == 64);
  given.train.device = "cpu";
  given.train.max_updates = 1000;
  given.automatic.erase("train.max_updates");
  CHECK(batch(given, 3) == 64);
}

TEST_CASE("With little time a tenth of it goes into validations", "[planning]") {
  // 1,000 sentences take as long as training on 600.
  const auto settings = chosen(five_corpora()[3], 3);
  CHECK(std::abs(settings.validation.interval * settings.data.batch_size - 6000) < 100);
  auto given = automatic_settings();
  given.automatic.erase("validation.max_sentences");
  given.train.max_minutes = 3;
  given.validation.max_sentences = 0;  // all that will be held out
  const auto all = choose_settings(given, five_corpora()[3], kMachine).settings;
  const auto pairs = 6 * held_out_size(five_corpora()[3].pairs);
  CHECK(std::abs(all.validation.interval * all.data.batch_size - pairs) < 100);
}

TEST_CASE("With much time there are as many validations as without a limit", "[planning]") {
  const auto corpus = five_corpora()[1];  // of 60 epochs
  CHECK(chosen(corpus).validation.interval == 0);
  CHECK(chosen(corpus, 1e4).validation.interval == 0);
}

TEST_CASE("Cells are normalized where the fused engine trains", "[planning]") {
  const auto normalizes = [](const std::string& name, const std::string& value) {
    auto settings = automatic_settings();
    set_setting(settings, name, value);
    const auto choice = choose_settings(settings, five_corpora()[1], kMachine).settings;
    REQUIRE_NOTHROW(validate(choice));
    return choice.model.cell_layer_norm;
  };
  CHECK(normalizes("train.device", "cpu"));
  CHECK(normalizes("model.cell", "lstm"));
  CHECK_FALSE(normalizes("train.device", "cuda"));
  CHECK_FALSE(normalizes("train.engine", "plain"));
  CHECK_FALSE(normalizes("model.architecture", "transformer"));
  CHECK_FALSE(normalizes("model.cell_layer_norm", "false"));
}

TEST_CASE("The speed of the CPU does not decide about a network for a GPU", "[planning]") {
  auto settings = automatic_settings();
  settings.train.max_minutes = 3;
  settings.train.device = "cuda";
  const TrainingMachine rounding{2, 3e10, true};
  const auto on_gpu = choose_settings(settings, five_corpora()[3], rounding).settings;
  const auto unlimited = chosen(five_corpora()[3]);
  CHECK(on_gpu.model.hidden_size == unlimited.model.hidden_size);
  CHECK(on_gpu.model.dropout == unlimited.model.dropout);
  CHECK(on_gpu.train.precision == TrainingPrecision::kFloat32);
}

}  // namespace nmt
