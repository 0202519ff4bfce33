#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "explain/walks.h"
#include "explain/word_vectors.h"
#include "text/byte_pieces.h"
#include "text/special_tokens.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

const Text kMergeIntroduction = {
    "Byte-pair encoding starts from single characters. Of all neighbors whose joint piece is in "
    "the vocabulary it merges those with the highest score, which training merged first because "
    "they were the most frequent, and repeats this until nothing can be merged (Sennrich, Haddow "
    "and Birch 2016).",
    "바이트 페어 인코딩은 글자 하나하나에서 시작합니다. 이웃한 둘을 합친 조각이 어휘에 있으면 그 "
    "가운데 점수가 가장 높은 것, 곧 가장 잦아서 학습할 때 먼저 합친 것을 합칩니다. 더 합칠 것이 "
    "없을 때까지 되풀이합니다(Sennrich, Haddow, Birch 2016)."};
const Text kLatticeIntroduction = {
    "A unigram vocabulary gives each piece a probability. A word can be split in many ways, the "
    "paths through a lattice; each has the product of its pieces' probabilities, and the most "
    "probable one wins (Kudo 2018). A character that the vocabulary lacks has a log-probability of "
    "10 below that of the rarest piece.",
    "유니그램 어휘에서는 조각마다 확률이 있습니다. 낱말을 자르는 방법은 격자를 지나는 길만큼 "
    "많습니다. 길의 확률은 조각들의 확률을 곱한 것이고, 확률이 가장 높은 길이 이깁니다(Kudo 2018). "
    "어휘에 없는 글자의 로그 확률은 가장 드문 조각보다 10만큼 낮습니다."};

/// The symbols with spaces between them, the one at `marked` in brackets.
std::string spelled(const std::vector<std::string>& symbols, size_t marked) {
  std::string text;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const auto symbol = printable(symbols[i]);
    text += (text.empty() ? "" : " ") + (i == marked ? "[" + symbol + "]" : symbol);
  }
  return text;
}

std::string spelled(const std::vector<std::string>& symbols) {
  return spelled(symbols, symbols.size());
}

/// "▁책=17 을=25"
std::string with_ids(const SegmentedWord& word) {
  std::string text;
  for (size_t i = 0; i < word.ids.size(); ++i) {
    text += (i == 0 ? "" : " ") + printable(word.pieces[i]) + "=" + std::to_string(word.ids[i]);
  }
  return text;
}

Text result_text(const SegmentedWord& word) {
  bool unknown = false;
  bool bytes = false;
  for (size_t i = 0; i < word.ids.size(); ++i) {
    unknown = unknown || word.ids[i] == kUnknownId;
    bytes = bytes || byte_of_piece(word.pieces[i]).has_value();
  }
  const auto pieces = with_ids(word);
  Text text = {
      printable(word.word) + " is normalized to " + printable(word.normalized) +
          " and becomes the pieces " + pieces + ".",
      printable(word.word) + " → 정규화 " + printable(word.normalized) + " → 조각 " + pieces + "."};
  if (unknown) {
    text += {" Id 1 is <unk>: the vocabulary lacks these characters.",
             " 번호 1은 <unk>, 곧 어휘에 없는 글자입니다."};
  }
  if (bytes) {
    text += {" Characters that the vocabulary lacks become their UTF-8 bytes.",
             " 어휘에 없는 글자는 UTF-8 바이트로 적습니다."};
  }
  return text;
}

Step merge_step(const SegmentedWord& word) {
  Step step{{printable(word.word), printable(word.word)}, result_text(word)};
  step.equation = spelled(word.characters);
  if (word.merges.empty()) return step;
  LabelledMatrix table{"", {}, Role::kKey, {}, {"score"}};
  for (const auto& merge : word.merges) {
    table.rows.push_back(spelled(merge.symbols, merge.place));
    table.values.push_back({merge.score});
  }
  step.lines = {{{"", table}}};
  return step;
}

std::string sum_text(const Segmentation& segmentation) {
  std::string text;
  for (size_t i = 0; i < segmentation.pieces.size(); ++i) {
    text += (i == 0 ? "" : " + ") + fmt::format("({:.2f})", segmentation.log_probabilities[i]);
  }
  return spelled(segmentation.pieces) + ": " + text +
         fmt::format(" = {:.2f}", segmentation.log_probability);
}

Step lattice_step(const SegmentedWord& word) {
  Step step{{printable(word.word), printable(word.word)}, result_text(word)};
  step.equation = "log P(pieces) = Σ_i log p(piece_i)";
  LabelledMatrix table{"", {}, Role::kKey, {}, {"log P"}};
  Lookup shares{word_label(word.word), {}};
  double others = 1.0;
  for (const auto& segmentation : word.best) {
    table.rows.push_back(spelled(segmentation.pieces));
    table.values.push_back({segmentation.log_probability});
    shares.shares.push_back({spelled(segmentation.pieces), segmentation.share});
    others -= segmentation.share;
  }
  if (others > 1e-9) shares.shares.push_back({"…", others});
  step.lines = {{{"", table}}};
  step.worked = sum_text(word.best.front());
  if (word.best.size() > 1) {
    step.worked += fmt::format("; {}; Δ log P = {:.2f}", sum_text(word.best[1]),
                               word.best[0].log_probability - word.best[1].log_probability);
  }
  step.lookups = {shares};
  return step;
}

/// The merges as a tree, characters above; returns the rows used.
size_t draw_merges(const SegmentedWord& word, size_t top, Explanation& explanation) {
  struct Part {
    size_t node, row, column, span;
  };
  std::vector<Part> parts;
  const auto add = [&](const std::string& text, WorkedMatrix values, Role role, Part part) {
    part.node = explanation.nodes.size();
    explanation.nodes.push_back(
        {{printable(text), std::move(values), role}, {}, top + part.row, part.column, part.span});
    return part;
  };
  for (size_t i = 0; i < word.characters.size(); ++i) {
    parts.push_back(add(word.characters[i], {{}}, Role::kPlain, {0, 0, i, 1}));
  }
  size_t rows = 1;
  for (const auto& merge : word.merges) {
    const auto left = parts[merge.place];
    const auto right = parts[merge.place + 1];
    const size_t row = std::max(left.row, right.row) + 1;
    const auto merged = add(merge.symbols[merge.place], {{merge.score}}, Role::kQuery,
                            {0, row, left.column, left.span + right.span});
    explanation.arrows.push_back({left.node, merged.node});
    explanation.arrows.push_back({right.node, merged.node});
    parts[merge.place] = merged;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(merge.place) + 1);
    rows = std::max(rows, row + 1);
  }
  for (const auto& part : parts) explanation.nodes[part.node].matrix.role = Role::kKey;
  return rows;
}

/// Each segmentation as a row of its pieces, the best one above; returns the rows used.
size_t draw_lattice(const SegmentedWord& word, size_t top, Explanation& explanation) {
  for (size_t rank = 0; rank < word.best.size(); ++rank) {
    size_t column = 0;
    const auto& [pieces, log_probabilities, sum, share] = word.best[rank];
    for (size_t i = 0; i < pieces.size(); ++i) {
      const auto span = count_characters(pieces[i]);
      const LabelledMatrix box{
          printable(pieces[i]), {{log_probabilities[i]}}, rank == 0 ? Role::kKey : Role::kPlain};
      explanation.nodes.push_back({box, {}, top + rank, column, span});
      column += span;
    }
  }
  return word.best.size();
}

}  // namespace

Explanation explain_segmentations(const std::vector<SegmentedWord>& words, bool is_bpe) {
  Explanation explanation;
  explanation.title = {"How words become pieces", "낱말이 조각이 되기까지"};
  explanation.introduction = is_bpe ? kMergeIntroduction : kLatticeIntroduction;
  explanation.about = {
      "▁ stands for a space. Text is normalized first: for example, full-width letters become "
      "ordinary ones.",
      "▁는 빈칸입니다. 먼저 글을 정규화합니다. 이를테면 전각 글자는 보통 글자가 됩니다."};
  size_t row = 0;
  for (const auto& word : words) {
    explanation.steps.push_back(is_bpe ? merge_step(word) : lattice_step(word));
    row += is_bpe ? draw_merges(word, row, explanation) : draw_lattice(word, row, explanation);
  }
  return explanation;
}

}  // namespace nmt
