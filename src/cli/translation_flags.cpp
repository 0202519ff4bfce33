#include "cli/translation_flags.h"

#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "translate/translator_choices.h"

namespace nmt {

void add_model_flags(CLI::App& command, TranslatorOptions& options, bool required) {
  add_model(command, options.model_dirs,
            "Model directory or packed model; several form an ensemble")
      ->required(required);
  command
      .add_option("--to", options.target_language,
                  "Target language, for a model with several (data.train_languages)")
      ->type_name("CODE")
      ->group(kSearchGroup);
  add_compute_flags(command, options);
}

void add_compute_flags(CLI::App& command, TranslatorOptions& options) {
  const HelpGroup group(command, kComputeGroup);
  add_device(command, options.device);
  add_threads(command, options.threads);
  add_choice(command, "--engine", options.engine, "Compute engine (fused is faster, CPU only)");
  add_choice(command, "--precision", options.precision,
             "Precision (faster, less exact: int8 on a CPU, bfloat16 on a GPU)");
}

void add_language_model_flags(CLI::App& command, TranslatorOptions& options) {
  const HelpGroup group(command, kSearchGroup);
  auto* model =
      command.add_option("--lm", options.language_model,
                         "Language model of the target (nmt lm train) for shallow fusion");
  model->type_name("MODEL");
  add_with_default(command, "--lm-weight", options.language_model_weight,
                   "Weight B of the language model: search ranks by log p(y|x) + B log p(y)")
      ->needs(model)
      ->check(check_in({0, 100}));
}

void add_guidance_flags(CLI::App& command, TranslatorOptions& options) {
  add_language_model_flags(command, options);
  const HelpGroup group(command, kSearchGroup);
  command.add_option("--terms", options.terms,
                     "Glossary: on each line a term, a tab and its required translation");
  command.add_option("--shortlist", options.shortlist,
                     "Lexical shortlist (nmt shortlist): consider only likely target tokens");
}

void add_ensemble_flags(CLI::App& command, TranslatorOptions& options) {
  command
      .add_option("--model-weights", options.model_weights,
                  "Weights of an ensemble's probabilities, one for each --model-dir [equal]")
      ->type_name("WEIGHT")
      ->group(kSearchGroup);
}

namespace {

void add_search_flags(CLI::App& command, TranslationOptions& options) {
  const HelpGroup group(command, kSearchGroup);
  const auto add = [&](const char* name, auto& value, const char* meaning) {
    return add_with_default(command, name, value, meaning);
  };
  add("-b,--beam-size", options.beam_size, "Hypotheses kept at each step; 1 is greedy search");
  add("--n-best", options.n_best,
      "Translations per line, best first; without --sample at most --beam-size");
  add("--length-penalty", options.length_penalty,
      "Exponent A of length normalization; above 0 favors longer translations");
  add_choice(command, "--length-normalization", options.length_normalization,
             "Length normalization (wu: ((5+length)/6)^A; mean: length^A)");
  add("--max-length", options.max_length, "Maximum length of a translation, in tokens");
  add("--min-length", options.min_length, "Minimum length of a translation, in tokens");
  add("--max-length-ratio", options.max_length_ratio,
      "Maximum target tokens per source token, plus 10");
  add_choice(command, "--split", options.split,
             "Unit of translation (model: as the model was trained)");
  add("--max-source-length", options.max_source_length,
      "Maximum tokens translated together; longer text is split");
  command.add_flag("--pass-through", options.pass_through,
                   "Leave sentences that are already in the target language unchanged");
  add("--batch-size", options.batch_size,
      "Sentences translated together; on a GPU by default 1024");
  add("--coverage-penalty", options.coverage_penalty,
      "Weight of the coverage penalty; above 0 favors attending to the whole source");
  add("--no-repeat-ngram", options.no_repeat_ngram,
      "Block repeated n-grams of this length; 0 disables it");
  auto* groups = add("--diverse-groups", options.diverse_groups,
                     "Groups of diverse beam search; 1 is ordinary beam search");
  add("--diversity-strength", options.diversity_strength,
      "Penalty for tokens that earlier groups chose")
      ->needs(groups);
  command.add_flag(
      "--copy-unknown,!--no-copy-unknown", options.copy_unknown,
      "Copy words in letters that the vocabulary lacks to where attention points [on]");
  command.add_flag("--recase,!--no-recase", options.recase,
                   "Translate ALL CAPS and Title Case as ordinary text [on]");
}

void add_sampling_flags(CLI::App& command, TranslationOptions& options) {
  const HelpGroup group(command, kSamplingGroup);
  auto* sample = command.add_flag("--sample", options.sample, "Sample translations at random");
  sample->excludes(command.get_option("--beam-size"));
  add_with_default(command, "--temperature", options.temperature,
                   "Softmax temperature; below 1 is more conservative");
  add_with_default(command, "--top-k", options.top_k,
                   "Sample from the k most probable tokens; 0 is all");
  add_with_default(command, "--top-p", options.top_p,
                   "Sample from the most probable tokens of this total probability");
  add_with_default(command, "--seed", options.seed, "Seed of sampling")->check(check_seed);
  need_in_group(command, kSamplingGroup, sample);
}

}  // namespace

void add_translation_flags(CLI::App& command, TranslationOptions& options) {
  add_search_flags(command, options);
  add_sampling_flags(command, options);
}

void complete_translation_flags(const CLI::App& command, const TranslatorOptions& translator,
                                TranslationOptions& options) {
  if (options.diverse_groups == 1) {
    refuse_option(command, "--diversity-strength",
                  "has no effect on one group; use --diverse-groups 2 or more");
  }
  constexpr int64_t kOnGpu = 1024;  // fewer leave most of a GPU idle
  if (translator.device != "cpu" && command.count("--batch-size") == 0) {
    options.batch_size = kOnGpu;
  }
}

void add_mbr_flag(CLI::App& command, int64_t& num_candidates) {
  add_with_default(command, "--mbr", num_candidates,
                   "MBR: pick from N hypotheses or samples by expected chrF2; 0 disables it")
      ->check(CLI::Range(0, 1000))
      ->group(kSearchGroup);
}

}  // namespace nmt
