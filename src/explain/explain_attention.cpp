#include "explain/explain_attention.h"

#include <unistd.h>

#include <vector>

#include "checkpoint/stored_model.h"
#include "errors/error.h"
#include "errors/log.h"
#include "explain/beam.h"
#include "explain/gradient.h"
#include "explain/omission.h"
#include "explain/walks.h"
#include "explain/word_vectors.h"
#include "files/output_file.h"
#include "translate/text_scoring.h"
#include "translate/translator.h"

namespace nmt {
namespace {

Explanation explain_model(const ExplainRequest& request) {
  const auto sentence = joined_words(words_to_explain(request.sentence));
  const auto shape = read_model(request.model_dir).options;
  const Translator translator({{request.model_dir}});
  translator.require_attention();
  auto options = options_as_scored();  // as a whole, as written
  options.attention = options.words = true;
  return explain_translation(sentence, translator.translate({sentence}, options).front(), shape,
                             !translator.target_languages().empty());
}

bool terminal_shows_emphasis() { return ::isatty(STDOUT_FILENO) == 1 && may_show_colors(); }

void require_known_extension(const std::filesystem::path& output) {
  const auto extension = output.extension();
  if (output.empty() || extension == ".html" || extension == ".svg") return;
  throw UsageError("--output " + output.string() + ": unknown extension; use .html or .svg");
}

}  // namespace

Explanation explain_attention(const ExplainRequest& request) {
  if (!request.model_dir.empty()) return explain_model(request);
  const auto input = request.example ? example_input() : sentence_input(request.sentence);
  return walk_attention(*request.kind, input);
}

Explanation explain_gru(const ExplainRequest& request) {
  if (!request.model_dir.empty()) {
    return explain_encoder_gru(read_model(request.model_dir), request.model_dir.string(),
                               request.sentence);
  }
  return walk_gru(request.example ? example_input() : sentence_input(request.sentence));
}

Explanation explain_omission(const ExplainRequest& request) {
  const Translator translator({{request.model_dir}});
  return explain_omissions(measure_omissions(translator, request.sentence, request.translation));
}

Explanation explain_beam(const ExplainRequest& request) {
  return explain_beam_tree(grow_beam_tree(request.model_dir, request.sentence, request.beam_size,
                                          request.length_penalty));
}

Explanation explain_pieces(const ExplainRequest& request) {
  const auto model = read_model(request.model_dir);
  const auto& tokenizer = request.target ? model.target : model.source;
  const WordSegmenter segmenter(tokenizer.bytes(), request.model_dir.string());
  std::vector<SegmentedWord> words;
  for (const auto& word : words_to_explain(tokenizer.as_read(request.sentence))) {
    words.push_back(segmenter.segment(word));
  }
  return explain_segmentations(words, segmenter.is_bpe());
}

Explanation explain_gradient(const ExplainRequest& request) {
  if (request.model_dir.empty()) return explain_small_gradient(small_decoder());
  const auto model = read_model(request.model_dir);
  require_translator(model.options, request.model_dir);
  const auto source =
      tokens_to_explain(model.source, request.sentence, TargetLanguages(model.source));
  const auto target = tokens_to_explain(model.target, *request.translation, {}, "the translation");
  const auto gradients = gradient_measure()(model, source, target);
  return explain_model_gradients(request.sentence, *request.translation, gradients, model.options);
}

void write_explanation(const ExplainRequest& request,
                       Explanation (*explain)(const ExplainRequest&)) {
  require_known_extension(request.output);
  const auto explanation = explain(request);
  const auto extension = request.output.extension();
  OutputFile output(request.output);
  if (extension == ".html") {
    output.write(explanation_page(explanation, request.language));
  } else if (extension == ".svg") {
    output.write(explanation_picture(explanation, request.language));
  } else {
    output.write(explanation_text(explanation, request.language, terminal_shows_emphasis()));
  }
  output.finish();
}

}  // namespace nmt
