#include "evaluation/rescore.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "errors/error.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "formats/n_best_list.h"
#include "translate/text_scoring.h"

namespace nmt {
namespace {

Error in_line(const std::filesystem::path& path, size_t line, const std::string& problem) {
  return Error(path.string() + ": line " + std::to_string(line) + ": " + problem);
}

/// Entries of whole lists, and the first one's line in the file, from 1.
struct ListPart {
  std::vector<NBestEntry> entries;
  size_t first_line = 1;
};

class ListReader {
 public:
  ListReader(const std::filesystem::path& path, size_t num_sources)
      : path_(path), num_sources_(num_sources), reader_(path) {
    reader_.require_text();
  }

  /// The next entries: whole lists with at least `count` entries in total, fewer only at the end.
  ListPart next(size_t count) {
    ListPart part;
    part.first_line = line_ - (begun_ ? 1 : 0);
    if (begun_) part.entries.push_back(std::move(*begun_));
    begun_.reset();
    while (auto entry = read()) {
      if (part.entries.size() >= count && entry->line != part.entries.back().line) {
        begun_ = std::move(entry);
        break;
      }
      part.entries.push_back(std::move(*entry));
    }
    return part;
  }

 private:
  std::optional<NBestEntry> read() {
    std::string text;
    if (!reader_.next(text)) return {};
    ++line_;
    auto entry = parse(text);
    if (entry.line >= static_cast<int64_t>(num_sources_)) {
      throw failed("the source has only " + std::to_string(num_sources_) +
                   (num_sources_ == 1 ? " line" : " lines") + ", which count from 0");
    }
    if (entry.line < last_) throw failed("its source line is before that of the line above");
    last_ = entry.line;
    return entry;
  }

  NBestEntry parse(const std::string& text) const try {
    return parse_n_best_entry(text);
  } catch (const Error& error) {
    throw failed(error.what());
  }

  Error failed(const std::string& problem) const { return in_line(path_, line_ - 1, problem); }

  std::filesystem::path path_;
  size_t num_sources_;
  LineReader reader_;
  size_t line_ = 1;    // of the file, to be read next
  int64_t last_ = -1;  // source line
  std::optional<NBestEntry> begun_;
};

void add_scores(const Translator& translator, const std::vector<std::string>& sources,
                const RescoringRequest& request, ListPart& part) {
  std::vector<std::string> part_sources;
  std::vector<std::string> texts;
  for (const auto& entry : part.entries) {
    part_sources.push_back(sources[static_cast<size_t>(entry.line)]);
    texts.push_back(entry.text);
  }
  if (part.first_line == 1) warn_if_misread(translator, texts, request.list);
  TranslationOptions options;
  options.batch_size = request.pairs.batch_size;
  const auto decoded = translator.force_decode(part_sources, texts, options, part.first_line);
  for (size_t i = 0; i < decoded.size(); ++i) {
    auto& entry = part.entries[i];
    const auto& candidate = decoded[i].candidates.front();
    try {
      entry.add_feature(request.feature, candidate.log_probability);
    } catch (const Error& error) {
      throw in_line(request.list, part.first_line + i, error.what());
    }
    // Avoids 0 · −∞, which is NaN.
    const double added = request.weight > 0.0 ? request.weight * candidate.score : 0.0;
    const double kept = request.weight < 1.0 ? (1.0 - request.weight) * entry.score : 0.0;
    entry.score = added + kept;
  }
}

/// Sorts each list by score. Equal scores keep their order.
void sort_lists(std::vector<NBestEntry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& one, const auto& other) {
    return one.line != other.line ? one.line < other.line : one.score > other.score;
  });
}

}  // namespace

void rescore_n_best(const RescoringRequest& request) try {
  constexpr size_t kEntries = 2048;  // together, sorted by length for speed
  const auto sources = read_lines(request.pairs.source);
  ListReader reader(request.list, sources.size());
  const Translator translator(request.pairs.translator);
  translator.require_languages(sources, request.pairs.source);
  OutputFile output(request.pairs.output);
  for (auto part = reader.next(kEntries); !part.entries.empty(); part = reader.next(kEntries)) {
    add_scores(translator, sources, request, part);
    sort_lists(part.entries);
    for (const auto& entry : part.entries) output.write(format_n_best_entry(entry));
  }
  output.finish();
} catch (const TextTooLong& error) {
  throw Error(request.list.string() + ": " + error.what());
}

}  // namespace nmt
