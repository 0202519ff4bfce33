#include "cli/hostile_input.h"
#include "support/catch.h"

namespace nmt {
namespace {

struct FlagValues {
  std::string flag;
  std::vector<std::string> refused;  // as a shell reads them
  int exit_code = 2;
};

/// One case for each value: refused, with a line that names the flag or what it sets.
std::vector<HostileCase> refusals(const std::string& command, const std::vector<FlagValues>& flags,
                                  const std::string& name = "") {
  std::vector<HostileCase> cases;
  for (const auto& [flag, values, exit_code] : flags) {
    for (const auto& value : values) {
      cases.push_back({flag + " " + value, command + " " + flag + "=" + value, exit_code, name, 0});
    }
  }
  return cases;
}

const char kHuge[] = "99999999999999999999999";
const char kLargest[] = "9223372036854775807";

}  // namespace

TEST_CASE("A number out of range on a flag of what is looked at is refused", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  check_cases(in.path(), refusals("$nmt compare $in/text $in/text -r $in/text",
                                  {{"--samples", {"0", "-1", "x", kHuge, kLargest}},
                                   {"--seed", {"-1", "x", kHuge}},
                                   {"--sentences", {"-1", "x", kLargest}}}));
  check_cases(in.path(),
              refusals("$nmt report $sample -o $out/x", {{"--sentences", {"-1", "x", kLargest}}}));
  check_cases(in.path(), refusals("$nmt train --train-sets $in/text $in/text -m $out/m",
                                  {{"--live", {"-1", "65536", "x", "''", kHuge}}}));
}

TEST_CASE("A number out of range on a flag of translation is refused", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  check_cases(in.path(), refusals("$nmt translate -m $sample -i $in/text -o $out/x",
                                  {{"--beam-size", {"0", "-1", "x", "''", "1.5", kHuge, kLargest}},
                                   {"--n-best", {"0", "-1", "6", kLargest}},
                                   {"--n-best=2000 --sample --seed", {"1"}},
                                   {"--length-penalty", {"nan", "inf", "-inf", "1e308", "x", "''"}},
                                   {"--length-normalization", {"''", "WU", "0", "none"}},
                                   {"--max-length", {"0", "-1", "x", kLargest}},
                                   {"--max-length-ratio", {"0", "-1", "nan", "inf", "1e308", "x"}},
                                   {"--max-source-length", {"0", "-1", kLargest}},
                                   {"--batch-size", {"0", "-1", "x", kLargest}},
                                   {"--coverage-penalty", {"-1", "nan", "inf", "101", "x"}},
                                   {"--no-repeat-ngram", {"-1", "x", kLargest}},
                                   {"--diverse-groups", {"0", "-1", "2", "6", "x", kLargest}},
                                   {"--diversity-strength", {"-1", "nan", "inf", "x"}},
                                   {"--temperature", {"0", "-1", "nan", "inf", "1e-300", "x"}},
                                   {"--top-k", {"-1", "x", kHuge}},
                                   {"--top-p", {"0", "-1", "1.1", "nan", "x"}},
                                   {"--seed", {"-1", "x", kHuge}},
                                   {"--threads", {"-1", "x", "''", "100000", kLargest}}}));
}

TEST_CASE("A number out of range on a flag of a language model is refused", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  check_cases(in.path(), refusals("$nmt translate -m $sample --lm $sample -i $in/text -o $out/x",
                                  {{"--lm-weight", {"-1", "nan", "inf", "101", "x", "''"}}}));
  check_cases(in.path(), refusals("$nmt lm score -m $sample -i $in/text -o $out/x",
                                  {{"--batch-size", {"0", "-1", "x", kHuge}},
                                   {"--threads", {"-1", "x", "100000"}}}));
}

TEST_CASE("Numbers at the edge of their range work", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n\ntwo\n");
  const std::string translate = "$nmt translate -m $sample --threads 1 < $in/text ";
  check_cases(
      in.path(),
      {{"a wide beam", translate + "--beam-size 300 --max-length 3", 0, "", 3},
       {"a beam wider than the vocabulary", translate + "--beam-size 1000 --max-length 1", 0, "",
        3},
       {"many candidates", translate + "--beam-size 50 --n-best 50 --max-length 1", 0, "", -1},
       {"one token", translate + "--max-length 1 --max-source-length 1", 0, "", 3},
       {"a batch beyond the text", translate + "--batch-size 100000", 0, "", 3},
       {"a long length", translate + "--max-length 100000 --max-length-ratio 1000", 0, "", 3},
       {"an extreme penalty", translate + "--length-penalty -10", 0, "", 3},
       {"nothing may come twice",
        translate + "--no-repeat-ngram 1 --min-length 90000 --max-length 90000", 0, "", 3},
       {"a long n-gram", translate + "--no-repeat-ngram 1000", 0, "", 3},
       {"an extreme coverage penalty", translate + "--coverage-penalty 100", 0, "", 3},
       {"groups of one", translate + "--diverse-groups 5 --diversity-strength 1000", 0, "", 3},
       {"a hot sample", translate + "--sample --temperature 1000 --max-length 9", 0, "", 3},
       {"a cold sample", translate + "--sample --temperature 0.001", 0, "", 3},
       {"few likeliest tokens", translate + "--sample --top-p 1e-300 --top-k 1", 0, "", 3},
       {"top-k beyond the vocabulary", translate + "--sample --top-k 1000000", 0, "", 3},
       {"the largest seed", translate + "--sample --seed 18446744073709551615", 0, "", 3},
       {"batches of one", translate + "--batch-size 1", 0, "", 3}});
}

TEST_CASE("A number out of range on a flag of the other commands is refused", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  in.write("empty", "");
  auto cases = refusals("$nmt score -m $sample -s $in/text -t $in/text -o $out/x",
                        {{"--batch-size", {"0", "-1", "x", kLargest}}, {"--threads", {"-1", "x"}}});
  const auto add = [&](const std::string& command, const std::vector<FlagValues>& flags) {
    for (auto& refusal : refusals(command, flags)) cases.push_back(refusal);
  };
  add("$nmt score -m $sample -s $in/text --n-best $in/text -o $out/x",
      {{"--weight", {"-1", "2", "nan", "x"}}});
  add("$nmt evaluate --hypothesis $in/text --reference $in/text",
      {{"--chrf-word-order", {"-1", "3", "x"}},
       {"--metrics", {"''", "rouge"}},
       {"--tokenize", {"''", "x"}},
       {"--smoothing", {"''", "x"}},
       {"--beam-size", {"0", kLargest}}});
  add("$nmt vocab -i $in/text -o $out/x", {{"--size", {"0", "-1", "x", kHuge}},
                                           {"--character-coverage", {"0", "-1", "1.5", "nan", "x"}},
                                           {"--max-sentences", {"-1", "x"}},
                                           {"--threads", {"0", "-1", kLargest}},
                                           {"--type", {"''", "x"}},
                                           {"--pieces", {"-1", "x"}},
                                           {"--seed", {"-1", "x", kHuge}}});
  add("$nmt vocab -i $in/text -o $out/x",
      {{"--size", {"1", "4", "1000001"}, 1}, {"--normalization", {"x"}}});
  add("$nmt interactive -m $sample < $in/text", {{"--beam-size", {"0", "x"}}});
  add("$nmt serve -m $sample",
      {{"--port", {"-1", "65536", "x", "''", kHuge}},
       {"--source-language", {"x", "ko_KR", "'<b>'", kHuge}},
       {"--target-language", {"'e n'"}},
       {"--max-body", {"0", "-1", "x", kLargest}},
       {"--max-characters", {"0", "-1", kLargest}},
       {"--max-sentences", {"0", "x", kLargest}},
       {"--max-queue", {"0", "-1", kHuge}},
       {"--max-connections", {"0", "x", kLargest}},
       {"--request-timeout", {"0", "-1", "x", "3601"}},
       {"--requests-per-minute", {"-1", "x", kLargest}},
       {"--characters-per-minute", {"-1", "1.5", kHuge}},
       {"--trusted-proxy", {"''", "example.org", "10.0.0.1/8", "10.0.0.0/33", kHuge}},
       {"--cors", {"''", "example.org", "https://a/b", "'https://a b'"}},
       {"--new-key", {"''", "'a b'", "a/b"}},
       {"--beam-size", {"0", "x"}}});
  add("$nmt serve -m $sample --port 0",
      {{"--host", {"nowhere.invalid", "999.1.1.1"}, 1},
       {"--suggestions", {"$in/none/x", "$in"}, 1},
       {"--api-key-file", {"$in/none", "$in/empty", "$in/text"}, 1}});
  add("$nmt bench train --train-sets $in/text $in/text",
      {{"--batches", {"0", "-1", "x", kLargest}}, {"--rounds", {"0", "x", kLargest}}});
  check_cases(in.path(), cases);
}

TEST_CASE("A setting out of range is refused before anything is written", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\n");
  const std::string train = "$nmt train --train-sets $in/text $in/text -m $out/model";
  const auto cases =
      refusals(train, {{"--data.max-length", {"x", "''", "1.5", kHuge}},
                       {"--model.cell", {"''"}},
                       {"--data.max-ratio", {"nan", "inf", "x", "''"}},
                       {"--vocab.joint", {"maybe", "2"}},
                       {"--train.learning-rate", {"nan", "inf", "1e999", "x"}},
                       {"--train.max-minutes", {"nan", "''"}},
                       {"--train.threads", {"x", "1e3"}},
                       {"--data.batch-size", {"0", "-1", kLargest}},
                       {"--data.batch-type", {"lines"}},
                       {"--data.bucket-batches", {"0", kLargest}},
                       {"--data.max-length", {"0", kLargest}},
                       {"--data.max-ratio", {"-1"}},
                       {"--vocab.source-size", {"7", "-1"}},
                       {"--vocab.type", {"word"}},
                       {"--model.cell", {"rnn"}},
                       {"--model.hidden-size", {"0", "-2", "3", "1000000000", kLargest}},
                       {"--model.embedding-size", {"0", "-1", kLargest}},
                       {"--model.num-layers", {"0", "-1", kLargest}},
                       {"--model.dropout", {"-0.1", "1e308"}},
                       {"--model.embedding-init-std", {"0", "-1"}},
                       {"--train.seed", {"-1"}},
                       {"--train.learning-rate", {"-1", "1e308"}},
                       {"--train.adam-beta1", {"1", "-1"}},
                       {"--train.label-smoothing", {"1", "-1"}},
                       {"--train.gradient-accumulation", {"0", kLargest}},
                       {"--train.warmup-updates", {"-1", kLargest}},
                       {"--train.max-epochs", {kLargest}},
                       {"--train.threads", {"-1", "100000"}},
                       {"--train.device", {"tpu", "cuda:-1", "cuda:99999999999"}},
                       {"--validation.beam-size", {"0", kLargest}},
                       {"--validation.length-penalty", {"1e308"}},
                       {"--validation.keep-best", {"0"}}});
  check_cases(in.path(), cases);
}

}  // namespace nmt
