#include "shortlist/make_shortlist.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "checkpoint/lexical_shortlist.h"
#include "checkpoint/stored_model.h"
#include "data/prepare.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/scratch_folder.h"
#include "processes/interrupt.h"
#include "shortlist/lexical_model.h"
#include "threads/threads.h"

namespace nmt {
namespace {

constexpr int kIterations = 5;  // of EM
constexpr char kInterruptedShortlist[] = "interrupted; nothing was written";

/// The target tokens that occur most often, at most `count`.
std::vector<int32_t> frequent_tokens(const PairWalk& pairs, int32_t vocabulary_size,
                                     int64_t count) {
  std::vector<int64_t> times(static_cast<size_t>(vocabulary_size));
  pairs([&](TokenSpan, TokenSpan target) {
    for (const int32_t token : target) ++times[static_cast<size_t>(token)];
  });
  std::vector<int32_t> tokens(times.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  std::stable_sort(tokens.begin(), tokens.end(), [&](int32_t a, int32_t b) {
    return times[static_cast<size_t>(a)] > times[static_cast<size_t>(b)];
  });
  tokens.resize(std::min(tokens.size(), static_cast<size_t>(count)));
  return tokens;
}

LexicalShortlist shortlist_of(const LexicalModel& model, const Tokenizers& vocabularies,
                              int64_t best) {
  LexicalShortlist shortlist;
  shortlist.target_vocabulary_size = vocabularies.target.vocabulary_size();
  // Names, numbers and placeholders are copied.
  std::unordered_map<std::string, int32_t> by_text;
  for (int32_t token = kEosId + 1; token < vocabularies.target.vocabulary_size(); ++token) {
    by_text[vocabularies.target.piece(token)] = token;
  }
  for (int32_t source = 0; source < vocabularies.source.vocabulary_size(); ++source) {
    auto tokens = source == kPadId ? std::vector<int32_t>() : model.best(source, best);
    const auto same = by_text.find(vocabularies.source.piece(source));
    if (same != by_text.end() &&
        std::find(tokens.begin(), tokens.end(), same->second) == tokens.end()) {
      tokens.push_back(same->second);
    }
    shortlist.tokens.insert(shortlist.tokens.end(), tokens.begin(), tokens.end());
    shortlist.ends.push_back(static_cast<int64_t>(shortlist.tokens.size()));
  }
  return shortlist;
}

/// Warns if a text has many unknown tokens, as when source and target are swapped.
void warn_of_unknown(const std::filesystem::path& text, const char* side, int64_t unknown,
                     int64_t tokens) {
  constexpr int64_t kMaxUnknown = 10;  // warns above 1 in 10
  if (unknown * kMaxUnknown <= tokens) return;
  log_warning(
      "{}: {} % of its tokens are unknown to the model's {} vocabulary; check the order of "
      "--train-sets (source, then target)",
      text.string(), 100 * unknown / tokens, side);
}

std::string describe(const PairWalk& pairs, const LexicalShortlist& shortlist,
                     const ShortlistRequest& request) {
  int64_t sentences = 0;
  int64_t candidates = 0;
  int64_t source_tokens = 0;
  int64_t source_unknown = 0;
  int64_t tokens = 0;
  int64_t unknown = 0;
  int64_t covered = 0;
  pairs([&](TokenSpan source, TokenSpan target) {
    const auto found = shortlist.candidates({source.begin(), source.end()}, {});
    ++sentences;
    candidates += static_cast<int64_t>(found.size());
    tokens += static_cast<int64_t>(target.size);
    covered += std::count_if(target.begin(), target.end(), [&](int32_t token) {
      return token != kUnknownId && std::binary_search(found.begin(), found.end(), token);
    });
    unknown += std::count(target.begin(), target.end(), kUnknownId);
    source_tokens += static_cast<int64_t>(source.size);
    source_unknown += std::count(source.begin(), source.end(), kUnknownId);
  });
  warn_of_unknown(request.source, "source", source_unknown, source_tokens);
  warn_of_unknown(request.target, "target", unknown, tokens);
  const auto known = static_cast<double>(std::max<int64_t>(tokens - unknown, 1));
  return fmt::format(
      "{} candidates of {} tokens per sentence, with {:.2f}% of the corpus's known target tokens",
      candidates / sentences, shortlist.target_vocabulary_size,
      100.0 * static_cast<double>(covered) / known);
}

}  // namespace

std::string make_shortlist(const ShortlistRequest& request) {
  catch_interrupts();
  require_rereadable({request.source, request.target});
  const auto model = read_model(request.model);
  require_translator(model.options, request.model);
  auto output = request.output;
  if (output.empty()) {
    if (!std::filesystem::is_directory(request.model)) {
      throw UsageError("shortlist: " + request.model.string() + " is a packed model; use --output");
    }
    output = request.model / "shortlist.safetensors";
  }
  require_absent(output, request.overwrite);
  const Tokenizers vocabularies{model.source, model.target};
  const ScratchFolder scratch;
  CorpusRequest corpus_request;
  corpus_request.source_path = request.source;
  corpus_request.target_path = request.target;
  corpus_request.cache_dir = scratch.path();
  corpus_request.max_length = model.settings.data.max_length;
  corpus_request.threads = number_of_threads(request.threads);
  corpus_request.progress = [](int64_t) { stop_if_interrupted(kInterruptedShortlist); };
  const auto corpus = prepare_corpus(corpus_request, model.source, model.target);
  const int64_t used =
      request.max_pairs == 0 ? corpus.size() : std::min(request.max_pairs, corpus.size());
  const PairWalk pairs = [&](const auto& use) {
    for (int64_t i = 0; i < used; ++i) {
      if (i % 1024 == 0) stop_if_interrupted(kInterruptedShortlist);
      const int64_t pair = i * corpus.size() / used;
      use(corpus.source(pair), corpus.target(pair));
    }
  };
  auto shortlist = shortlist_of(LexicalModel(pairs, kIterations), vocabularies, request.best);
  shortlist.frequent =
      frequent_tokens(pairs, vocabularies.target.vocabulary_size(), request.frequent);
  write_lexical_shortlist(output, shortlist, vocabularies);
  return fmt::format("{}: {} pairs; {}", output.string(), used,
                     describe(pairs, shortlist, request));
}

}  // namespace nmt
