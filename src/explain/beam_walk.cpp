#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "explain/walks.h"
#include "explain/word_vectors.h"
#include "unicode/characters.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kWidestNode = 10;  // columns of a token in the picture
constexpr size_t kOutlineColumns = 78;

const char* mark_of(Fate fate) {
  return fate == Fate::kOpen ? "✓" : fate == Fate::kEnded ? "■" : "✗";
}

std::string hundredths(double value) { return figure_text(value, false); }

/// The steps, tree and ranking of a search.
class BeamWalk {
 public:
  explicit BeamWalk(const BeamTree& tree) : tree_(tree), children_(tree.nodes.size()) {
    for (size_t i = 1; i < tree.nodes.size(); ++i) children_[tree.nodes[i].parent].push_back(i);
  }

  Explanation explain() const {
    Explanation explanation;
    explanation.title = {"Beam search step by step", "빔 서치 한 걸음씩 따라가기"};
    explanation.introduction = {
        "A translation is found token by token. Trying every continuation is impossible, and "
        "taking only the likeliest one cannot be undone. Beam search extends the K likeliest "
        "hypotheses at once, compares all their continuations, and keeps K of them.",
        "번역은 토큰을 하나씩 이어 가며 찾습니다. 이어지는 길을 모두 따라갈 수는 없고, 가장 "
        "그럴듯한 것 하나만 고르면 되돌릴 수 없습니다. 빔 서치는 가장 그럴듯한 가설 K개를 한꺼번에 "
        "늘리고, 이어진 것들을 모두 견주어 다시 K개만 남깁니다."};
    explanation.about = {
        "In the tree, ■ is the end of a translation with its rank and score, ✗ a hypothesis that "
        "was cut off, … one that was still open. Σ is the sum of natural-log probabilities, s the "
        "score.",
        "나무에서 ■는 끝난 번역과 그 순위, 점수이고, ✗는 버려진 가설, …는 아직 끝나지 않은 "
        "가설입니다. Σ는 자연로그 확률의 합, s는 점수입니다."};
    explanation.outline = "<s>\n" + outline(0, "");
    const auto tokens = tokens_text();
    explanation.steps.push_back(
        {{"The sentence as tokens", "토큰으로 나눈 문장"}, {tokens, tokens}});
    explanation.steps.push_back(score_step());
    for (size_t i = 1; i <= tree_.num_steps(); ++i) explanation.steps.push_back(search_step(i));
    explanation.steps.push_back(ranking_step());
    draw(explanation);
    return explanation;
  }

 private:
  std::string tokens_text() const {
    auto text = printable(tree_.source) + " →";
    for (const auto& token : tree_.source_tokens) text += " " + printable(token);
    return text;
  }

  Step score_step() const {
    Step step{{"How hypotheses are scored", "가설에 점수 매기기"},
              {"The search compares open hypotheses, all of one length, by the sum of their "
               "tokens' log-probabilities. Longer translations have lower sums, so those that "
               "ended are ranked by the sum divided by a power of their length (Wu et al. 2016).",
               "길이가 같은 열린 가설끼리는 토큰들의 로그 확률을 더한 값으로 견줍니다. 긴 "
               "번역일수록 합이 작아지므로, 끝난 가설의 순위는 합을 길이의 거듭제곱으로 나눈 "
               "점수로 매깁니다(Wu 외 2016)."},
              "s(y) = Σ_t log p(y_t | y_<t, x) / ((5 + |y|) / 6)^A"};
    step.worked = fmt::format("K = {}, A = {:g}", tree_.beam_size, tree_.length_penalty);
    return step;
  }

  std::string score_text(const BeamNode& node) const {
    return fmt::format("s = {} / ((5 + {}) / 6)^{:g} = {}", hundredths(node.log_probability),
                       node.step, tree_.length_penalty, hundredths(node.score));
  }

  /// The hypotheses that this step extends, best first.
  std::vector<size_t> extended_by(size_t length) const {
    std::vector<size_t> open;
    for (const size_t i : tree_.step(length - 1)) {
      if (tree_.nodes[i].fate == Fate::kOpen) open.push_back(i);
    }
    return open;
  }

  /// The place of a hypothesis among those that the next step extends, from 1.
  size_t place_of(size_t parent) const {
    const auto open = extended_by(tree_.nodes[parent].step + 1);
    return static_cast<size_t>(std::find(open.begin(), open.end(), parent) - open.begin()) + 1;
  }

  Step search_step(size_t length) const {
    const auto candidates = tree_.step(length);
    const auto parents = extended_by(length);
    size_t counts[3] = {};
    LabelledMatrix table{"", {}, Role::kKey, {}, {"log p", "Σ", "s"}};
    for (const size_t i : candidates) {
      const auto& node = tree_.nodes[i];
      ++counts[static_cast<size_t>(node.fate)];
      table.rows.push_back(fmt::format("{} {} + {}", mark_of(node.fate), place_of(node.parent),
                                       word_label(node.token)));
      table.values.push_back({node.token_log_probability, node.log_probability, node.score});
    }
    Step step{
        {fmt::format("Token {}", length), fmt::format("{}번째 토큰", length)},
        {fmt::format("Hypotheses extended: {}. Best continuations: {}, of which {} kept (✓), {} "
                     "ended (■), {} cut off (✗).",
                     parents.size(), candidates.size(), counts[0], counts[1], counts[2]),
         fmt::format("늘린 가설 {}개. 가장 좋은 이어짐 {}개: 남김(✓) {}, 끝남(■) {}, 버림(✗) {}.",
                     parents.size(), candidates.size(), counts[0], counts[1], counts[2])}};
    if (length == 1) {
      step.text +=
          {" For each hypothesis the bars show p(token); … is the share of all other tokens. The "
           "table has the 2K best sums of all hypotheses: the K best that do not end stay open. "
           "One that ends counts only among the first K, and is set aside.",
           " 막대는 가설마다 다음 토큰의 확률이고, …는 나머지 토큰 모두의 몫입니다. 표에는 모든 "
           "가설에서 합이 가장 큰 2K개가 있습니다. 끝나지 않은 것 가운데 K개가 남고, 끝난 것은 K위 "
           "안에 들 때만 따로 놓아둡니다."};
    }
    step.lines = {{{"", table}}};
    const auto& best = tree_.nodes[candidates.front()];
    step.worked = "Σ = " + hundredths(tree_.nodes[best.parent].log_probability) + " + (" +
                  hundredths(best.token_log_probability) +
                  ") = " + hundredths(best.log_probability) + ", " + score_text(best);
    for (const size_t parent : parents) step.lookups.push_back(continuations(parent));
    return step;
  }

  Lookup continuations(size_t parent) const {
    const auto name = parent == 0 ? "<s>" : word_label(tree_.nodes[parent].token);
    Lookup lookup{fmt::format("{} {}", place_of(parent), name), {}};
    double others = 1.0;
    for (const size_t i : children_[parent]) {
      const auto& node = tree_.nodes[i];
      const double probability = std::exp(node.token_log_probability);
      lookup.shares.push_back({word_label(node.token), probability});
      others -= probability;
    }
    lookup.shares.push_back({"…", std::max(0.0, others)});
    return lookup;
  }

  Step ranking_step() const {
    LabelledMatrix table{"", {}, Role::kKey, {}, {"Σ", "s"}};
    std::set<std::string> texts;
    for (size_t i = 0; i < tree_.ranking.size(); ++i) {
      const auto& [text, node, log_probability, score] = tree_.ranking[i];
      table.rows.push_back(std::to_string(i + 1) + " " + printable(text));
      table.values.push_back({log_probability, score});
      texts.insert(text);
    }
    Step step{{"The ranking", "순위"},
              {fmt::format("The search stops when {} hypotheses have ended or none is open.",
                           tree_.beam_size),
               fmt::format("가설 {}개가 끝났거나 열린 가설이 없으면 멈춥니다.", tree_.beam_size)},
              "",
              {{{"", table}}}};
    if (texts.size() < tree_.ranking.size()) {
      step.text +=
          {" Rows of one text are different pieces; nmt translate lists it once, with the best "
           "score.",
           " 글이 같은 줄은 조각이 서로 다릅니다. nmt translate는 점수가 가장 좋은 것 하나만 보여 "
           "줍니다."};
    }
    if (!tree_.ranking.empty()) step.worked = score_text(tree_.nodes[tree_.ranking.front().node]);
    return step;
  }

  std::vector<size_t> kept_children(size_t node) const {
    std::vector<size_t> kept;
    for (const size_t child : children_[node]) {
      if (tree_.is_kept(child)) kept.push_back(child);
    }
    return kept;
  }

  /// The mark at the end of a line of the tree, with the rank and score of an ended hypothesis.
  std::string ending(size_t node) const {
    const auto& end = tree_.nodes[node];
    if (end.fate != Fate::kEnded) return end.step == tree_.num_steps() ? "…" : "✗";
    const auto score = hundredths(end.score);
    for (size_t i = 0; i < tree_.ranking.size(); ++i) {
      if (tree_.ranking[i].node == node) return fmt::format("■ {}. {}", i + 1, score);
    }
    return "■ " + score;
  }

  /// The hypotheses below a node, drawn as a tree; tokens without alternatives share a line.
  std::string outline(size_t node, const std::string& indent) const {
    std::string text;
    const auto kept = kept_children(node);
    for (size_t i = 0; i < kept.size(); ++i) {
      const bool last = i + 1 == kept.size();
      const auto below = indent + (last ? "   " : "│  ");
      auto line = indent + (last ? "╰─" : "├─");
      size_t at = kept[i];
      std::vector<size_t> next;
      for (bool first = true;; first = false) {
        const auto token = " " + word_label(tree_.nodes[at].token);
        if (!first && display_width(line + token) > kOutlineColumns) {
          text += line + "\n";
          line = below;
        }
        line += token;
        next = kept_children(at);
        if (next.size() != 1) break;
        at = next.front();
      }
      text += line + (next.empty() ? " " + ending(at) : "") + "\n" + outline(at, below);
    }
    return text;
  }

  bool is_on_best_path(size_t node) const {
    if (tree_.ranking.empty()) return false;
    for (size_t at = tree_.ranking.front().node; at != 0; at = tree_.nodes[at].parent) {
      if (at == node) return true;
    }
    return node == 0;
  }

  /// A row for each step; children in the order of their parents, so that no arrows cross.
  void draw(Explanation& explanation) const {
    std::vector<std::vector<size_t>> rows = {{0}};
    size_t widest = 1;
    for (size_t step = 1; step <= tree_.num_steps(); ++step) {
      std::vector<size_t> row;
      for (const size_t parent : rows.back()) {
        row.insert(row.end(), children_[parent].begin(), children_[parent].end());
      }
      widest = std::max(widest, row.size());
      rows.push_back(std::move(row));
    }
    std::vector<size_t> place(tree_.nodes.size());  // in explanation.nodes
    for (size_t row = 0; row < rows.size(); ++row) {
      const size_t first = (widest - rows[row].size()) / 2;
      for (size_t i = 0; i < rows[row].size(); ++i) {
        const size_t at = rows[row][i];
        place[at] = explanation.nodes.size();
        explanation.nodes.push_back({box(at), {}, row, first + i, 1});
        if (at == 0) continue;
        explanation.arrows.push_back({place[tree_.nodes[at].parent], place[at]});
      }
    }
  }

  LabelledMatrix box(size_t at) const {
    const auto& node = tree_.nodes[at];
    if (at == 0) return {"<s>", {{0.0}}, Role::kKey};
    LabelledMatrix matrix{
        std::string(mark_of(node.fate)) + " " + shortened(printable(node.token), kWidestNode),
        {{node.log_probability}, {node.score}},
        Role::kPlain,
        {"Σ", "s"}};
    if (node.fate == Fate::kOpen) matrix.role = Role::kQuery;
    if (node.fate == Fate::kEnded) matrix.role = Role::kValue;
    if (is_on_best_path(at)) matrix.role = Role::kKey;
    return matrix;
  }

  const BeamTree& tree_;
  std::vector<std::vector<size_t>> children_;
};

}  // namespace

Explanation explain_beam_tree(const BeamTree& tree) { return BeamWalk(tree).explain(); }

}  // namespace nmt
