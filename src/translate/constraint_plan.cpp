#include "translate/constraint_plan.h"

#include <algorithm>
#include <string>

#include "text/sentence_marks.h"
#include "text/sentence_splitter.h"
#include "translate/sentence_form.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"

namespace nmt {
namespace {

/// The parts that the model reads. Constraints on others would have no effect.
std::vector<size_t> parts_with_tokens(const SourceLine& line) {
  std::vector<size_t> parts;
  for (size_t i = 0; i < line.parts.size(); ++i) {
    if (!line.parts[i].tokens.empty()) parts.push_back(i);
  }
  return parts;
}

/// Removes from the start of `text` the verbatim parts directly before the part, where it repeats
/// them.
std::string without_verbatim(std::string text, const SourceLine& line, size_t part) {
  constexpr const char* kSpaces = " \t";
  size_t first = part;
  while (first > 0 && !line.parts[first - 1].verbatim.empty()) --first;
  for (; first < part; ++first) {
    const auto& verbatim = line.parts[first].verbatim;
    const size_t begin = std::min(text.find_first_not_of(kSpaces), text.size());
    if (text.compare(begin, verbatim.size(), verbatim) != 0) continue;
    text.erase(0, text.find_first_not_of(kSpaces, begin + verbatim.size()));
  }
  return text;
}

/// The beginning of the part's translation as the model writes it: without the first marks and with
/// the capital with which the part is read. Where the text begins otherwise, it stays so.
std::string as_model_writes(std::string text, SourcePart& part, const Tokenizer& target) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return text;
  const auto begins_otherwise = [&](const Replacement& replacement) {
    if (replacement.kind == Replacement::Kind::kFirstMarks) {
      const auto& marks = replacement.text;
      const bool repeats = text.compare(begin, marks.size(), marks) == 0;
      if (!repeats || text.substr(begin + marks.size(), 1) == " ") return true;
      text.erase(begin, marks.size());
    }
    if (replacement.kind == Replacement::Kind::kLowerCase) {
      const size_t end = text.find(' ', begin);
      if (end == std::string::npos) return true;  // it may continue as a name
      const auto word = text.substr(begin, end - begin);
      const auto capitalized = to_capitalized(word);
      if (capitalized == word || begun_in_lower_case(capitalized, target) != word ||
          has_unknown_piece(capitalized, target)) {
        return true;
      }
      text.replace(begin, word.size(), capitalized);
    }
    return false;
  };
  auto& all = part.replacements;
  all.erase(std::remove_if(all.begin(), all.end(), begins_otherwise), all.end());
  return text;
}

/// Assigns the prefix's sentences to the parts that the model reads.
ConstraintList plan_prefix(const std::string& prefix, SourceLine& line,
                           const ConstraintEncoder& encoder, const SentenceHints& hints) {
  ConstraintList planned(line.parts.size());
  const auto parts = parts_with_tokens(line);
  const auto begin_part = [&](size_t part, const std::string& text) {
    planned[part] = encoder.encode({as_model_writes(text, line.parts[part], encoder.target()), {}});
  };
  if (parts.size() <= 1) {
    const size_t part = parts.empty() ? 0 : parts.front();
    begin_part(part, without_verbatim(prefix, line, part));
    return planned;
  }
  auto pieces = split_text(prefix, hints);
  auto& [sentences, between] = pieces;
  while (sentences.size() > parts.size()) {  // the last part gets the rest
    const auto last = sentences.back();
    sentences.pop_back();
    sentences.back() += *(between.end() - 2) + last;
    between.erase(between.end() - 2);
  }
  size_t next = 0;  // index in `parts`
  for (size_t i = 0; i < sentences.size(); ++i) {
    const size_t part = parts[next];
    const auto sentence = without_verbatim(sentences[i], line, part);
    if (sentence.empty()) continue;
    ++next;
    const bool last = i + 1 == sentences.size();
    const bool closed = !last || (next < parts.size() && !between.back().empty() &&
                                  is_sentence_mark(last_code(sentence)));
    if (closed) {
      planned[part] = encoder.encode_whole(sentence);
    } else {
      begin_part(part, sentence + between.back());
    }
    if (closed && parts[next] == part + 1) line.parts[part + 1].before = between[i + 1];
  }
  return planned;
}

/// Assigns each phrase to the part where it costs the least log-probability.
void assign_phrases(const std::vector<std::vector<int32_t>>& phrases, const SourceLine& line,
                    const ConstrainedSearch& search, ConstraintList& planned) {
  std::vector<size_t> open;  // parts that may still contain a phrase
  for (size_t i = 0; i < planned.size(); ++i) {
    if (!planned[i].ends && !line.parts[i].tokens.empty()) open.push_back(i);
  }
  if (open.empty()) open.push_back(planned.size() - 1);
  std::vector<std::vector<int32_t>> sources;
  ConstraintList trials;
  const auto try_each = [&](const std::vector<std::vector<int32_t>>& with) {
    for (const size_t part : open) {
      sources.push_back(line.parts[part].tokens);
      trials.push_back(planned[part]);
      trials.back().phrases = with;
    }
  };
  try_each({});
  for (const auto& phrase : phrases) try_each({phrase});
  const auto found = open.size() > 1 ? search(sources, trials) : std::vector<double>();
  for (size_t p = 0; p < phrases.size(); ++p) {
    size_t best = 0;
    const auto loss = [&](size_t k) { return found[k] - found[(p + 1) * open.size() + k]; };
    for (size_t k = 1; k < open.size(); ++k) {
      if (loss(k) < loss(best)) best = k;
    }
    planned[open[best]].phrases.push_back(phrases[p]);
  }
}

}  // namespace

ConstraintList plan_constraints(const TranslationConstraints& constraints, SourceLine& line,
                                const ConstraintEncoder& encoder, const ConstrainedSearch& search,
                                const SentenceHints& hints) {
  const auto given = encoder.encode({"", constraints.phrases});
  auto planned = plan_prefix(constraints.prefix, line, encoder, hints);
  for (auto& part : planned) part.joints = given.joints;
  if (!given.phrases.empty()) assign_phrases(given.phrases, line, search, planned);
  return planned;
}

}  // namespace nmt
