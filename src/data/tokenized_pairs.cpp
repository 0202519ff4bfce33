#include "data/tokenized_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/word_links.h"
#include "errors/error.h"
#include "numbers/parse.h"
#include "numbers/random.h"
#include "text/words.h"
#include "unicode/letter_case.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kChunkLines = 4096;
constexpr int64_t kChunksAhead = 2;  // chunks per thread

/// Draws all caps or title case, each with half of the probability.
LetterCase draw_case(double probability, Random& random) {
  const double drawn = random.uniform();
  if (drawn >= probability) return LetterCase::kOrdinary;
  return drawn < probability / 2 ? LetterCase::kAllCaps : LetterCase::kTitleCase;
}

/// Opens a file that accompanies the pairs after `lines` lines; nothing for an empty path.
void open(std::optional<LineReader>& reader, const std::filesystem::path& path, int64_t lines,
          int64_t bytes) {
  if (path.empty()) return;
  reader.emplace(path);
  if (lines > 0) reader->go_on_after(lines, bytes);
}

/// Reads its next line. Throws Error unless the file ends together with the pairs.
void read_beside(std::optional<LineReader>& reader, const std::filesystem::path& path,
                 const CorpusRequest& request, bool has_pair, std::string& line) {
  if (!reader || reader->next(line) == has_pair) return;
  throw Error(path.string() + (has_pair ? ": has fewer lines than " : ": has more lines than ") +
              request.source_path.string() + "; it needs one for each pair");
}

float parse_weight(const std::string& text, const std::string& where) {
  const auto weight = parse_number<float>(text);
  if (weight && std::isfinite(*weight) && *weight >= 0) return *weight;
  throw Error(where + ": '" + text + "' is not a weight; write a number from 0 up");
}

}  // namespace

TokenizedPairs::TokenizedPairs(const CorpusRequest& request, const Tokenizer& source,
                               const Tokenizer& target, const TextPlace& after)
    : request_(request),
      source_(source),
      target_(target),
      languages_(unit_of(request) == CorpusUnit::kLines ? TargetLanguages()  // a language model's
                                                        : TargetLanguages(source)),
      placeholders_(placeholders_of({source, target})),
      place_(after),
      reader_(request.source_path, request.target_path, after) {
  open(alignments_, request.alignment_path, after.lines, after.alignment_bytes);
  open(weights_, request.weight_path, after.lines, after.weight_bytes);
  others_.emplace(
      request.threads - 1, [this] { work(); },
      [this] {
        {
          const std::lock_guard<std::mutex> lock(mutex_);
          ended_ = true;
        }
        changed_.notify_all();
      });
}

bool TokenizedPairs::next() {
  ++position_;
  while (position_ >= current_.pairs.size()) {
    if (current_.failure) std::rethrow_exception(current_.failure);
    if (current_.is_last) return false;
    current_ = take();
    position_ = 0;
  }
  place_ = current_.lines[position_].end;
  return true;
}

TokenizedPairs::Chunk TokenizedPairs::take() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    auto node = ready_.extract(chunks_taken_);
    if (!node.empty()) {
      ++chunks_taken_;
      changed_.notify_all();
      return std::move(node.mapped());
    }
    make_chunk_or_wait(lock);
  }
}

void TokenizedPairs::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ended_) make_chunk_or_wait(lock);
}

/// Waits instead if the text has ended or enough chunks are ready.
void TokenizedPairs::make_chunk_or_wait(std::unique_lock<std::mutex>& lock) {
  const auto most = kChunksAhead * std::max(1, request_.threads);
  if (ended_ || chunks_read_ - chunks_taken_ >= most) {
    changed_.wait(lock);
    return;
  }
  auto chunk = read();
  lock.unlock();
  tokenize(chunk);
  lock.lock();
  ready_.emplace(chunk.index, std::move(chunk));
  changed_.notify_all();
}

TokenizedPairs::Chunk TokenizedPairs::read() {
  Chunk chunk;
  chunk.index = chunks_read_++;
  try {
    Line line;
    while (chunk.lines.size() < kChunkLines && !chunk.is_last) {
      chunk.is_last = !read(line);
      if (!chunk.is_last) chunk.lines.push_back(line);
    }
  } catch (...) {
    chunk.failure = std::current_exception();
    chunk.is_last = true;
  }
  ended_ = ended_ || chunk.is_last;
  return chunk;
}

bool TokenizedPairs::read(Line& line) {
  const bool has_pair = reader_.next(line.source, line.target);
  read_beside(alignments_, request_.alignment_path, request_, has_pair, line.alignment);
  read_beside(weights_, request_.weight_path, request_, has_pair, line.weight);
  line.end = reader_.place();
  if (alignments_) line.end.alignment_bytes = alignments_->position();
  if (weights_) line.end.weight_bytes = weights_->position();
  return has_pair;
}

void TokenizedPairs::tokenize(Chunk& chunk) const {
  chunk.pairs.reserve(chunk.lines.size());
  try {
    for (const auto& line : chunk.lines) chunk.pairs.push_back(tokenize(line));
  } catch (...) {
    chunk.failure = std::current_exception();  // takes precedence over a failure of the reader,
                                               // which is later in the text
  }
}

TokenPair TokenizedPairs::tokenize(const Line& line) const {
  const auto number = line.end.lines;
  require_utf8(line.source, request_.source_path.string(), number);
  require_utf8(line.target, request_.target_path.string(), number);
  const auto& held_out = request_.held_out;
  TokenPair pair;
  // Still tokenized, so that errors in weights and alignments do not depend on what is held out.
  pair.held_out = held_out.contains(line.source) || held_out.contains(line.target);
  const auto& sampling = request_.sampling;
  Random seeds(sampling.seed, static_cast<uint64_t>(number - 1));
  const uint64_t source_seed = seeds.next();
  const uint64_t target_seed = seeds.next();
  const auto spoken = read_language(line);
  // Before the case changes: an address in capitals is not recognized.
  auto text = with_placeholders({std::string(spoken.text), line.target}, placeholders_);
  const auto letter_case = draw_case(sampling.letter_case, seeds);
  if (letter_case == LetterCase::kAllCaps) {
    text = {to_upper(text.source), to_upper(text.target)};
  } else if (letter_case == LetterCase::kTitleCase) {
    text.source = to_title_case(text.source);
  }
  pair.source = source_.sample(text.source, sampling.source, source_seed);
  pair.target = target_.sample(text.target, sampling.target, target_seed);
  annotate(line, text, pair);
  if (spoken.token != kPadId && !pair.source.empty()) {
    pair.source = spoken.tokens(std::move(pair.source));
    for (size_t i = 0; i < pair.links.size(); i += 2) ++pair.links[i];
  }
  return pair;
}

TargetLanguages::Line TokenizedPairs::read_language(const Line& line) const try {
  return languages_.read(line.source, request_.target_language);
} catch (const Error& error) {
  const bool unmarked =
      request_.target_language.empty() && split_marker(line.source).language.empty();
  throw Error(request_.source_path.string() + ": line " + std::to_string(line.end.lines) + ": " +
              (unmarked ? "names no target language; begin it with e.g. " +
                              language_piece(languages_.codes().front()) + request_.other_advice
                        : error.what()));
}

/// Adds the pair's weight and alignment from the accompanying files.
void TokenizedPairs::annotate(const Line& line, const SentencePair& text, TokenPair& pair) const {
  const auto place = [&](const std::filesystem::path& path) {
    return path.string() + ": line " + std::to_string(line.end.lines);
  };
  if (weights_) pair.weight = parse_weight(line.weight, place(request_.weight_path));
  if (!alignments_) return;
  const auto source = words_of_text(text.source, pair.source, source_);
  const auto target = words_of_text(text.target, pair.target, target_);
  pair.unguided = source.texts.size() != written_words(text.source).size() ||
                  target.texts.size() != written_words(text.target).size();
  if (pair.unguided) return;
  pair.links = token_links(line.alignment, source, target, place(request_.alignment_path));
}

}  // namespace nmt
