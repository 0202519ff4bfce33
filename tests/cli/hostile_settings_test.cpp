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
      {"number_with_tail", "model:\n  hidden_size: 12kB\n", "line 2: model.hidden_size"},
      {"empty_number", "model:\n  hidden_size:\n", "line 2: model.hidden_size"},
      {"huge_number", "model:\n  hidden_size: 1e99\n", "line 2: model.hidden_size"},
      {"nan", "train:\n  learning_rate: .nan\n", "line 2: train.learning_rate"},
      {"no_memory", "train:\n  max_memory: 1M\n", "train.max_memory: 1M is less than the"},
      {"infinity", "train:\n  learning_rate: inf\n", "line 2: train.learning_rate"},
      {"octal", "model:\n  hidden_size: 0x10\n", "line 2: model.hidden_size"},
      {"wrong_truth", "vocab:\n  joint: maybe\n", "line 2: vocab.joint"},
      {"out_of_range", "model:\n  hidden_size: -2\n", "model.hidden_size: -2 is out of range"},
      {"file_map", "data:\n  train_source: {a: b}\n",
       "line 2: data.train_source: expected one value"},
      {"file_lists", "data:\n  train_source: [[a]]\n", "data.train_source: expected one value"},
      {"weight_text", "data:\n  train_weights: [1, x]\n",
       "data.train_weights: 'x' is not a number"},
      {"weight_surplus", "data:\n  train_weights: 1,2\n", "2 weights for 1 corpus;"},
      {"weight_zero", "data:\n  train_weights: 0\n", "data.train_weights: 0 is out of range"},
      {"weight_nan", "data:\n  train_weights: .nan\n", "line 2: data.train_weights"},
      {"sampling_everything", "data:\n  source_subword_sampling: 1\n",
       "data.source_subword_sampling: 1 is out of range"},
      {"sampling_less", "data:\n  target_subword_sampling: -0.1\n",
       "data.target_subword_sampling: -0.1 is out of range"},
      {"sampling_nan", "data:\n  source_subword_sampling: .nan\n",
       "line 2: data.source_subword_sampling"},
      {"unknown_encoder_output", "model:\n  encoder_output: joined\n",
       "model.encoder_output: 'joined' is none of"},
      {"many_decoder_layers", "model:\n  decoder_layers: 65\n",
       "model.decoder_layers: 65 is out of range"},
      {"dropout_of_everything", "model:\n  output_dropout: 1\n",
       "model.output_dropout: 1 is out of range; it must be at least 0 and below 1"},
      {"dropout_of_whole_states", "model:\n  state_dropout: 1\n",
       "model.state_dropout: 1 is out of range; it must be at least 0 and below 1"},
      {"odd_heads", "model:\n  attention: multi-head\n  heads: 5\n",
       "model.heads: 5 does not divide model.hidden_size (512)"},
      {"no_heads", "model:\n  heads: 0\n", "model.heads: 0 is out of range"},
      {"no_feed_forward", "model:\n  feed_forward_size: 0\n", "model.feed_forward_size: 0 is out"},
      {"two_widths", "model:\n  architecture: transformer\n",
       "transformer needs model.embedding_size (256) and model.hidden_size (512) to be equal"},
      {"all_layers_dropped", "model:\n  layer_dropout: 1\n", "model.layer_dropout: 1 is out of"},
      {"layers_of_a_gru", "model:\n  layer_dropout: 0.5\n",
       "model.layer_dropout: only a Transformer drops layers"},
      {"temperature_of_a_transformer",
       "model:\n  architecture: transformer\n  embedding_size: 512\n  attention_temperature: 3\n",
       "model.attention_temperature: has an effect only in a recurrent model"},
      {"unknown_objective", "train:\n  objective: mrt\n",
       "train.objective: 'mrt' is none of likelihood"},
      {"unknown_reward", "train:\n  mrt_reward: rouge\n", "train.mrt_reward: 'rouge' is none of"},
      {"one_sample", "train:\n  mrt_samples: 1\n", "train.mrt_samples: 1 is out of range"},
      {"sampling_too_often", "train:\n  scheduled_sampling_probability: 1.5\n",
       "train.scheduled_sampling_probability: 1.5 is out of range"},
      {"negative_divergence", "train:\n  r_drop_weight: -1\n", "train.r_drop_weight: -1 is out"},
      {"no_initial_model", "train:\n  initial_model: nowhere/model\n",
       "nowhere/model: no such model"},
      {"weights_for_another_objective",
       "data:\n  train_sentence_weights: w\ntrain:\n  objective: r_drop\n",
       "data.train_sentence_weights: train.objective r_drop does not use it; unset it, or "
       "use the objective likelihood or scheduled_sampling"},
      {"no_alignments", "data:\n  train_alignments: nowhere/links\n",
       "nowhere/links: no such file"},
      {"alignments_of_a_transformer",
       "data:\n  train_alignments: x\nmodel:\n  architecture: transformer\n  embedding_size: 512\n",
       "data.train_alignments: only a recurrent model with attention"},
      {"guided_by_nothing", "train:\n  guided_alignment_weight: 0.5\n",
       "train.guided_alignment_weight: has no effect without"},
      {"no_word_vectors", "train:\n  source_embeddings: nowhere/x.vec\n",
       "nowhere/x.vec: cannot be read"},
      {"word_vectors_in_a_binary", "train:\n  target_embeddings: models/sample/model.safetensors\n",
       "model.safetensors: line 1: not a word and its numbers"},
      {"frozen_nothing", "train:\n  freeze: [\"emb_*\", \"nothing.*\"]\n",
       "train.freeze: 'nothing.*' matches no parameter"},
      {"frozen_everything", "train:\n  freeze: \"*\"\n", "train.freeze: nothing is left to train"},
      {"bleu_of_a_language_model",
       "model:\n  architecture: language_model\nvalidation:\n  metric: bleu\n",
       "validation.metric: bleu rates translations"},
      {"dual_alone", "train:\n  objective: dual\n",
       "train.reverse_model: required by train.objective dual"},
      {"dual_without_a_language_model",
       "train:\n  objective: dual\n  reverse_model: x\n  source_lm: y\n",
       "train.target_lm: required by train.objective dual"},
      {"dual_weight", "train:\n  dual_weight: -1\n", "train.dual_weight: -1 is out of range"},
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

TEST_CASE("Settings that do not go together are refused, and leave the model that was there",
          "[hostile]") {
  const TemporaryFolder in;
  const auto fused = [](const std::string& settings) {
    // A model of another run stands in the folder that would be overwritten.
    return "mkdir $out/model && cp $sample/* $out/model/ && ($nmt train --overwrite "
           "--train-sets data/sample/test.ko data/sample/test.en --vocab.source-model "
           "$sample/source.spm --vocab.target-model $sample/target.spm -m $out/model " +
           settings +
           "; code=$?; cmp $sample/model.safetensors $out/model/model.safetensors && "
           "cmp $sample/config.yaml $out/model/config.yaml && rm -r $out/model; exit $code)";
  };
  const std::string small = "--model.embedding-size 16 --model.hidden-size 16 ";
  check_cases(in.path(),
              {{"an initial model of another size", fused(small + "--train.initial-model $sample"),
                1, "train.initial_model: the settings under model do not fit", 0},
               {"an initial model of another temperature",
                fused("--train.initial-model $sample --model.attention-temperature 2"), 1,
                "model.attention_temperature: 2, but train.initial_model was trained with 1", 0},
               {"an initial model of other vocabularies",
                fused("--vocab.source-model '' --vocab.target-model '' "
                      "--train.initial-model $sample --vocab.byte-fallback true"),
                1,
                "vocab.byte_fallback: true, but train.initial_model brings vocabularies made with "
                "false; leave it out",
                0},
               {"a choice that a run from an initial model does not make",
                fused("--train.initial-model $sample --train.engine auto --train.schedule auto"), 2,
                "--train.schedule: auto has no effect with train.initial_model; give a value", 0},
               {"an initial model that is no model", fused("--train.initial-model data/sample"), 1,
                "data/sample: not a model directory", 0}});
}

TEST_CASE("A setting of the command line that has no effect is refused", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  in.write("plateau", "train:\n  schedule: plateau\n  plateau_patience: 3\n");
  const auto train = [](const std::string& settings) {
    return "$nmt train --train-sets $in/text $in/text -m $out/m " + settings;
  };
  check_cases(
      in.path(),
      {{"a size of a joint vocabulary", train("--vocab.joint true --vocab.target-size 900"), 2,
        "--vocab.target-size: has no effect, because with vocab.joint", 0},
       {"a weight of another objective", train("--objective r_drop --train.dual-weight 1"), 2,
        "--train.dual-weight: has no effect, because only train.objective dual reads it", 0},
       {"a model of another objective", train("--train.reverse-model x"), 2,
        "--train.reverse-model: has no effect", 0},
       {"momentum of Adam", train("--train.momentum 0.9"), 2, "only train.optimizer sgd", 0},
       {"a choice for a language model",
        "$nmt lm train -t $in/text -m $out/m --train.schedule auto", 2,
        "--train.schedule: auto has no effect for a language model; give a value", 0},
       {"patience of another schedule",
        train("--train.schedule linear --train.max-updates 9 --train.plateau-patience 3"), 2,
        "only train.schedule plateau reads it; leave it out", 0},
       {"the same from a file, which another one completes",
        train("-c $in/plateau --train.schedule linear --train.max-updates 9"), 1,
        "text is also a file of", 0}});
}

TEST_CASE("A strange command line is refused with one line", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  check_cases(
      in.path(),
      {{"an empty command", "$nmt ''", 2, "nmt --help", 0},
       {"a command with a line end", "$nmt 'a\nb'", 2, "unknown command", 0},
       {"a command that is not UTF-8", "$nmt $(printf '\\377\\376')", 2, "unknown command", 0},
       {"an endless command", "$nmt $(head -c 100000 /dev/zero | tr '\\0' x)", 2, "unknown command",
        0},
       {"two commands", "$nmt info translate -m $sample", 2, "", 0},
       {"a flag without its value", "$nmt translate -m", 2, "--model-dir", 0},
       {"one training file", "$nmt train --train-sets $in/text", 2, "--train-sets", 0},
       {"three training files", "$nmt train -m $out/m --train-sets $in/text $in/text $in/text", 2,
        "--train-sets: 3 files", 0},
       {"sides of unequal number", "$nmt train -m $out/m --data.train-target $in/text", 1,
        "0 and 1 files; each corpus needs one of each", 0},
       {"weights that are no numbers",
        "$nmt train -m $out/m --train-sets $in/text $in/text --data.train-weights 1,", 2, "weights",
        0},
       {"a flag twice", "$nmt translate -m $sample -i $in/text -i $in/text", 2, "--input", 0},
       {"a value for a switch", "$nmt translate -m $sample --json=maybe < $in/text", 2, "json", 0},
       {"a single dash", "$nmt translate -m $sample - < $in/text", 1, "-: no such model", 0},
       {"an unknown short flag", "$nmt translate -m $sample -z", 2, "-z", 0},
       {"an unknown flag with a line end", "$nmt translate --a'\n'b", 2, "unknown option", 0},
       {"a formatting mark in a flag", "$nmt translate --%s%n{}", 2, "unknown option --%s%n{}", 0},
       {"a formatting mark in a path", "$nmt info '{}%s%n'", 1, "{}%s%n: no such model", 0},
       {"a device that is not there", "$nmt translate -m $sample --device cuda:7", 1, "cuda:7", 0},
       {"an empty device", "$nmt translate -m $sample --device ''", 2, "--device: ''", 0},
       {"no language model command", "$nmt lm", 2, "lm", 0},
       {"an unset variable for texts to exclude",
        "$nmt train -t $in/a $in/b -m $out/m --data.exclude ''", 2,
        "--data.exclude: empty; use [] for none", 0},
       {"an unknown language model command", "$nmt lm trian", 2, "did you mean train", 0},
       {"a language model of no text", "$nmt lm train -m $out/m", 2, "--text is missing", 0},
       {"a text that is not there", "$nmt lm train -t $in/none -m $out/m", 1, "none", 0},
       {"the side of nothing", "$nmt lm train --text $in/text -m $out/m --side source", 2,
        "--vocabulary-of", 0},
       {"a third side", "$nmt lm train --text $in/text -m $out/m --vocabulary-of $sample --side x",
        2, "--side", 0},
       {"the vocabulary of nothing", "$nmt lm train --text $in/text -m $out/m --vocabulary-of $in",
        1, "--vocabulary-of needs a model", 0},
       {"the vocabulary of a text",
        "$nmt lm train --text $in/text -m $out/m --vocabulary-of $in/text", 1,
        "--vocabulary-of needs a model", 0},
       {"a weight without a language model", "$nmt translate -m $sample --lm-weight 1", 2, "--lm",
        0},
       {"no tasks", "$nmt vocab", 2, "vocab: nothing to do; use --input", 0},
       {"two tasks", "$nmt vocab --inspect x -i y -o z", 2, "excludes", 0},
       {"a hypothesis and a model", "$nmt evaluate --hypothesis a -m b -s c -r d", 2, "excludes",
        0},
       {"a stray word", "$nmt export -m $sample -o $out/x more", 2, "more", 0}});
}

}  // namespace nmt
