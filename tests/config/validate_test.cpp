#include "config/validate.h"

#include "config/settings_io.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

std::string problem(const std::string& name, const std::string& value) {
  Settings settings;
  set_setting(settings, name, value);
  return error_of([&] { validate(settings); });
}

}  // namespace

TEST_CASE("The defaults are valid", "[config]") { REQUIRE_NOTHROW(validate(Settings())); }

TEST_CASE("A setting out of range is named with its value and its range", "[config]") {
  REQUIRE(
      problem("model.hidden_size", "257") ==
      "model.hidden_size: 257 is odd; it must be even: each direction of the encoder has half of "
      "it");
  REQUIRE(problem("train.max_epochs", "-1") ==
          "train.max_epochs: -1 is out of range; it must be from 0 to 1000000000");
  REQUIRE(contains(problem("model.dropout", "1"), "below 1"));
  REQUIRE(contains(problem("train.learning_rate", "0"), "above 0"));
  REQUIRE(contains(problem("data.batch_size", "-4"), "-4 is out of range"));
  REQUIRE(contains(problem("train.decay_factor", "1.5"), "below 1"));
  REQUIRE(contains(problem("vocab.character_coverage", "0.97"), "from 0.98 to 1"));
  REQUIRE(contains(problem("data.max_ratio", "0.5"), "at least 1"));
  REQUIRE(contains(problem("train.threads", "4000"), "from 0 to 1024"));
}

TEST_CASE("Several corpora need as many files of each side, and as many weights", "[config]") {
  Settings settings;
  settings.data.train_source = {"a.ko", "b.ko"};
  settings.data.train_target = {"a.en"};
  const auto said = [&] { return error_of([&] { validate(settings); }); };
  REQUIRE(said() ==
          "data.train_source and data.train_target: 2 and 1 files; each corpus needs one of each");
  settings.data.train_target.emplace_back("b.en");
  REQUIRE_NOTHROW(validate(settings));
  settings.data.train_weights = {1};
  REQUIRE(contains(said(), "data.train_weights: 1 weights for 2 corpora"));
  settings.data.train_weights = {3, -1};
  REQUIRE(contains(said(), "data.train_weights: -1 is out of range; it must be above 0"));
  settings.data.train_weights = {3, 1};
  REQUIRE_NOTHROW(validate(settings));
}

TEST_CASE("A validation script and its metric need each other", "[config]") {
  REQUIRE(contains(problem("validation.metric", "script"), "script needs a program"));
  REQUIRE(contains(problem("validation.script", "rate.py"), "has no effect without"));
}

TEST_CASE("A setting that the others leave without effect is known, with the reason", "[config]") {
  Settings settings;
  const auto reason = [&](const char* name) { return reason_without_effect(settings, name); };
  CHECK(reason("train.decay_factor") == "only train.schedule step and plateau read it");
  CHECK(reason("train.mrt_samples") == "only train.objective minimum_risk reads it");
  settings.train.schedule = ScheduleKind::kStep;
  settings.train.objective = &minimum_risk_objective();
  CHECK(reason("train.decay_factor").empty());
  CHECK(reason("train.mrt_samples").empty());
  CHECK(reason("train.plateau_patience") == "only train.schedule plateau reads it");
  settings.automatic = {"train.schedule"};
  CHECK(reason("train.plateau_patience").empty());
  settings.vocab.joint = true;
  CHECK(reason("vocab.target_size").empty());
  settings.vocab.target_size = 900;
  CHECK(contains(reason("vocab.target_size"), "vocab.source_size is the size of the one"));
  CHECK(reason("vocab.target_normalization").empty());
  settings.vocab.target_normalization = TargetNormalization::kIdentity;
  CHECK(contains(reason("vocab.target_normalization"), "that of the one vocabulary"));
  settings.vocab.target_model = "ready";
  CHECK(reason("vocab.target_normalization") == "vocab.target_model is a ready vocabulary");
  CHECK(reason("vocab.type").empty());
  CHECK(reason("vocab.source_size").empty());
  settings.vocab.source_model = "ready";
  CHECK(reason("vocab.type") == "no vocabulary is trained");
  CHECK(reason("vocab.byte_fallback") == "no vocabulary is trained");
  CHECK(reason("vocab.source_size") == "vocab.source_model is a ready vocabulary");
}

TEST_CASE("What no part of the run reads has no effect", "[config]") {
  Settings settings;
  const auto reason = [&](const char* name) { return reason_without_effect(settings, name); };
  CHECK(reason("train.decay_epochs") == "only train.schedule step reads it");
  CHECK(reason("train.min_learning_rate") ==
        "only train.schedule linear, inverse_sqrt, noam, step and plateau read it");
  CHECK(reason("train.adam_epsilon").empty());
  settings.train.optimizer = OptimizerKind::kSgd;
  CHECK(reason("train.momentum").empty());
  CHECK(reason("train.adam_epsilon") == "only train.optimizer adam and adamw read it");
  CHECK(reason("vocab.placeholders").empty());
  CHECK(reason("model.cell").empty());
  CHECK(reason("model.pre_norm") == "only model.architecture transformer reads it");
  CHECK(reason("model.heads") == "the model has no attention with heads");
  settings.model.tied_embeddings = TiedEmbeddings::kTarget;
  CHECK(reason("model.embedding_init_std").empty());
  settings.model.tied_embeddings = TiedEmbeddings::kAll;
  CHECK(contains(reason("model.embedding_init_std"), "start at 1/sqrt(embedding_size)"));
  settings.model.tied_embeddings = TiedEmbeddings::kNone;
  settings.model.attention = &multi_head_attention();
  CHECK(reason("model.heads").empty());
  settings.model.architecture = Architecture::kTransformer;
  CHECK(reason("model.heads").empty());
  CHECK(reason("model.attention") == "only model.architecture recurrent reads it");
  CHECK(contains(reason("model.embedding_init_std"), "start at 1/sqrt(embedding_size)"));
  settings.model.architecture = Architecture::kLanguageModel;
  CHECK(reason("model.embedding_init_std").empty());
  CHECK(reason("model.cell").empty());
  CHECK(reason("data.target_subword_sampling").empty());
  CHECK(reason("data.source_subword_sampling") ==
        "a language model samples by data.target_subword_sampling");
  CHECK(reason("model.heads") == "only model.architecture recurrent and transformer read it");
  settings.model.tied_embeddings = TiedEmbeddings::kTarget;
  CHECK(contains(reason("model.embedding_init_std"), "start at 1/sqrt(embedding_size)"));
}

TEST_CASE("A choice that does not exist lists those that do", "[config]") {
  Settings settings;
  const auto refusal = [&](const char* name, const char* value) {
    return error_of([&] { set_setting(settings, name, value); });
  };
  REQUIRE(refusal("train.optimizer", "adm") ==
          "--train.optimizer: 'adm' is none of adam, adamw, sgd (did you mean adam?)");
  REQUIRE(contains(refusal("validation.metric", "rouge"), "loss, perplexity, bleu, chrf"));
}

TEST_CASE("Residual connections without effect are refused", "[config]") {
  Settings settings;
  settings.model.residual = true;
  const auto said = [&] { return error_of([&] { validate(settings); }); };
  REQUIRE(contains(said(), "model.residual: adds nothing where no side has a second layer"));
  settings.model.decoder_layers = 2;
  REQUIRE_NOTHROW(validate(settings));
  settings.model.decoder_layers = 0;
  settings.model.num_layers = 2;
  REQUIRE_NOTHROW(validate(settings));
  settings.model.architecture = Architecture::kTransformer;
  settings.model.embedding_size = settings.model.hidden_size;
  REQUIRE(contains(said(), "model.residual: a Transformer has residual connections of its own"));
}

TEST_CASE("Coverage needs an attention that takes it", "[config]") {
  Settings settings;
  settings.model.coverage = true;
  REQUIRE_NOTHROW(validate(settings));
  const auto said = [&] { return error_of([&] { validate(settings); }); };
  for (const auto* kind : {&none_attention(), &multi_head_attention(), &location_attention(),
                           &local_m_attention(), &local_p_attention()}) {
    settings.model.attention = kind;
    REQUIRE(said() == std::string("model.coverage: not available with model.attention ") +
                          kind->name +
                          "; set it to false, or model.attention to one of dot, general, "
                          "additive, scaled-dot");
  }
  settings.model.attention = &general_attention();
  settings.model.architecture = Architecture::kTransformer;
  settings.model.embedding_size = settings.model.hidden_size;
  REQUIRE(contains(said(), "model.coverage: only a recurrent model has it"));
}

TEST_CASE("Copying needs weights that sum to 1 and one vocabulary", "[config]") {
  Settings settings;
  settings.model.copy = true;
  const auto said = [&] { return error_of([&] { validate(settings); }); };
  REQUIRE(contains(said(), "model.copy: needs one vocabulary for both languages"));
  settings.vocab.joint = true;
  REQUIRE_NOTHROW(validate(settings));
  for (const auto* kind : {&none_attention(), &local_p_attention()}) {
    settings.model.attention = kind;
    REQUIRE(contains(said(), std::string("model.copy: model.attention ") + kind->name +
                                 " has no weights that sum to 1"));
  }
  settings.model.attention = &general_attention();
  settings.model.architecture = Architecture::kTransformer;
  settings.model.embedding_size = settings.model.hidden_size;
  REQUIRE(contains(said(), "model.copy: only a recurrent model copies"));
}

TEST_CASE("Dropout where there is none to set is refused", "[config]") {
  CHECK(contains(problem("model.embedding_dropout", "1"), "out of range; it must be at least 0"));
  CHECK(contains(problem("model.output_dropout", "-0.5"), "out of range; it must be at least 0"));
  CHECK(contains(problem("model.recurrent_dropout", "0.3"),
                 "model.recurrent_dropout: acts between layers, and no side has a second one"));
  Settings settings;
  settings.model.recurrent_dropout = 0.3;
  settings.model.output_dropout = 0;
  settings.model.decoder_layers = 2;
  settings.model.variational_dropout = true;
  settings.model.state_dropout = 0.3;
  REQUIRE_NOTHROW(validate(settings));
  settings.model.architecture = Architecture::kTransformer;
  settings.model.embedding_size = settings.model.hidden_size;
  const auto said = [&] { return error_of([&] { validate(settings); }); };
  CHECK(contains(said(), "model.recurrent_dropout: a Transformer has one rate for all positions"));
  settings.model.recurrent_dropout = settings.model.output_dropout = -1;
  CHECK(contains(said(), "model.variational_dropout: has no effect on a Transformer"));
  settings.model.variational_dropout = false;
  CHECK(contains(said(), "model.state_dropout: a Transformer has no recurrent states"));
  settings.model.state_dropout = 0;
  settings.model.cell_layer_norm = true;
  CHECK(contains(said(), "model.cell_layer_norm: a Transformer has no recurrent cells"));
}

TEST_CASE("A language model has no decoder layers of its own", "[config]") {
  Settings settings;
  settings.model.architecture = Architecture::kLanguageModel;
  settings.model.num_layers = 2;
  settings.model.residual = true;
  REQUIRE_NOTHROW(validate_model(settings));
  settings.model.decoder_layers = 1;
  REQUIRE(contains(error_of([&] { validate_model(settings); }),
                   "model.decoder_layers: a language model has no encoder"));
}

TEST_CASE("A limit of memory is a size, and of what is estimated", "[config]") {
  Settings settings;
  const auto said = [&] { return error_of([&] { validate_given(settings); }); };
  settings.train.max_memory = "2G";
  REQUIRE_NOTHROW(validate(settings));
  settings.train.device = "cuda";
  REQUIRE(contains(said(), "train.max_memory: memory is estimated for CPUs only"));
  settings.train.device = "cpu";
  settings.train.objective = &minimum_risk_objective();
  REQUIRE(contains(said(), "not estimated for train.objective minimum_risk"));
  for (const char* text : {"many", "0", "1.5G"}) {
    settings.train.max_memory = text;
    REQUIRE(contains(said(), std::string("train.max_memory: '") + text + "' is not a size"));
  }
}

TEST_CASE("Settings that do not go together say what to change", "[config]") {
  REQUIRE(
      contains(problem("model.tied_embeddings", "target"), "embedding_size == model.hidden_size"));
  Settings settings;
  settings.model.embedding_size = settings.model.hidden_size;
  settings.model.tied_embeddings = TiedEmbeddings::kAll;
  REQUIRE(contains(error_of([&] { validate(settings); }), "vocab.joint"));
  settings.vocab.joint = true;
  REQUIRE_NOTHROW(validate(settings));
  settings.vocab.source_model = "a.spm";
  settings.vocab.target_model = "b.spm";
  REQUIRE(contains(error_of([&] { validate(settings); }), "b.spm would not be used"));
}

}  // namespace nmt
