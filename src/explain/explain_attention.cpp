#include "explain/explain_attention.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "checkpoint/stored_model.h"
#include "errors/error.h"
#include "explain/attention_walk.h"
#include "explain/beam.h"
#include "explain/beam_walk.h"
#include "explain/explanation_page.h"
#include "explain/explanation_text.h"
#include "explain/gradient.h"
#include "explain/gradient_walk.h"
#include "explain/gru_walk.h"
#include "explain/model_walk.h"
#include "explain/omission.h"
#include "explain/omission_walk.h"
#include "explain/pieces_walk.h"
#include "explain/word_vectors.h"
#include "files/output_file.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::vector<std::string> kWithJson = {".html", ".svg", ".json"};

Explanation explain_model(const ExplainRequest& request) {
  const auto sentence = joined_words(words_to_explain(request.sentence));
  const auto shape = read_model(request.model_dir).options;
  const Translator translator({{request.model_dir}});
  translator.require_attention();
  TranslationOptions options;
  options.attention = options.words = true;
  return explain_translation(sentence, translator.translate({sentence}, options).front(), shape);
}

Explanation explain(const ExplainRequest& request) {
  if (!request.model_dir.empty()) return explain_model(request);
  const auto input = request.example ? example_input() : sentence_input(request.sentence);
  return walk_attention(*request.kind, input);
}

/// NO_COLOR: see https://no-color.org.
bool terminal_shows_emphasis() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') &&
         terminal != nullptr && std::string(terminal) != "dumb";
}

void require_known_extension(const std::filesystem::path& output,
                             const std::vector<std::string>& known = {".html", ".svg"}) {
  const auto extension = output.extension().string();
  if (output.empty() || std::find(known.begin(), known.end(), extension) != known.end()) return;
  std::string names;
  for (const auto& name : known) {
    names += (names.empty() ? "" : name == known.back() ? " or " : ", ") + name;
  }
  throw UsageError("--output " + output.string() + ": unknown extension; use " + names);
}

/// `json` where the output may be that.
void write(const Explanation& explanation, const ExplainRequest& request,
           const std::string& json = "") {
  const auto extension = request.output.extension();
  OutputFile output(request.output);
  if (extension == ".html") {
    output.write(explanation_page(explanation, request.language));
  } else if (extension == ".svg") {
    output.write(explanation_picture(explanation, request.language));
  } else if (extension == ".json") {
    output.write(json + "\n");
  } else {
    output.write(explanation_text(explanation, request.language, terminal_shows_emphasis()));
  }
  output.finish();
}

}  // namespace

void explain_attention(const ExplainRequest& request) {
  require_known_extension(request.output);
  write(explain(request), request);
}

void explain_gru(const ExplainRequest& request) {
  require_known_extension(request.output);
  if (!request.model_dir.empty()) {
    return write(explain_encoder_gru(read_model(request.model_dir), request.model_dir.string(),
                                     request.sentence),
                 request);
  }
  write(walk_gru(request.example ? example_input() : sentence_input(request.sentence)), request);
}

void explain_omission(const ExplainRequest& request) {
  require_known_extension(request.output, kWithJson);
  const Translator translator({{request.model_dir}});
  const auto omissions = measure_omissions(translator, request.sentence, request.translation);
  write(explain_omissions(omissions), request, omissions_json(omissions));
}

void explain_beam(const ExplainRequest& request) {
  require_known_extension(request.output, kWithJson);
  const auto tree = grow_beam_tree(request.model_dir, request.sentence, request.beam_size,
                                   request.length_penalty);
  write(explain_beam_tree(tree), request, beam_tree_json(tree));
}

void explain_pieces(const ExplainRequest& request) {
  require_known_extension(request.output, kWithJson);
  const auto model = read_model(request.model_dir);
  const auto& tokenizer = request.target ? model.target : model.source;
  const WordSegmenter segmenter(tokenizer.bytes(), request.model_dir.string());
  std::vector<SegmentedWord> words;
  for (const auto& word : words_to_explain(tokenizer.as_read(request.sentence))) {
    words.push_back(segmenter.segment(word));
  }
  write(explain_segmentations(words, segmenter.is_bpe()), request, segmentations_json(words));
}

void explain_gradient(const ExplainRequest& request) {
  require_known_extension(request.output, kWithJson);
  if (request.model_dir.empty()) {
    const auto decoder = small_decoder();
    const ModelGradients example{run_forward(decoder).loss, 1, {}, check_derivatives(decoder)};
    return write(explain_small_gradient(decoder), request, gradients_json(example));
  }
  const auto model = read_model(request.model_dir);
  require_translator(model.options, request.model_dir);
  const auto source =
      tokens_to_explain(model.source, request.sentence, TargetLanguages(model.source));
  const auto target = tokens_to_explain(model.target, *request.translation, {}, "the translation");
  const auto gradients = gradient_measure()(model, source, target);
  write(explain_model_gradients(request.sentence, *request.translation, gradients, model.options),
        request, gradients_json(gradients));
}

}  // namespace nmt
