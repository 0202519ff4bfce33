#include "cli/hostile_fixtures.h"
#include "cli/hostile_input.h"
#include "support/catch.h"

namespace nmt {
namespace {

struct BrokenSettings {
  std::string name;
  std::string yaml;
  std::string says;
};

std::vector<BrokenSettings> broken_settings() {
  using std::string_literals::operator""s;
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const auto before = "*a" + std::to_string(i - 1);
    const auto name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [" + before + repeated(", " + before, 8) + "]\n";
  }
  return {
      {"no_yaml", "model: {cell: gru", "line"},
      {"tabs", "model:\n\tcell: gru\n", "line 2"},
      {"list", "- a\n- b\n", "expected sections"},
      {"scalar", "hello\n", "expected sections"},
      {"number", "42\n", "expected sections"},
      {"not_utf8", "model:\n  cell: \xFF\n", "line 2: not valid UTF-8"},
      {"nul", "model:\n  cell: g\0ru\n"s, "cell"},
      {"unknown_section", "modle:\n  cell: gru\n", "line 1: modle: unknown section"},
      {"unknown_key", "model:\n  sell: gru\n", "line 2: model.sell: unknown setting"},
      {"section_list", "model: [1, 2]\n", "line 1: model: expected"},
      {"section_scalar", "model: gru\n", "line 1: model: expected"},
      {"value_list", "model:\n  cell: [gru]\n", "line 2: model.cell: expected one value"},
      {"value_map", "model:\n  cell: {a: 1}\n", "line 2: model.cell: expected one value"},
      {"key_list", "model:\n  [a]: 1\n", "line 2"},
      {"key_map", "? {a: 1}\n: 2\n", "line 1"},
      {"twice", "model:\n  cell: gru\n  cell: lstm\n", "line 3: model.cell: is set twice"},
      {"section_twice", "model:\ndata:\nmodel:\n", "line 3: model: is given twice"},
      {"documents", "model:\n---\ndata:\n", "more than one YAML document"},
      {"text_for_number", "model:\n  hidden_size: big\n", "line 2: model.hidden_size: 'big'"},
      {"number_with_tail", "model:\n  hidden_size: 12kB\n", "line 2: model.hidden_size"},
      {"empty_number", "model:\n  hidden_size:\n", "line 2: model.hidden_size"},
      {"huge_number", "model:\n  hidden_size: 1e99\n", "line 2: model.hidden_size"},
      {"nan", "train:\n  learning_rate: .nan\n", "line 2: train.learning_rate"},
      {"infinity", "train:\n  learning_rate: inf\n", "line 2: train.learning_rate"},
      {"octal", "model:\n  hidden_size: 0x10\n", "line 2: model.hidden_size"},
      {"wrong_truth", "vocab:\n  joint: maybe\n", "line 2: vocab.joint"},
      {"out_of_range", "model:\n  hidden_size: -2\n", "model.hidden_size: -2 is out of range"},
      {"sampling_everything", "data:\n  source_sampling: 1\n",
       "data.source_sampling: 1 is out of range"},
      {"sampling_less", "data:\n  target_sampling: -0.1\n",
       "data.target_sampling: -0.1 is out of range"},
      {"sampling_nan", "data:\n  source_sampling: .nan\n", "line 2: data.source_sampling"},
      {"no_anchor", "model: *missing\n", "line 1"},
      {"bad_tag", "model: !!python/object:os.system {cell: rm}\n", "model.cell: 'rm'"},
      {"deep", repeated("[", 200000), "not valid YAML"},
      {"deep_maps", repeated("{a: ", 200000), "not valid YAML"},
      {"deep_lists", repeated("- ", 200000), "not valid YAML"},
      {"laughs", laughs, "unknown section"},
      {"self_reference", "model: &m\n  cell: *m\n", "line"},
      {"long_value", "model:\n  cell: " + repeated("x", 1 << 19) + "\n", "model.cell"},
      {"endless_value", "model:\n  cell: " + repeated("x", 1 << 21) + "\n",
       "endless_value: has more"},
      {"long_key", "model:\n  " + repeated("x", 5000) + ": 1\n", "line 2"},
      {"newline_in_value", "model:\n  cell: \"a\\nb\"\n", "model.cell"},
      {"binary",
       "\x7F"
       "ELF\x02\x01\x01\0\0"s,
       "nary"},
  };
}

}  // namespace

TEST_CASE("Broken settings are refused with file and line before anything is written",
          "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  std::vector<HostileCase> cases;
  for (const auto& settings : broken_settings()) {
    in.write(settings.name, settings.yaml);
    cases.push_back(
        {settings.name,
         "$nmt train -c $in/" + settings.name + " --train-sets $in/text $in/text -m $out/model", 1,
         settings.says, 0});
  }
  check_cases(in.path(), cases);
}

TEST_CASE("A strange command line is refused with one line", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  check_cases(
      in.path(),
      {{"an empty command", "$nmt ''", 2, "nmt --help", 0},
       {"a command with a line end", "$nmt 'a\nb'", 2, "there is no command", 0},
       {"a command that is not UTF-8", "$nmt $(printf '\\377\\376')", 2, "there is no command", 0},
       {"an endless command", "$nmt $(head -c 100000 /dev/zero | tr '\\0' x)", 2, "no command", 0},
       {"two commands", "$nmt info translate -m $sample", 2, "", 0},
       {"a flag without its value", "$nmt translate -m", 2, "--model-dir", 0},
       {"one training file", "$nmt train --train-sets $in/text", 2, "--train-sets", 0},
       {"a flag twice", "$nmt translate -m $sample -i $in/text -i $in/text", 2, "--input", 0},
       {"a value for a switch", "$nmt translate -m $sample --json=maybe < $in/text", 2, "json", 0},
       {"a single dash", "$nmt translate -m $sample - < $in/text", 1, "-: no such model", 0},
       {"an unknown short flag", "$nmt translate -m $sample -z", 2, "-z", 0},
       {"an unknown flag with a line end", "$nmt translate --a'\n'b", 2, "unknown option", 0},
       {"a formatting mark in a flag", "$nmt translate --%s%n{}", 2, "unknown option --%s%n{}", 0},
       {"a formatting mark in a path", "$nmt info '{}%s%n'", 1, "{}%s%n: no such model", 0},
       {"a device that is not there", "$nmt translate -m $sample --device cuda:7", 1, "cuda:7", 0},
       {"an empty device", "$nmt translate -m $sample --device ''", 1, "device ''", 0},
       {"no tasks", "$nmt vocab", 2, "vocab needs", 0},
       {"two tasks", "$nmt vocab --inspect x --encode y", 2, "vocab needs", 0},
       {"a hypothesis and a model", "$nmt evaluate --hypothesis a -m b -s c -r d", 2, "needs", 0},
       {"a stray word", "$nmt export -m $sample -o $out/x more", 2, "more", 0}});
}

}  // namespace nmt
