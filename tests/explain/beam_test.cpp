#include "explain/beam.h"

#include "explain/walks.h"
#include "reports/page_check.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "translate/engine.h"
#include "translate/translator.h"

namespace nmt {
namespace {

const std::filesystem::path kBeamModel = NMT_SOURCE_DIR "/models/sample";

/// Two hypotheses, of which the worse one at first wins: worked by hand.
BeamTree small_tree() {
  BeamTree tree{"가 <b>", {"▁가", "▁<b>"}, 2, 1.0, {{}}, {}};
  tree.nodes.push_back({0, 1, "▁a", -0.5, -0.5, -0.5, Fate::kOpen});
  tree.nodes.push_back({0, 1, "▁<b>", -1.0, -1.0, -1.0, Fate::kOpen});
  tree.nodes.push_back({0, 1, "▁c", -4.0, -4.0, -4.0, Fate::kPruned});
  tree.nodes.push_back({2, 2, "</s>", -0.75, -1.75, -1.5, Fate::kEnded});
  tree.nodes.push_back({1, 2, "</s>", -3.0, -3.5, -3.0, Fate::kEnded});
  tree.nodes.push_back({1, 2, "▁d", -5.0, -5.5, -33.0 / 7, Fate::kOpen});
  tree.ranking = {{"<b>", 4, -1.75, -1.5}, {"a", 5, -3.5, -3.0}};
  return tree;
}

}  // namespace

TEST_CASE("The tree's translations are the translator's n-best list", "[explain][beam]") {
  const Translator translator({{kBeamModel}});
  for (const char* sentence : {"저는 어제 도서관에서 책을 읽었어요.", "학교", "저는 xyz."}) {
    for (const int64_t beam_size : {1, 2, 3, 5}) {
      for (const double length_penalty : {1.0, 0.0, 2.5}) {
        INFO(sentence << " " << beam_size << " " << length_penalty);
        TranslationOptions options;
        options.beam_size = options.n_best = beam_size;
        options.length_penalty = length_penalty;
        options.copy_unknown = false;
        const auto wanted = translator.translate({sentence}, options).front().candidates;
        const auto tree = grow_beam_tree(kBeamModel, sentence, beam_size, length_penalty);
        REQUIRE(tree.ranking.size() == wanted.size());
        for (size_t i = 0; i < wanted.size(); ++i) {
          const auto& found = tree.ranking[i];
          CHECK(found.text == wanted[i].text);
          CHECK(found.score == wanted[i].score);
          CHECK(found.log_probability == wanted[i].log_probability);
          // The path through the tree spells it.
          const auto& end = tree.nodes[found.node];
          CHECK(end.fate == Fate::kEnded);
          CHECK(end.score == Approx(found.score).epsilon(1e-12));
          size_t at = end.parent;
          for (size_t t = wanted[i].tokens.size(); t-- > 0; at = tree.nodes[at].parent) {
            CHECK(tree.nodes[at].token == wanted[i].tokens[t]);
            CHECK(tree.nodes[at].token_log_probability ==
                  Approx(wanted[i].token_log_probabilities[t]).margin(1e-6));
          }
          CHECK(at == 0);
        }
      }
    }
  }
}

TEST_CASE("Every step keeps the likeliest continuations of what is open", "[explain][beam]") {
  const auto tree = grow_beam_tree(kBeamModel, "저는 어제 책을 읽었어요.", 3, 1.0);
  for (size_t step = 1; step <= tree.num_steps(); ++step) {
    INFO(step);
    double before = 0.0;
    size_t open = 0;
    size_t rank = 0;
    for (const size_t i : tree.step(step)) {
      const auto& node = tree.nodes[i];
      const auto& parent = tree.nodes[node.parent];
      CHECK(parent.step + 1 == step);
      CHECK(parent.fate == Fate::kOpen);
      CHECK(node.log_probability ==
            Approx(parent.log_probability + node.token_log_probability).margin(1e-12));
      CHECK(node.score == Approx(node.log_probability / ((5.0 + static_cast<double>(step)) / 6.0)));
      CHECK(node.log_probability <= before);
      before = node.log_probability;
      const bool ends = node.token == "</s>";
      const bool stays = ends ? rank < 3 : open < 3;
      CHECK(node.fate == (stays ? (ends ? Fate::kEnded : Fate::kOpen) : Fate::kPruned));
      if (!ends) ++open;
      ++rank;
    }
    CHECK(rank == 6);
  }
}

TEST_CASE("The plain engine's search is observed likewise", "[explain][beam]") {
  std::vector<ConsideredCandidate> all;
  SearchOptions search;
  search.beam_size = search.n_best = 2;
  search.observe = [&](const auto& step) { all.insert(all.end(), step.begin(), step.end()); };
  const EngineModels models{{read_model(kBeamModel)}};
  const auto ids = models.translators.front().source.encode("저는 책을 읽어요.");
  for (const int64_t beam_size : {2, 1}) {
    all.clear();
    search.beam_size = search.n_best = beam_size;
    const auto found = make_plain_engine(models, "cpu", 1)->search({ids}, 1, search, {}).front();
    const auto tree = grow_beam_tree(kBeamModel, "저는 책을 읽어요.", beam_size, 1.0);
    REQUIRE(all.size() + 1 == tree.nodes.size());
    for (size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i].fate == tree.nodes[i + 1].fate);
      CHECK(all[i].log_probability == Approx(tree.nodes[i + 1].log_probability).margin(1e-4));
    }
    CHECK(found.front().score == Approx(tree.ranking.front().score).margin(1e-5));
  }
}

TEST_CASE("A tree is text, a page and a picture", "[explain][beam]") {
  const TemporaryFolder folder;
  const auto explanation = explain_beam_tree(small_tree());
  const auto text = explanation_text(explanation, Language::kEnglish, false);
  CHECK(contains(text,
                 "<s>\n"
                 "├─ ▁a\n"
                 "│  ├─ </s> ■ 2. -3.00\n"
                 "│  ╰─ ▁d …\n"
                 "╰─ ▁<b> </s> ■ 1. -1.50\n"));
  CHECK(contains(text, "✗ 1 + ▁c    -4.00  -4.00  -4.00\n"));
  CHECK(contains(text, "■ 2 + </s>  -0.75  -1.75  -1.50\n"));
  CHECK(contains(text, "Σ = -1.00 + (-0.75) = -1.75, s = -1.75 / ((5 + 2) / 6)^1 = -1.50"));
  CHECK(contains(text, "1 <s>   ▁a    ███████████████           61 %"));
  for (const auto& step : explanation.steps) CHECK_FALSE(step.text.korean.empty());
  const auto page = explanation_page(explanation, Language::kKorean);
  CHECK(contains(page, "▁&lt;b&gt;"));
  CHECK_FALSE(contains(page, "aria-label=\"\""));
  CHECK_FALSE(contains(page, "name=\"asking\""));
  CHECK(problems_of_page(folder.write("page.html", page)).empty());
  const auto picture = explanation_picture(explanation, Language::kEnglish);
  CHECK(problems_of_page(folder.write("picture.svg", picture)).empty());
}

TEST_CASE("Two segmentations of one text are explained", "[explain][beam]") {
  auto tree = small_tree();
  const auto text = [&] { return explain_beam_tree(tree).steps.back().text.english; };
  CHECK_FALSE(contains(text(), "Rows of one text"));
  tree.ranking[1].text = tree.ranking[0].text;
  CHECK(contains(text(), "Rows of one text are different pieces"));
}

TEST_CASE("The ranking has the whole of long translations", "[explain][beam]") {
  const std::string begin = "ein mann in einem blauen hemd steht auf einer leiter und ";
  auto tree = small_tree();
  tree.ranking[0].text = begin + "putzt ein fenster.";
  tree.ranking[1].text = begin + "reinigt einen fenster.";
  const auto explanation = explain_beam_tree(tree);
  const auto text = explanation_text(explanation, Language::kEnglish, false);
  CHECK(contains(text,
                 "  1 ein mann in einem blauen hemd steht auf  -1.75  -1.50\n"
                 "  einer leiter und putzt ein fenster.\n"
                 "  2 ein mann in einem blauen hemd steht auf  -3.50  -3.00\n"
                 "  einer leiter und reinigt einen fenster.\n"));
  const auto page = explanation_page(explanation, Language::kEnglish);
  CHECK(contains(page, "class=\"long\">1 " + tree.ranking[0].text + "</th><td>-1.75"));
  CHECK(contains(page, "class=\"long\">2 " + tree.ranking[1].text + "</th><td>-3.50"));
}

TEST_CASE("A long line of the tree is continued below", "[explain][beam]") {
  BeamTree tree{"가", {"▁가"}, 1, 1.0, {{}}, {}};
  for (size_t i = 0; i < 20; ++i) {
    tree.nodes.push_back(
        {i, i + 1, i < 19 ? "▁token" : "</s>", 0.0, 0.0, 0.0, i < 19 ? Fate::kOpen : Fate::kEnded});
  }
  const auto outline = explain_beam_tree(tree).outline;
  CHECK(contains(outline, "╰─ ▁token"));
  CHECK(contains(outline, "▁token\n    ▁token"));
  CHECK(contains(outline, "▁token </s> ■ 0.00\n"));
}

TEST_CASE("What no tree can be drawn of is refused", "[explain][beam]") {
  const auto refusal = [](const std::string& sentence, int64_t beam_size) {
    return error_of([&] { grow_beam_tree(kBeamModel, sentence, beam_size, 1.0); });
  };
  CHECK(contains(refusal(" ", 3), "no tokens in the sentence"));
  CHECK(contains(refusal("책", 11), "--beam-size: 11 is out of range; use 1 to 10"));
  CHECK(contains(refusal("책", 0), "use 1 to 10"));
  std::string words;
  for (int i = 0; i < 100; ++i) words += "책 ";
  CHECK(contains(refusal(words, 3), "tokens; use one of at most 64"));
}

}  // namespace nmt
