#include "c_interface/nmt.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "errors/error.h"
#include "translate/translator.h"

struct nmt_translator {
  nmt::Translator translator;
  pid_t process = ::getpid();  // a child of fork has none of the translator's threads
};

namespace nmt::c_interface {

static thread_local std::string last_error;  // NOLINT: C asks for it after the call

/// Runs `work` and returns 0; turns an exception into 1 and an error message. The kernels raise
/// floating-point exceptions, which the host may trap, also in threads that `work` starts.
template <typename Work>
int without_exceptions(const Work& work) {
  std::fenv_t host{};
  std::feholdexcept(&host);
  int status = 1;
  try {
    work();
    status = 0;
  } catch (const std::bad_alloc&) {
    last_error = "out of memory; try a smaller batch, beam or model";
  } catch (const Error& error) {  // may name a file with line breaks
    last_error = error.what();
    std::replace(last_error.begin(), last_error.end(), '\n', ' ');
  } catch (const std::exception& error) {  // LibTorch appends a backtrace
    last_error = error.what();
    last_error.resize(std::min(last_error.size(), last_error.find('\n')));
  } catch (...) {
    last_error = "unknown error";
  }
  std::fesetenv(&host);
  return status;
}

/// The caller's options, or the defaults for NULL.
template <typename Options>
Options options_or_defaults(const Options* given, void (*set_defaults)(Options*)) {
  Options options;
  set_defaults(&options);
  if (given == nullptr) return options;
  if (given->version == NMT_OPTIONS_VERSION) return *given;
  throw UsageError("options: version " + std::to_string(given->version) +
                   " is unknown; call nmt_init_open_options or nmt_init_translate_options first");
}

void require_given(const void* pointer, const char* name) {
  if (pointer == nullptr) throw UsageError(std::string(name) + ": is NULL");
}

/// Throws UsageError in a child of fork(), where a call would wait forever.
const Translator& usable(const nmt_translator* translator) {
  require_given(translator, "translator");
  if (translator->process == ::getpid()) return translator->translator;
  throw UsageError("translator: opened before fork; open another one in this process");
}

std::vector<std::string> strings(const char* const* texts, size_t count, const char* name) {
  if (count > 0) require_given(texts, name);
  std::vector<std::string> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    require_given(texts[i], name);
    result.emplace_back(texts[i]);
  }
  return result;
}

/// The path, or "" for NULL.
std::string path_or_none(const char* path, const char* name) {
  if (path != nullptr && *path == '\0') {
    throw UsageError(std::string(name) + ": is empty; use a path");
  }
  return path == nullptr ? "" : path;
}

TranslatorOptions translator_options(const char* model, const nmt_open_options& options) {
  TranslatorOptions result;
  result.model_dirs.emplace_back(path_or_none(model, "model"));
  for (const auto& other : strings(options.ensemble, options.num_ensemble, "ensemble")) {
    result.model_dirs.emplace_back(path_or_none(other.c_str(), "ensemble"));
  }
  if (options.device != nullptr) result.device = options.device;
  result.threads = options.threads;
  result.callers = options.callers;
  result.precision =
      options.int8 != 0 ? TranslationPrecision::kInt8 : TranslationPrecision::kFloat32;
  result.language_model = path_or_none(options.language_model, "language_model");
  result.language_model_weight = options.language_model_weight;
  result.terms = path_or_none(options.terms, "terms");
  result.shortlist = path_or_none(options.shortlist, "shortlist");
  return result;
}

LineSplit line_split(int32_t split) {
  static_assert(static_cast<int>(LineSplit::kNone) == NMT_SPLIT_NONE &&
                static_cast<int>(LineSplit::kSentences) == NMT_SPLIT_SENTENCES);
  if (split < NMT_SPLIT_MODEL || split > NMT_SPLIT_SENTENCES) {
    throw UsageError("split: " + std::to_string(split) + " is not a value of nmt_split");
  }
  return static_cast<LineSplit>(split);
}

/// Copies options between their C and C++ structs, in either direction.
template <typename From, typename To>
void copy_numbers(const From& from, To& to) {
  to.beam_size = from.beam_size;
  to.n_best = from.n_best;
  to.length_penalty = from.length_penalty;
  to.max_length = from.max_length;
  to.min_length = from.min_length;
  to.max_length_ratio = from.max_length_ratio;
  to.batch_size = from.batch_size;
  to.no_repeat_ngram = from.no_repeat_ngram;
  to.coverage_penalty = from.coverage_penalty;
  to.temperature = from.temperature;
  to.top_k = from.top_k;
  to.top_p = from.top_p;
  to.seed = from.seed;
}

TranslationOptions translation_options(const nmt_translate_options& options) {
  TranslationOptions result;
  result.split = line_split(options.split);
  copy_numbers(options, result);
  result.sample = options.sample != 0;
  result.attention = options.attention != 0;
  result.words = options.words != 0;
  return result;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size());
  for (const auto& text : texts) result.push_back(text.c_str());
  return result;
}

/// Owns the arrays that a candidate's C struct points to.
struct CandidateView {
  nmt_candidate view{};
  std::vector<const char*> tokens;
  std::vector<const char*> words;
  std::vector<const char*> warnings;
  std::vector<float> attention;
  std::vector<nmt_link> alignment;

  explicit CandidateView(const TranslationCandidate& candidate)
      : tokens(pointers(candidate.tokens)),
        words(pointers(candidate.words)),
        warnings(pointers(candidate.warnings)) {
    for (const auto& row : candidate.attention) {
      attention.insert(attention.end(), row.begin(), row.end());
    }
    for (const auto& link : candidate.alignment) alignment.push_back({link.source, link.target});
    view.text = candidate.text.c_str();
    view.score = candidate.score;
    view.log_probability = candidate.log_probability;
    view.confidence = candidate.confidence.value_or(std::nan(""));
    view.num_tokens = tokens.size();
    view.tokens = tokens.data();
    view.token_log_probabilities = candidate.token_log_probabilities.data();
    view.attention_rows = candidate.attention.size();
    view.attention_columns = candidate.attention.empty() ? 0 : candidate.attention[0].size();
    view.attention = attention.data();
    view.num_words = words.size();
    view.words = words.data();
    view.word_log_probabilities = candidate.word_log_probabilities.data();
    view.num_links = alignment.size();
    view.alignment = alignment.data();
    view.num_warnings = warnings.size();
    view.warnings = warnings.data();
  }
};

struct TranslationView {
  nmt_translation view{};
  std::vector<CandidateView> candidates;  // C structs point into them
  std::vector<const nmt_candidate*> candidate_views;
  std::vector<const char*> source_tokens;
  std::vector<const char*> source_words;

  explicit TranslationView(const Translation& translation)
      : candidates(translation.candidates.begin(), translation.candidates.end()),
        source_tokens(pointers(translation.source_tokens)),
        source_words(pointers(translation.source_words)) {
    for (const auto& candidate : candidates) candidate_views.push_back(&candidate.view);
    view.num_candidates = candidate_views.size();
    view.candidates = candidate_views.data();
    view.num_source_tokens = source_tokens.size();
    view.source_tokens = source_tokens.data();
    view.num_source_words = source_words.size();
    view.source_words = source_words.data();
  }
  TranslationView(const TranslationView&) = delete;
  TranslationView& operator=(const TranslationView&) = delete;
};

}  // namespace nmt::c_interface

namespace c = nmt::c_interface;

struct nmt_translations {
  std::vector<nmt::Translation> translations;
  std::vector<c::TranslationView> views;

  explicit nmt_translations(std::vector<nmt::Translation> result)
      : translations(std::move(result)), views(translations.begin(), translations.end()) {}
};

void nmt_init_open_options(nmt_open_options* options) {
  const nmt::TranslatorOptions defaults;
  *options = {};
  options->version = NMT_OPTIONS_VERSION;
  options->threads = defaults.threads;
  options->callers = defaults.callers;
  options->device = "cpu";
  options->language_model_weight = defaults.language_model_weight;
}

void nmt_init_translate_options(nmt_translate_options* options) {
  const nmt::TranslationOptions defaults;
  *options = {};
  options->version = NMT_OPTIONS_VERSION;
  options->split = NMT_SPLIT_MODEL;
  c::copy_numbers(defaults, *options);
}

int nmt_open(const char* model, const nmt_open_options* options, nmt_translator** translator) {
  return c::without_exceptions([&] {
    c::require_given(model, "model");
    c::require_given(translator, "translator");
    const auto chosen = c::options_or_defaults(options, nmt_init_open_options);
    *translator =
        new nmt_translator{nmt::Translator(c::translator_options(model, chosen))};  // NOLINT
  });
}

void nmt_close(nmt_translator* translator) {
  if (translator == nullptr || translator->process != ::getpid()) return;
  delete translator;  // NOLINT
}

int nmt_translate(const nmt_translator* translator, const char* const* lines, size_t num_lines,
                  const nmt_translate_options* options, nmt_translations** translations) {
  return c::without_exceptions([&] {
    const auto& usable = c::usable(translator);
    c::require_given(translations, "translations");
    const auto chosen = c::options_or_defaults(options, nmt_init_translate_options);
    const auto texts = c::strings(lines, num_lines, "lines");
    usable.require_languages(texts, "", "");
    auto result = usable.translate(texts, c::translation_options(chosen));
    *translations = new nmt_translations(std::move(result));  // NOLINT
  });
}

size_t nmt_size(const nmt_translations* translations) {
  return translations == nullptr ? 0 : translations->views.size();
}

const nmt_translation* nmt_get(const nmt_translations* translations, size_t line) {
  return line < nmt_size(translations) ? &translations->views[line].view : nullptr;
}

void nmt_free_translations(nmt_translations* translations) { delete translations; }  // NOLINT

int nmt_score(const nmt_translator* translator, const char* const* sources,
              const char* const* targets, size_t num_pairs, double* log_probabilities,
              int64_t* num_tokens) {
  return c::without_exceptions([&] {
    const auto& usable = c::usable(translator);
    if (num_pairs > 0) c::require_given(log_probabilities, "log_probabilities");
    const auto texts = c::strings(sources, num_pairs, "sources");
    usable.require_languages(texts, "", "");
    const auto scores = usable.score(texts, c::strings(targets, num_pairs, "targets"));
    for (size_t i = 0; i < num_pairs; ++i) {
      log_probabilities[i] = scores[i].log_probability;
      if (num_tokens != nullptr) num_tokens[i] = scores[i].num_tokens;
    }
  });
}

const char* nmt_last_error() { return c::last_error.c_str(); }

const char* nmt_version() { return NMT_VERSION; }
