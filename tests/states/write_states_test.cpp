#include "states/write_states.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "checkpoint/safetensors.h"
#include "data/batch.h"
#include "export/small_model.h"
#include "support/expect_error.h"
#include "support/log_capture.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::vector<std::string> kStatesSource = {"abc de", "a", "de abc abc a de"};
const std::vector<std::string> kStatesTarget = {"a de abc", "", "abc"};

std::string states_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

bool near(const torch::Tensor& a, const torch::Tensor& b) {
  return a.sizes() == b.sizes() && torch::allclose(a, b, 1e-5, 1e-5);
}

}  // namespace

TEST_CASE("States are those of the network, sentence by sentence", "[states]") {
  const torch::NoGradGuard no_gradients;
  const TemporaryFolder folder;
  const auto source = folder.write("source", states_text(kStatesSource));
  const auto target = folder.write("target", states_text(kStatesTarget));
  int written = 0;
  for (const auto& shape : model_shapes()) {
    INFO(description(shape));
    const auto path = folder / std::to_string(++written);
    auto model = write_small_model(path, shape);
    const auto output = folder / (std::to_string(written) + ".safetensors");
    write_states({path, source, target, output});
    const auto file = read_safetensors(output);
    const bool recurrent = shape.architecture == Architecture::kRecurrent;
    const bool attends = !recurrent || shape.attention != &none_attention();
    CHECK(file.tensors.size() ==
          kStatesSource.size() * (2 + (recurrent ? 1 : 0) + (attends ? 1 : 0)));
    for (size_t i = 0; i < kStatesSource.size(); ++i) {
      const auto number = std::to_string(i);
      const auto batch = make_batch({model.source.encode(kStatesSource[i])},
                                    {model.target.encode(kStatesTarget[i])});
      const auto steps =
          model.network->force(batch.source, batch.source_lengths, batch.target_input);
      const auto expected = steps.attentional_hidden[0];  // [T, H]
      const auto attentional = file.at((recurrent ? "attentional." : "decoder.") + number);
      CHECK(near(attentional, expected));
      CHECK(near(file.at("encoder." + number),
                 model.network->encode(batch.source, batch.source_lengths).states[0]));
      if (!attends) continue;
      CHECK(near(file.at("attention." + number), steps.attention[0]));
    }
  }
}

TEST_CASE("The states fulfil the equations of attention", "[states]") {
  const torch::NoGradGuard no_gradients;
  const TemporaryFolder folder;
  ModelConfig shape = model_shapes()[0];
  shape.attention = &dot_attention();
  for (const bool layer_norm : {false, true}) {
    shape.layer_norm = layer_norm;
    const auto path = folder / (layer_norm ? "norm" : "plain");
    auto model = write_small_model(path, shape);
    const auto output = folder / (path.filename().string() + ".safetensors");
    write_states(
        {path, folder.write("source", "abc de a\n"), folder.write("target", "de abc\n"), output});
    const auto file = read_safetensors(output);
    const auto encoder = file.at("encoder.0");
    const auto decoder = file.at("decoder.0");
    const auto attention = torch::softmax(decoder.mm(encoder.t()), 1);  // Luong et al. 2015, dot
    CHECK(near(file.at("attention.0"), attention));
    const auto parameters = model.network->named_parameters();
    const auto joined = torch::cat({decoder, attention.mm(encoder)}, 1);
    CHECK(near(file.at("attentional.0"), torch::tanh(joined.mm(parameters["concat.weight"].t()) +
                                                     parameters["concat.bias"])));
  }
}

TEST_CASE("Metadata line the states up with tokens and words", "[states]") {
  const TemporaryFolder folder;
  const auto model = write_small_model(folder / "model", model_shapes()[0]);
  const auto output = folder / "states.safetensors";
  write_states({folder / "model", folder.write("source", "abc de\n"),
                folder.write("target", "a  de abc\n"), output});
  const auto file = read_safetensors(output);
  const auto sentences = nlohmann::json::parse(file.metadata.at("sentences"));
  REQUIRE(sentences.size() == 1);
  const auto& sentence = sentences[0];
  CHECK(sentence["source"] == "abc de");
  CHECK(sentence["source_words"] == std::vector<std::string>{"abc", "de"});
  CHECK(sentence["target_words"] == std::vector<std::string>{"a", "de", "abc"});
  const auto tokens = sentence["source_tokens"].get<std::vector<std::string>>();
  CHECK(file.at("encoder.0").size(0) == static_cast<int64_t>(tokens.size()));
  CHECK(sentence["source_word_of_token"].size() == tokens.size());
  CHECK(sentence["source_word_of_token"].front() == 0);
  CHECK(sentence["source_word_of_token"].back() == 1);
  const auto written = sentence["target_tokens"].get<std::vector<std::string>>();
  CHECK(file.at("decoder.0").size(0) == static_cast<int64_t>(written.size()));
  CHECK(written.back() == "</s>");
  const auto words = sentence["target_word_of_token"].get<std::vector<int64_t>>();
  REQUIRE(words.size() == written.size());
  CHECK(words.back() == -1);
  CHECK(words[words.size() - 2] == 2);
}

TEST_CASE("Without targets the states are those of the model's own translations", "[states]") {
  const TemporaryFolder folder;
  write_small_model(folder / "model", model_shapes()[0]);
  const auto source = folder.write("source", states_text(kStatesSource));
  write_states({folder / "model", source, "", folder / "own"});
  std::vector<std::string> translations;
  for (const auto& one : Translator({{folder / "model"}}).translate(kStatesSource)) {
    translations.push_back(one.text);
  }
  write_states({folder / "model", source, folder.write("target", states_text(translations)),
                folder / "given"});
  CHECK(read_file(folder / "own") == read_file(folder / "given"));
}

TEST_CASE("Lines that only nmt translate splits into sentences are named", "[states]") {
  const TemporaryFolder folder;
  write_small_model(folder / "model", model_shapes()[0]);
  const auto source = folder.write("source", "Abc de! Abc.\nabc\n");
  const auto target = folder.write("target", "abc\nabc\n");
  const LogCapture log;
  write_states({folder / "model", source, target, folder / "given"});
  CHECK(log.text().empty());
  write_states({folder / "model", source, "", folder / "own"});
  CHECK(contains(log.text(), "source: 1 of 2 lines with several sentences; each line is"));
}

TEST_CASE("States that cannot be written leave nothing", "[states]") {
  const TemporaryFolder folder;
  write_small_model(folder / "model", model_shapes()[0]);
  write_small_model(folder / "lm", language_model_shape());
  const auto two = folder.write("two", "abc\n\n");
  const auto one = folder.write("one", "abc\n");
  const auto output = folder / "states";
  const auto error = [&](const StatesRequest& request) {
    const auto message = error_of([&] { write_states(request); });
    CHECK_FALSE(std::filesystem::exists(output));
    return message;
  };
  CHECK(contains(error({folder / "model", two, "", output}), "two: line 2: has nothing to read"));
  CHECK(contains(error({folder / "model", one, two, output}), "two"));
  const auto long_text = folder.write("long", std::string(9000, 'a') + "\n");
  CHECK(contains(error({folder / "model", long_text, one, output}), "long: line 1: "));
  CHECK(contains(error({folder / "model", one, long_text, output}), "long: line 1: "));
  CHECK(contains(error({folder / "lm", one, one, output}),
                 "lm: a language model does not translate"));
  CHECK(contains(error({folder / "model", one, one, "-"}),
                 "--output -: only text is written to standard output; name a file"));
  CHECK(contains(error({folder / "absent", one, one, folder / "no/states"}),
                 "no/states: cannot be written"));  // before the model is read
  CHECK(write_states({folder / "model", one, one, output}) ==
        output.string() + ": states of 1 sentence");
  CHECK(contains(error_of([&] {
                   write_states({folder / "model", one, one, output});
                 }),
                 "already exists"));
  write_states({folder / "model", one, one, output, /*overwrite=*/true});
}

}  // namespace nmt
