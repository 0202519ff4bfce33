#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/line_reader.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "support/catch.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(NMT_SOURCE_DIR) / "tests" / "metrics" / "golden";

struct GoldenSet {
  std::string name;
  std::vector<std::string> hypotheses;
  std::vector<std::string> references;
  nlohmann::json expected;
};

std::vector<GoldenSet> golden_sets() {
  std::vector<GoldenSet> sets;
  const auto json = nlohmann::json::parse(std::ifstream(kGolden / "expected.json"));
  for (const auto& [name, expected] : json["sets"].items()) {
    sets.push_back({name, read_lines(kGolden / (name + ".hyp")),
                    read_lines(kGolden / (name + ".ref")), expected});
  }
  return sets;
}

// "bleu|tok:13a|lc:False|smooth:exp" -> {tok: 13a, lc: False, …}
std::map<std::string, std::string> fields_of(const std::string& key) {
  std::map<std::string, std::string> fields;
  std::istringstream stream(key);
  for (std::string field; std::getline(stream, field, '|');) {
    const auto colon = field.find(':');
    if (colon != std::string::npos) fields[field.substr(0, colon)] = field.substr(colon + 1);
  }
  return fields;
}

BleuOptions bleu_options(const std::string& key) {
  const auto fields = fields_of(key);
  BleuOptions options;
  options.tokenizer = parse_choice<BleuTokenizer>(fields.at("tok")).value();
  options.lowercase = fields.at("lc") == "True";
  options.smoothing = parse_choice<BleuSmoothing>(fields.at("smooth")).value();
  return options;
}

// The golden figures have four decimals.
auto equals(const nlohmann::json& figure) {
  return Approx(figure.get<double>()).margin(0.0001).epsilon(0);
}

void check_bleu(const GoldenSet& set, const std::string& key, const nlohmann::json& expected) {
  const auto options = bleu_options(key);
  const auto bleu = corpus_bleu(set.hypotheses, set.references, options);
  CHECK(bleu.score == equals(expected["score"]));
  for (size_t n = 0; n < 4; ++n) CHECK(bleu.precisions[n] == equals(expected["precisions"][n]));
  CHECK(bleu.brevity_penalty == equals(expected["bp"]));
  CHECK(bleu.hypothesis_length == expected["sys_len"].get<int64_t>());
  CHECK(bleu.reference_length == expected["ref_len"].get<int64_t>());
  CHECK(bleu_signature(options) == expected["signature"].get<std::string>());
}

void check_chrf(const GoldenSet& set, const std::string& key, const nlohmann::json& expected) {
  const auto fields = fields_of(key);
  ChrfOptions options;
  options.word_order = std::stoi(fields.at("wo"));
  options.lowercase = fields.at("lc") == "True";
  CHECK(corpus_chrf(set.hypotheses, set.references, options) == equals(expected["score"]));
  CHECK(chrf_signature(options) == expected["signature"].get<std::string>());
}

void check_ter(const GoldenSet& set, const std::string& key, const nlohmann::json& expected) {
  TerOptions options;
  options.case_sensitive = fields_of(key).at("cs") == "True";
  CHECK(corpus_ter(set.hypotheses, set.references, options) == equals(expected["score"]));
  CHECK(ter_signature(options) == expected["signature"].get<std::string>());
}

}  // namespace

TEST_CASE("BLEU, chrF and TER equal sacreBLEU's on every golden set", "[evaluate]") {
  int64_t figures = 0;
  for (const auto& set : golden_sets()) {
    for (const auto& [key, expected] : set.expected.items()) {
      INFO(set.name << " " << key);
      if (key.rfind("bleu|", 0) == 0) {
        check_bleu(set, key, expected);
      } else if (key.rfind("chrf|", 0) == 0) {
        check_chrf(set, key, expected);
      } else if (key.rfind("ter|", 0) == 0) {
        check_ter(set, key, expected);
      } else {
        REQUIRE(key == "sentence_bleu");
        for (size_t i = 0; i < expected.size(); ++i) {
          CHECK(sentence_bleu(set.hypotheses[i], set.references[i]).score == equals(expected[i]));
        }
      }
      ++figures;
    }
  }
  CHECK(figures == 69);
}

}  // namespace nmt
