#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "corpus_check/common_words.h"
#include "corpus_check/data_check.h"
#include "corpus_check/made_up_pairs.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

constexpr size_t kPairs = 1200;
constexpr size_t kInterval = 10;  // one pair in ten is damaged

class PlantedCorpus {
 public:
  explicit PlantedCorpus(size_t pairs = kPairs) {
    for (auto& pair : made_up_pairs(pairs)) pairs_.push_back({pair.german, pair.english});
  }

  std::vector<SentencePair>& pairs() { return pairs_; }

  /// Damages every `interval`-th pair.
  PlantedCorpus& plant(const std::function<void(SentencePair&, size_t)>& damage,
                       size_t interval = kInterval) {
    for (size_t i = 0; i < pairs_.size(); i += interval) damage(pairs_[i], i);
    return *this;
  }

  InspectionRequest request() {
    std::string source;
    std::string target;
    for (const auto& pair : pairs_) {
      source += pair.source + "\n";
      target += pair.target + "\n";
    }
    InspectionRequest request;
    request.corpus = {folder_.write("source", source), folder_.write("target", target)};
    return request;
  }

  struct Found {
    size_t planted = 0;
    size_t others = 0;
    std::string names;  // of what the planted pairs were taken for
  };
  /// Pairs with the issue; other pairs with any but that of being repeated.
  Found find(Issue issue, size_t interval = kInterval) {
    Found found;
    inspect_corpus(request(), [&](const InspectedPair& pair) {
      const bool planted = (static_cast<size_t>(pair.line) - 1) % interval == 0;
      if (planted && pair.issue == issue) ++found.planted;
      if (planted && pair.issue != issue) {
        found.names += std::string(pair.issue ? issue_name(*pair.issue) : "none") + " ";
      }
      if (!planted && pair.issue && pair.issue != Issue::kDuplicate) ++found.others;
    });
    return found;
  }

  TemporaryFolder folder_;

 private:
  std::vector<SentencePair> pairs_;
};

}  // namespace

TEST_CASE("Each kind of planted pair is found, and few others", "[inspect]") {
  const auto others = made_up_pairs(kPairs, 99);
  using Damage = std::function<void(SentencePair&, size_t)>;
  const std::map<Issue, Damage> kinds = {
      {Issue::kSwapped, [](SentencePair& pair, size_t) { std::swap(pair.source, pair.target); }},
      {Issue::kMarkup,
       [](SentencePair& pair, size_t i) {
         pair.source = i % 20 == 0 ? "<p>" + pair.source + "</p>" : "<b>Also:</b> " + pair.source;
       }},
      {Issue::kEncoding, [](SentencePair& pair, size_t) { pair.source += " GrÃ¼ÃŸe."; }},
      {Issue::kLanguage, [&](SentencePair& pair, size_t i) { pair.target = others[i].french; }},
      {Issue::kUrl, [](SentencePair& pair,
                       size_t i) { pair.target = "https://www.example.org/" + std::to_string(i); }},
      {Issue::kJoined, [](SentencePair& pair, size_t) { pair.source += "\t" + pair.target; }},
      {Issue::kUnrelated, [&](SentencePair& pair, size_t i) { pair.target = others[i].english; }},
      {Issue::kNumbers, [](SentencePair& pair, size_t i) {
         pair.source += " Das war " + std::to_string(1901 + i % 70) + ".";
         pair.target += " That was in " + std::to_string(1902 + i % 70) + ".";
       }}};
  for (const auto& [issue, damage] : kinds) {
    INFO(issue_name(issue));
    // The few words of these sentences would teach the models of both sides much of a third
    // language.
    const size_t interval = issue == Issue::kLanguage ? 4 * kInterval : kInterval;
    const auto found = PlantedCorpus().plant(damage, interval).find(issue, interval);
    INFO(found.names);
    CHECK(found.planted * 10 >= kPairs / interval * (issue == Issue::kLanguage ? 8 : 9));
    CHECK(found.others * 100 <= kPairs);
  }
  PlantedCorpus clean;
  CHECK(clean.find(Issue::kDuplicate).others == 0);
}

TEST_CASE("Translations into a third language are found, few and many", "[inspect]") {
  const auto made_up = made_up_pairs(kPairs);
  for (const size_t interval : {20, 4}) {
    for (const bool in_source : {false, true}) {
      INFO(interval << " " << in_source);
      PlantedCorpus corpus;
      corpus.plant([&](SentencePair& pair,
                       size_t i) { (in_source ? pair.source : pair.target) = made_up[i].french; },
                   interval);
      const auto found = corpus.find(Issue::kLanguage, interval);
      CHECK(found.planted * 100 >= kPairs / interval * 95);
      CHECK(found.others * 100 <= kPairs);
    }
  }
}

TEST_CASE("A corpus whose sides are exchanged by their names is found and repaired", "[inspect]") {
  PlantedCorpus corpus;
  const auto request = corpus.request();
  const auto copy = [&](const std::string& name, const std::filesystem::path& text) {
    return corpus.folder_.write(name, read_file(text));
  };
  const auto& texts = request.corpus;
  auto exchanged = request;
  exchanged.corpus = {copy("wrong.en", texts.source), copy("wrong.de", texts.target)};
  auto right = request;
  right.corpus = {copy("right.de", texts.source), copy("right.en", texts.target)};
  constexpr auto kSwapped = static_cast<size_t>(Issue::kSwapped);
  const auto inspection = inspect_corpus(exchanged);
  REQUIRE(contains(inspection.names_warning, "wrong.de: each seems to be in the language that"));
  REQUIRE(inspection.counts[kSwapped] > static_cast<int64_t>(kPairs) / 2);
  REQUIRE(inspection.repairable[kSwapped] == inspection.counts[kSwapped]);
  REQUIRE(contains(to_text(inspection), "\n  " + inspection.names_warning + "\n"));
  for (const auto& other : {right, request}) {
    const auto usual = inspect_corpus(other);
    REQUIRE(usual.names_warning.empty());
    REQUIRE(usual.counts[kSwapped] == 0);
  }
}

TEST_CASE("Only clear words show that two files are exchanged", "[inspect]") {
  const auto exchanged = [](const char* source, const char* target, const char* source_file,
                            const char* target_file, int pairs = 20) {
    NamedLanguages names(source_file, target_file);
    for (int i = 0; i < pairs; ++i) names.add(source, target);
    return names.exchanged();
  };
  const auto* const german = "das ist nicht";
  const auto* const english = "the end of that";
  CHECK(exchanged(english, german, "a.de.gz", "a.en.gz"));
  CHECK_FALSE(exchanged(english, german, "a.de", "a.en", 5));
  CHECK_FALSE(exchanged(german, english, "a.de", "a.en"));
  CHECK_FALSE(exchanged(english, english, "a.de", "a.en"));
  CHECK_FALSE(exchanged(english, "это не он", "a.de", "a.en"));  // only one name is wrong
  CHECK_FALSE(exchanged("og det er", "og det er", "a.da", "a.nb"));
  CHECK(exchanged(english, "나는 갔다.", "a.ko", "a.en"));
  CHECK_FALSE(exchanged("나는 갔다.", english, "a.ko", "a.en"));
  CHECK_FALSE(exchanged(english, english, "a.ko", "a.en"));
  CHECK_FALSE(exchanged(english, german, "a.source", "a.target"));
}

TEST_CASE("Cleaning exchanges swapped sides and realigns what slipped", "[inspect]") {
  PlantedCorpus corpus;
  auto& pairs = corpus.pairs();
  const auto right = pairs;
  for (size_t i = 600; i < 800; ++i) pairs[i].target = pairs[i + 1].target;
  for (size_t i = 0; i < 20; ++i) std::swap(pairs[i].source, pairs[i].target);
  DataCleaningRequest request;
  request.inspection = corpus.request();
  request.output_source = corpus.folder_ / "clean.de";
  request.output_target = corpus.folder_ / "clean.en";
  const auto summary = clean_data(request);
  INFO(summary);
  REQUIRE(contains(summary, "exchanged  swapped"));
  REQUIRE(contains(summary, "realigned  misaligned"));
  std::map<std::string, std::string> english_of;
  for (const auto& pair : right) english_of[pair.source] = pair.target;
  const auto sources = read_lines(request.output_source);
  const auto targets = read_lines(request.output_target);
  size_t wrong = 0;
  for (size_t i = 0; i < sources.size(); ++i) wrong += english_of[sources[i]] != targets[i] ? 1 : 0;
  REQUIRE(sources.size() > kPairs * 9 / 10);
  REQUIRE(wrong * 100 <= sources.size());
  request.inspection.ignored = parse_issues({"swapped"});
  REQUIRE_FALSE(contains(clean_data(request), "swapped"));
  REQUIRE(read_lines(request.output_source).front() == pairs[0].source);
}

TEST_CASE("Cleaning looks for other issues in a pair whose issue is to be kept", "[inspect]") {
  PlantedCorpus corpus;
  auto& pairs = corpus.pairs();
  pairs[0].source = "<b>" + pairs[0].source + "</b>";  // in the test set
  for (size_t i = 10; i < 40; ++i) pairs[i].source += " <br/>";
  pairs[50] = pairs[10];
  pairs[60].target = pairs[60].source;
  DataCleaningRequest request;
  request.inspection = corpus.request();
  request.inspection.held_out = {corpus.folder_.write("test", pairs[0].target + "\n")};
  request.inspection.ignored = parse_issues({"markup", "copy"});
  request.output_source = corpus.folder_ / "clean.de";
  request.output_target = corpus.folder_ / "clean.en";
  clean_data(request);
  const auto sources = read_lines(request.output_source);
  const auto kept = [&](size_t i) {
    return std::count(sources.begin(), sources.end(), pairs[i].source);
  };
  REQUIRE(kept(0) == 0);
  REQUIRE(kept(10) == 1);
  REQUIRE(kept(60) == 1);
}

TEST_CASE("Cleaning realigns no line with a target that is to be left out", "[inspect]") {
  PlantedCorpus corpus;
  auto& pairs = corpus.pairs();
  for (size_t i = 600; i < 800; ++i) pairs[i].target = pairs[i + 1].target;
  std::string held_out;
  for (size_t i = 610; i < 780; i += 12) {  // each belongs to the source of the next line
    held_out += pairs[i].target + "\n";
    pairs[i + 4].target += " <br/>";
    pairs[i + 8].target += " \x01";
  }
  DataCleaningRequest request;
  request.inspection = corpus.request();
  request.inspection.held_out = {corpus.folder_.write("test", held_out)};
  request.output_source = corpus.folder_ / "clean.de";
  request.output_target = corpus.folder_ / "clean.en";
  REQUIRE(contains(clean_data(request), "realigned  misaligned"));
  const auto targets = read_file(request.output_target);
  REQUIRE_FALSE(contains(targets, "<br/>"));
  REQUIRE_FALSE(contains(targets, "\x01"));
  for (size_t i = 610; i < 780; i += 12) REQUIRE_FALSE(contains(targets, pairs[i].target));
}

TEST_CASE("Cleaning does not write two outputs into one file of two names", "[inspect]") {
  const TemporaryFolder folder;
  for (const auto& [target, dropped] :
       {std::pair{"./kept", ""}, std::pair{"b", "./kept"}, std::pair{"kept2", "./kept2"}}) {
    INFO(target << " " << dropped);
    DataCleaningRequest request;
    request.output_source = folder / "kept";
    request.output_target = folder / target;
    if (*dropped != '\0') request.dropped = folder / dropped;
    REQUIRE(contains(error_of([&] { clean_data(request); }), ": used for two outputs"));
  }
}

TEST_CASE("A check fails on the issues that it is asked to fail on", "[inspect]") {
  CorpusInspection report;
  report.corpus = {"train.de", "train.en"};
  report.counts[static_cast<size_t>(Issue::kMarkup)] = 7;
  REQUIRE_NOTHROW(require_none(report, {}));
  REQUIRE_NOTHROW(require_none(report, parse_issues({"numbers", "copy"})));
  REQUIRE(error_of([&] {
            require_none(report, parse_issues({"numbers", "markup"}));
          }) ==
          "train.de and train.en: found 7 markup (--fail-on); clean them with nmt data clean");
  REQUIRE(contains(error_of([&] { require_none(report, parse_issues({"any"})); }), "7 markup"));
}

}  // namespace nmt
