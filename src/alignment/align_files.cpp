#include "alignment/align_files.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>

#include "alignment/gold_alignment.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "files/paired_lines.h"
#include "formats/output_format.h"
#include "text/target_languages.h"
#include "translate/text_scoring.h"
#include "translate/words.h"

namespace nmt {
namespace {

using Lines = std::vector<std::string>;

/// The translator of one direction.
class Aligner {
 public:
  Aligner(const TranslatorOptions& options, const std::filesystem::path& source,
          const std::filesystem::path& target, int64_t batch_size)
      : source_(source), target_(target), translator_(options) {
    translator_.require_attention();
    options_.words = true;
    options_.batch_size = batch_size;
  }

  void require_languages(const Lines& sources, const char* option) const {
    translator_.require_languages(sources, source_, option);
  }

  /// The source lines without the target languages that they name.
  Lines texts_of(Lines lines) const {
    if (translator_.target_languages().empty() || !translator_.target_language().empty()) {
      return lines;
    }
    for (auto& line : lines) line = std::string(split_marker(line).text);
    return lines;
  }

  std::vector<Translation> align(const Lines& sources, const Lines& targets,
                                 size_t first_line) const try {
    if (first_line == 1) warn_if_misread(translator_, targets, target_);
    return translator_.force_decode(sources, targets, options_, first_line);
  } catch (const TextTooLong& error) {
    throw Error((error.is_source ? source_ : target_).string() + ": " + error.what());
  }

 private:
  std::filesystem::path source_;
  std::filesystem::path target_;
  Translator translator_;
  TranslationOptions options_;
};

int64_t num_words(const std::string& line) {
  return static_cast<int64_t>(written_words(line).size());
}

LinkSet links_of(const Translation& pair, bool reversed) {
  LinkSet links;
  for (const auto& link : pair.candidates.front().alignment) {
    links.emplace(reversed ? link.target : link.source, reversed ? link.source : link.target);
  }
  return links;
}

std::string pharaoh_line(const LinkSet& links) {
  std::vector<WordLink> sorted;  // by target, then source
  for (const auto& [source, target] : links) sorted.push_back({source, target});
  std::stable_sort(sorted.begin(), sorted.end(), [](const WordLink& one, const WordLink& other) {
    return one.target < other.target;
  });
  return format_links(sorted) + "\n";
}

/// Throws Error if the words that links refer to are not those between spaces.
void require_written_words(const Translation& pair, const std::string& source,
                           const std::string& target, size_t line) {
  const auto& words = pair.candidates.front().words;
  if (static_cast<int64_t>(pair.source_words.size()) == num_words(source) &&
      static_cast<int64_t>(words.size()) == num_words(target)) {
    return;
  }
  throw Error("line " + std::to_string(line) +
              ": its words cannot be recovered from the model's tokens; remove unusual characters");
}

Lines read_gold(const AlignmentRequest& request, size_t num_pairs) {
  if (request.gold.empty()) return {};
  auto lines = read_lines(request.gold);
  require_paired_lines(request.gold, lines.size(), request.source, num_pairs);
  return lines;
}

std::vector<GoldAlignment> parse_gold(const std::filesystem::path& path, const Lines& lines,
                                      const Lines& sources, const Lines& targets) {
  std::vector<GoldAlignment> gold;
  for (size_t i = 0; i < lines.size(); ++i) {
    try {
      gold.push_back(parse_gold_alignment(lines[i], num_words(sources[i]), num_words(targets[i])));
    } catch (const Error& error) {
      throw Error(path.string() + ": line " + std::to_string(i + 1) + ": " + error.what());
    }
  }
  return gold;
}

}  // namespace

std::vector<TranslatorOptions> alignment_translators(const AlignmentRequest& request) {
  std::vector<TranslatorOptions> translators = {request.forward};
  if (request.reverse.empty()) return translators;
  translators.push_back(request.forward);
  translators.back().model_dirs = {request.reverse};
  translators.back().model_weights.clear();
  translators.back().target_language = request.reverse_to;
  return translators;
}

void align_files(const AlignmentRequest& request) {
  constexpr size_t kLines = 512;  // at a time: the words' data take much more memory
  const auto [sources, targets] = read_paired_lines(request.source, request.target);
  const auto gold_lines = read_gold(request, sources.size());
  parse_gold(request.gold, gold_lines, sources, targets);  // finds errors before a model is read
  const auto translators = alignment_translators(request);
  const Aligner forward(translators.front(), request.source, request.target, request.batch_size);
  std::optional<Aligner> backward;
  forward.require_languages(sources, "--to");
  if (translators.size() > 1) {
    backward.emplace(translators.back(), request.target, request.source, request.batch_size);
    backward->require_languages(targets, "--reverse-to");
  }
  const auto gold = parse_gold(request.gold, gold_lines, forward.texts_of(sources),
                               backward ? backward->texts_of(targets) : targets);
  OutputFile output(request.output);
  AlignmentErrors errors;
  for (size_t begin = 0; begin < sources.size(); begin += kLines) {
    const auto part_sources = part_of_lines(sources, begin, kLines);
    const auto part_targets = part_of_lines(targets, begin, kLines);
    const auto source_texts = forward.texts_of(part_sources);
    const auto target_texts = backward ? backward->texts_of(part_targets) : part_targets;
    const auto there = forward.align(part_sources, target_texts, begin + 1);
    const auto back = backward ? backward->align(part_targets, source_texts, begin + 1)
                               : std::vector<Translation>();
    for (size_t i = 0; i < there.size(); ++i) {
      const size_t line = begin + i;
      require_written_words(there[i], source_texts[i], target_texts[i], line + 1);
      auto links = links_of(there[i], /*reversed=*/false);
      if (backward) {
        require_written_words(back[i], target_texts[i], source_texts[i], line + 1);
        links = symmetrize(links, links_of(back[i], /*reversed=*/true), request.symmetrization);
      }
      output.write(pharaoh_line(links));
      if (!gold.empty()) errors.add(links, gold[line]);
    }
  }
  output.finish();
  if (gold.empty()) return;
  std::cerr << fmt::format("AER {:.4f}  precision {:.4f}  recall {:.4f}  links {}\n",
                           errors.error_rate(), errors.precision(), errors.recall(), errors.links);
}

}  // namespace nmt
