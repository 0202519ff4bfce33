#include "cli/translation_flags.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace nmt {

std::string check_seed(const std::string& text) {
  uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seed);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  return whole ? "" : "'" + text + "' is not a whole number from 0 to 2^64-1";
}

void ModelFlags::add_to(CLI::App& command, bool required) {
  command
      .add_option("-m,--model-dir", model_dirs,
                  "Folder or packed file of the model; several are an ensemble")
      ->required(required)
      ->type_name("MODEL");
  add_compute_flags(command);
}

void ModelFlags::add_compute_flags(CLI::App& command) {
  command.add_option("--device", device, "Where to compute: cpu, cuda or cuda:N")
      ->capture_default_str();
  command.add_option("--threads", threads, "Threads to compute with; 0: one for each core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  command
      .add_option("--engine", engine,
                  "What computes: plain (LibTorch, any device), fused (faster, one model on a CPU) "
                  "or auto (fused where it can be)")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "plain", "fused"}));
  command
      .add_option("--precision", precision,
                  "Weights of the fused engine: float32, or int8, which is faster and less exact")
      ->capture_default_str()
      ->check(CLI::IsMember({"float32", "int8"}));
}

void ModelFlags::add_fusion_flags(CLI::App& command) {
  auto* model = command.add_option(
      "--lm", language_model,
      "Folder or packed file of a language model of the target (nmt lm train) that has a say in "
      "each token; by the plain engine");
  model->type_name("MODEL")->group("Search");
  command
      .add_option("--lm-weight", language_model_weight,
                  "B of the language model's say: translations are ranked by log p(y|x) + B log "
                  "p(y)")
      ->capture_default_str()
      ->needs(model)
      ->group("Search");
}

TranslatorOptions ModelFlags::options() const {
  TranslatorOptions options{
      {model_dirs.begin(), model_dirs.end()}, device, threads, engine, precision};
  options.language_model = language_model;
  options.language_model_weight = language_model_weight;
  return options;
}

TranslatorOptions ModelFlags::options(const TranslationOptions& translation) const {
  auto translator = options();
  if (translation.sample) translator.engine = "plain";
  return translator;
}

void add_translation_flags(CLI::App& command, TranslationOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* meaning, const char* group) {
    command.add_option(name, value, meaning)->capture_default_str()->group(group);
  };
  add("-b,--beam-size", options.beam_size, "Hypotheses kept at every step; 1 is greedy search",
      "Search");
  add("--n-best", options.n_best, "Translations for each line, best first", "Search");
  add("--length-penalty", options.length_penalty,
      "A of the length normalisation; above 0 favours longer translations, 0 turns it off",
      "Search");
  add("--length-normalization", options.length_normalization,
      "What a log-probability is divided by: wu ((5+length)/6)^A, mean (length^A) or none",
      "Search");
  add("--max-length", options.max_length, "Longest translation, in tokens", "Search");
  add("--min-length", options.min_length, "Shortest translation, in tokens", "Search");
  add("--max-length-ratio", options.max_length_ratio,
      "Longest translation, in tokens for each source token (10 more are allowed)", "Search");
  add("--max-source-length", options.max_source_length,
      "Lines of more tokens are translated in parts", "Search");
  add("--batch-size", options.batch_size, "Sentences translated together", "Search");
  add("--coverage-penalty", options.coverage_penalty,
      "B of the coverage penalty; above 0 favours translations that look at the whole source",
      "Search");
  add("--no-repeat-ngram", options.no_repeat_ngram,
      "Never write the same sequence of N tokens twice; 0: no such rule", "Search");
  add("--diverse-groups", options.diverse_groups,
      "Groups that the beam is shared among, each avoiding what those before it chose", "Search");
  add("--diversity-strength", options.diversity_strength,
      "How much less likely a group finds a token for each choice of it before", "Search");
  command
      .add_flag("--copy-unknown", options.copy_unknown,
                "Where the model lacks a word, copy the source's word with most attention")
      ->group("Search");
  command.add_flag("--sample", options.sample, "Draw translations at random instead of searching")
      ->group("Sampling");
  add("--temperature", options.temperature, "Below 1 makes sampling bolder, above 1 wilder",
      "Sampling");
  add("--top-k", options.top_k, "Draw from the k likeliest tokens; 0: from all", "Sampling");
  add("--top-p", options.top_p,
      "Draw from the likeliest tokens that have this probability together", "Sampling");
  command.add_option("--seed", options.seed, "Seed of sampling")
      ->check(check_seed)
      ->capture_default_str()
      ->group("Sampling");
}

}  // namespace nmt
