#include "config/settings_io.h"

#include <sstream>
#include <string>
#include <vector>

#include "config/validate.h"
#include "files/file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

std::string yaml_error(const std::string& yaml) {
  Settings settings;
  return error_of([&] { apply_yaml(settings, yaml, "x.yaml"); });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("Settings written as YAML read back the same", "[config]") {
  Settings settings;
  settings.data.train_source = {"with space: and #mark.ko"};
  settings.model.dropout = 0.1 + 0.2;
  settings.model.input_feeding = false;
  settings.train.learning_rate = 3e-4;
  settings.train.seed = 12345678901234;
  for (const bool comments : {true, false}) {
    Settings again;
    apply_yaml(again, to_yaml(settings, comments), "x.yaml");
    REQUIRE(again.data.train_source == settings.data.train_source);
    REQUIRE(again.model.dropout == settings.model.dropout);
    REQUIRE(again.train.seed == settings.train.seed);
    REQUIRE(to_yaml(again, false) == to_yaml(settings, false));
  }
}

TEST_CASE("Lists read back the same, whatever is in the names", "[config]") {
  using Files = std::vector<std::string>;
  const auto files = GENERATE(Files{}, Files{"a, b.ko"}, Files{"[odd"}, Files{"a.ko", "b, c.ko"},
                              Files{"\"q\"", "새\\글", "- x", "#"});
  Settings settings;
  settings.data.train_source = files;
  settings.data.train_weights.assign(files.size(), 0.1);
  Settings again;
  apply_yaml(again, to_yaml(settings, false), "x.yaml");
  REQUIRE(again.data.train_source == files);
  REQUIRE(again.data.train_weights == settings.data.train_weights);
}

TEST_CASE("A list of files is a YAML list or one name, weights have commas", "[config]") {
  Settings settings;
  apply_yaml(settings, "data:\n  train_source: a.ko\n  train_target:\n    - a.en\n    - b.en\n",
             "x.yaml");
  REQUIRE(settings.data.train_source == std::vector<std::string>{"a.ko"});
  REQUIRE(settings.data.train_target == std::vector<std::string>{"a.en", "b.en"});
  set_setting(settings, "data.train-source", "a, b");
  REQUIRE(settings.data.train_source == std::vector<std::string>{"a, b"});
  set_setting(settings, "data.train-source", "[a.ko, \"b, c.ko\"]");
  REQUIRE(settings.data.train_source == std::vector<std::string>{"a.ko", "b, c.ko"});
  for (const std::string name : {"[a", "[a].ko", "[a] [b]", "[a: b]"}) {
    INFO(name);
    set_setting(settings, "data.train-source", name);
    REQUIRE(settings.data.train_source == std::vector{name});
  }
  set_setting(settings, "data.train-source", "[]");
  REQUIRE(settings.data.train_source.empty());
  set_setting(settings, "data.valid-source", "[a]");  // one name, no list
  REQUIRE(settings.data.valid_source == "[a]");
  apply_yaml(settings, "data:\n  train_source:\n  train_weights: [2, 0.5]\n", "x.yaml");
  REQUIRE(settings.data.train_source.empty());
  REQUIRE(settings.data.train_weights == std::vector<double>{2, 0.5});
  set_setting(settings, "data.train-weights", "3,1");
  REQUIRE(settings.data.train_weights == std::vector<double>{3, 1});
  set_setting(settings, "data.train-weights", "[\"2\", 5]");
  REQUIRE(settings.data.train_weights == std::vector<double>{2, 5});
  REQUIRE(contains(error_of([&] { set_setting(settings, "data.train-weights", "3,x"); }),
                   "'3,x' is not numbers with commas between them"));
}

TEST_CASE("YAML overlays the defaults, the command line overlays YAML", "[config]") {
  const TemporaryFolder folder;
  auto settings =
      load_settings(folder.write("a.yaml", "model:\n  hidden-size: 64\n  dropout: 0.5\n"));
  set_setting(settings, "model.dropout", "0.25");
  REQUIRE(settings.model.hidden_size == 64);
  REQUIRE(settings.model.dropout == 0.25);
  REQUIRE(settings.model.num_layers == ModelConfig().num_layers);
}

TEST_CASE("Every setting can be set by its name, and changes that one alone", "[config]") {
  // Of a choice, whose meaning ends with its names, the last one or the one before it.
  const auto other_value = [](const SettingDescription& setting) -> std::string {
    const auto& value = setting.value;
    if (value == "[]") return "77";
    if (value == "true" || value == "false") return value == "true" ? "false" : "true";
    if (value.find_first_of("-0123456789") == 0) return "77";
    const auto last = setting.meaning.rfind(", ");
    const bool is_choice = setting.meaning.find(": " + value + ",") != std::string::npos ||
                           setting.meaning.find(", " + value) != std::string::npos;
    return is_choice ? setting.meaning.substr(last + 2) : "other";
  };
  const auto defaults = lines_of(to_yaml(Settings(), false));
  for (const auto& setting : describe_settings()) {
    INFO(setting.section << "." << setting.key);
    Settings settings;
    const std::string value = other_value(setting);
    set_setting(settings, setting.section + "." + setting.key, value);
    const auto lines = lines_of(to_yaml(settings, false));
    REQUIRE(lines.size() == defaults.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool changed = lines[i] == "  " + setting.key + ": " + value;
      if (lines[i] != defaults[i]) REQUIRE(changed);
    }
    REQUIRE(lines != defaults);
  }
  REQUIRE(describe_settings().size() > 50);
}

TEST_CASE("The example configuration shows every setting with its default, or auto", "[config]") {
  const auto example =
      read_file(std::filesystem::path(NMT_SOURCE_DIR) / "configs" / "all-settings.yaml");
  REQUIRE(example == to_yaml(automatic_settings(), /*with_comments=*/true));
}

TEST_CASE("The configurations that come with the program are sound", "[config]") {
  const auto configs = std::filesystem::path(NMT_SOURCE_DIR) / "configs";
  for (const auto& entry : std::filesystem::directory_iterator(configs)) {
    if (entry.is_directory()) continue;
    INFO(entry.path().string());
    REQUIRE_NOTHROW(validate(load_settings(entry.path())));
  }
  for (const auto& entry : std::filesystem::directory_iterator(configs / "family")) {
    INFO(entry.path().string());
    auto settings = load_settings(configs / "sample.yaml");
    overlay_settings(settings, entry.path());
    REQUIRE_NOTHROW(validate(settings));
  }
}

TEST_CASE("A file laid over others changes what it names alone", "[config]") {
  const TemporaryFolder folder;
  auto settings =
      load_settings(folder.write("a.yaml", "model:\n  hidden_size: 64\n  cell: lstm\n"));
  overlay_settings(settings, folder.write("b.yaml", "model:\n  hidden_size: 32\n"));
  REQUIRE(settings.model.hidden_size == 32);
  REQUIRE(settings.model.cell == Cell::kLstm);
}

TEST_CASE("An unknown setting is an error with its line and the nearest name", "[config]") {
  REQUIRE(yaml_error("model:\n  dropout: 0\n  hiden_size: 5\n") ==
          "x.yaml: line 3: model.hiden_size: unknown setting (did you mean hidden_size?)");
  REQUIRE(contains(yaml_error("modle:\n  dropout: 0\n"), "did you mean model?"));
  REQUIRE(contains(yaml_error("train:\n  dropout: 0\n"), "did you mean model.dropout?"));
  REQUIRE(contains(yaml_error("batch_size: 3\n"), "did you mean data.batch_size?"));
  REQUIRE(yaml_error("data.batch_size: 3\n") ==
          "x.yaml: line 1: data.batch_size: not a section; write batch_size below 'data:'");
  Settings settings;
  REQUIRE_THROWS_AS(set_setting(settings, "train.lr-rate", "1"), UsageError);
}

TEST_CASE("Unknown settings of a run ask for an update, as do those of a model's network",
          "[config]") {
  const std::string newer = ": a setting of a newer nmt; update nmt to use this model";
  const auto error_from = [](SettingsFrom from, const std::string& section) {
    Settings settings;
    std::string error;
    try {
      apply_yaml(settings, section + ":\n  future: {a: 1}\nmodel:\n  num_layers: 3\n", "x", from);
    } catch (const Error& refused) {
      error = refused.what();
    }
    CHECK((error.empty() == (settings.model.num_layers == 3)));
    return error;
  };
  for (const std::string section : {"data", "train", "validation"}) {
    CHECK(error_from(SettingsFrom::kRun, section) == "x: line 2: " + section + ".future" + newer);
    CHECK(error_from(SettingsFrom::kModel, section).empty());
  }
  for (const auto from : {SettingsFrom::kRun, SettingsFrom::kModel}) {
    CHECK(error_from(from, "vocab") == "x: line 2: vocab.future" + newer);
    CHECK(error_from(from, "future") == "x: line 1: future" + newer);
    Settings settings;
    CHECK(error_of([&] { apply_yaml(settings, "model:\n  sell: gru\n", "x", from); }) ==
          "x: line 2: model.sell" + newer);
  }
}

TEST_CASE("A choice is written and read by the names of its enum", "[config]") {
  Settings settings;
  for (const auto& name : choice_names<Architecture>()) {
    set_setting(settings, "model.architecture", name);
    REQUIRE(choice_name(settings.model.architecture) == name);
    REQUIRE(contains(to_yaml(settings, false), "  architecture: " + name + "\n"));
  }
  REQUIRE(yaml_error("model:\n  architecture: cnn\n") ==
          "x.yaml: line 2: model.architecture: 'cnn' is none of recurrent, transformer, "
          "language_model");
  REQUIRE(contains(yaml_error("validation:\n  metric: bleau\n"), "did you mean bleu?"));
  REQUIRE(contains(yaml_error("model:\n  attention: genral\n"), "did you mean general?"));
  REQUIRE(yaml_error("train:\n  objective: rdrop\n") ==
          "x.yaml: line 2: train.objective: 'rdrop' is none of " +
              list_of(kind_names(objective_kinds())) + " (did you mean r_drop?)");
  REQUIRE(contains(yaml_error("train:\n  mrt_reward: blue\n"), "'blue' is none of gleu, bleu"));
}

TEST_CASE("A value of the wrong kind is an error that says what is expected", "[config]") {
  REQUIRE(yaml_error("model:\n  hidden_size: big\n") ==
          "x.yaml: line 2: model.hidden_size: 'big' is not a whole number");
  REQUIRE(contains(yaml_error("model:\n  dropout: 0.1x\n"), "not a number"));
  REQUIRE(contains(yaml_error("model:\n  input_feeding: maybe\n"), "not true or false"));
  REQUIRE(contains(yaml_error("model:\n  dropout: [1, 2]\n"), "expected one value"));
  REQUIRE(contains(yaml_error("model: 3\n"), "under the section"));
}

TEST_CASE("Repeated names and broken YAML are errors", "[config]") {
  REQUIRE(contains(yaml_error("model:\n  dropout: 0\n  dropout: 0.1\n"), "set twice"));
  REQUIRE(contains(yaml_error("model: [\n"), "not valid YAML"));
  REQUIRE(contains(yaml_error("- a\n- b\n"), "expected sections"));
  REQUIRE(contains(yaml_error("model:\n  dropout: 0\n---\nmodel:\n"), "more than one"));
  // yaml-cpp's LoadAll takes these for documents without end; version 0.9 refuses them.
  const auto stray = yaml_error(", model\n");
  REQUIRE((contains(stray, "a stray ','") || contains(stray, "not valid YAML")));
  REQUIRE(yaml_error("data:\n  train_source: \xFF\n") == "x.yaml: line 2: not valid UTF-8");
}

TEST_CASE("What YAML's escapes make is refused or can be written and read again", "[config]") {
  Settings settings;
  try {
    apply_yaml(settings, "data:\n  train_source: \"x\\N\"\n", "x.yaml");
  } catch (const Error& error) {
    REQUIRE(contains(error.what(), "data.train_source: not valid UTF-8"));
  }
  Settings again;
  REQUIRE_NOTHROW(apply_yaml(again, to_yaml(settings, /*with_comments=*/false), "x.yaml"));
}

}  // namespace nmt
