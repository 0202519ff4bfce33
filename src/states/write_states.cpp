#include "states/write_states.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "checkpoint/model.h"
#include "checkpoint/safetensors_header.h"
#include "data/batch.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/json.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"
#include "text/placeholders.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "text/target_languages.h"
#include "translate/forced_translation.h"
#include "translate/text_scoring.h"
#include "translate/translator.h"
#include "translate/words.h"

namespace nmt {
namespace {

/// The tensors that shapes_of() lists, of all sentences of a batch: [B, …] each.
std::vector<torch::Tensor> states_of(Seq2Seq& network, const Batch& batch) {
  const auto encoded = network->encode(batch.source, batch.source_lengths);
  auto state = network->start(encoded);
  std::vector<torch::Tensor> hidden;
  std::vector<torch::Tensor> attentional;  // of a Transformer: what is called decoder in the file
  std::vector<torch::Tensor> attention;
  for (const auto& tokens : batch.target_input.unbind(1)) {  // [B]
    const auto step = network->step(tokens, state, encoded.memory);
    if (step.hidden.defined()) hidden.push_back(step.hidden);
    attentional.push_back(step.attentional_hidden);
    if (step.attention.defined()) attention.push_back(step.attention);
  }
  std::vector<torch::Tensor> states = {encoded.states};
  for (const auto* steps : {&hidden, &attentional, &attention}) {
    if (!steps->empty()) states.push_back(torch::stack(*steps, 1));
  }
  return states;
}

/// The tensors of a sentence, in the order of the file.
std::vector<std::pair<std::string, std::vector<int64_t>>> shapes_of(const Seq2SeqOptions& options,
                                                                    const GivenPair& pair) {
  const bool recurrent = options.architecture == Architecture::kRecurrent;
  const auto source = static_cast<int64_t>(pair.source.tokens.size());
  const auto target = static_cast<int64_t>(pair.target_tokens.size()) + 1;
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes = {
      {"encoder", {source, options.hidden_size}}, {"decoder", {target, options.hidden_size}}};
  if (recurrent) shapes.push_back({"attentional", {target, options.hidden_size}});
  if (!recurrent || options.attention != &none_attention()) {
    shapes.push_back({"attention", {target, source}});
  }
  return shapes;
}

std::vector<TensorEntry> entries_of(const Seq2SeqOptions& options,
                                    const std::vector<GivenPair>& pairs) {
  std::vector<TensorEntry> entries;
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (const auto& [name, shape] : shapes_of(options, pairs[i])) {
      entries.push_back({name + "." + std::to_string(i), "F32", shape});
    }
  }
  return entries;
}

/// Tokens, words, and the word of each token; -1 for the end of sentence.
nlohmann::ordered_json sentence_json(const std::string& source, const GivenPair& pair,
                                     const Tokenizers& tokenizers) {
  auto target_tokens = pair.target_tokens;
  target_tokens.push_back(kEosId);
  const auto words = words_of_text(pair.target, pair.target_tokens, tokenizers.target);
  std::vector<int64_t> word_of_token(words.of_token.begin(), words.of_token.end());
  word_of_token.push_back(-1);
  return {{"source", source},
          {"source_tokens", tokenizers.source.pieces(pair.source.tokens)},
          {"source_words", pair.source.words.texts},
          {"source_word_of_token", pair.source.words.of_token},
          {"target", pair.target},
          {"target_tokens", tokenizers.target.pieces(target_tokens)},
          {"target_words", words.texts},
          {"target_word_of_token", word_of_token}};
}

/// The end of the batch that begins at `begin`; the longer the sentences, the fewer.
size_t end_of_batch(const std::vector<GivenPair>& pairs, size_t begin) {
  constexpr size_t kMaxSentences = 64;
  constexpr size_t kMaxCells = 1 << 22;  // of attention
  size_t longest_source = 0;
  size_t longest_target = 0;
  size_t end = begin;
  for (; end < pairs.size() && end - begin < kMaxSentences; ++end) {
    longest_source = std::max(longest_source, pairs[end].source.tokens.size());
    longest_target = std::max(longest_target, pairs[end].target_tokens.size() + 1);
    if (end > begin && (end + 1 - begin) * longest_source * longest_target > kMaxCells) break;
  }
  return end;
}

void write_batch(std::ostream& stream, Seq2Seq& network, const std::vector<GivenPair>& pairs,
                 size_t begin, size_t end) {
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
  for (size_t i = begin; i < end; ++i) {
    sources.push_back(pairs[i].source.tokens);
    targets.push_back(pairs[i].target_tokens);
  }
  const auto states = states_of(network, make_batch(sources, targets));
  for (size_t i = begin; i < end; ++i) {
    const auto shapes = shapes_of(network->options(), pairs[i]);
    for (size_t k = 0; k < shapes.size(); ++k) {
      const auto& shape = shapes[k].second;
      const auto padded = states[k][static_cast<int64_t>(i - begin)];
      const auto rows = padded.narrow(0, 0, shape[0]).narrow(1, 0, shape[1]).contiguous();
      stream.write(static_cast<const char*>(rows.data_ptr()),
                   static_cast<std::streamsize>(rows.nbytes()));
    }
  }
}

std::vector<std::string> targets_of(const StatesRequest& request,
                                    const std::vector<std::string>& sources) {
  if (!request.target.empty()) {
    auto targets = read_lines(request.target);
    require_paired_lines(request.source, sources.size(), request.target, targets.size());
    return targets;
  }
  const Translator translator({{request.model_dir}});
  const auto is_several = [&hints = translator.sentence_hints()](const std::string& line) {
    return split_text(line, hints).sentences.size() > 1;
  };
  const auto several = std::count_if(sources.begin(), sources.end(), is_several);
  if (several > 0 && translator.default_split() == LineSplit::kSentences) {
    log_warning(
        "{}: {} of {} lines with several sentences; each line is translated as a whole, while nmt "
        "translate splits it",
        request.source.string(), several, sources.size());
  }
  std::vector<std::string> targets;
  for (auto& translation : translator.translate(sources, options_as_scored())) {
    targets.push_back(std::move(translation.text));
  }
  return targets;
}

}  // namespace

std::string write_states(const StatesRequest& request) try {
  require_absent(request.output, request.overwrite);
  auto model = load_model(request.model_dir, torch::kCPU);
  const auto& options = model.network->options();
  require_translator(options, request.model_dir);
  const auto sources = read_lines(request.source);
  if (sources.empty()) throw Error(request.source.string() + ": nothing to read");
  const Tokenizers tokenizers{model.source, model.target};
  if (!TargetLanguages(model.source).empty()) {
    throw Error(request.model_dir.string() +
                ": translates into several languages; states are written for models with one");
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!tokenizers.source.encode(sources[i]).empty()) continue;
    throw Error(request.source.string() + ": line " + std::to_string(i + 1) +
                ": has nothing to read; remove the line");
  }
  const auto targets = targets_of(request, sources);
  const auto placeholders = placeholders_of(tokenizers);
  std::vector<GivenPair> pairs;
  auto sentences = nlohmann::ordered_json::array();
  for (size_t i = 0; i < sources.size(); ++i) {
    pairs.push_back(make_given_pair(sources[i], targets[i], i + 1, tokenizers, placeholders));
    sentences.push_back(sentence_json(sources[i], pairs.back(), tokenizers));
  }
  std::string header;
  try {
    header =
        make_safetensors_header({{"sentences", dump_json(sentences)}}, entries_of(options, pairs));
  } catch (const Error& error) {
    throw Error(request.output.string() + ": " + error.what() + "; use fewer lines");
  }
  write_file_atomically(request.output, [&](std::ostream& stream) {
    const c10::InferenceMode no_gradients;
    stream.write(header.data(), static_cast<std::streamsize>(header.size()));
    for (size_t begin = 0, end = 0; begin < pairs.size() && stream; begin = end) {
      end = end_of_batch(pairs, begin);
      write_batch(stream, model.network, pairs, begin, end);
    }
  });
  return request.output.string() + ": states of " +
         counted(static_cast<int64_t>(pairs.size()), "sentence");
} catch (const TextTooLong& error) {
  const bool is_source = error.is_source || request.target.empty();
  throw Error((is_source ? request.source : request.target).string() + ": " + error.what());
}

}  // namespace nmt
