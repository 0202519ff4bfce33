#include "corpus_files/split.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "corpus_files/pair_writer.h"
#include "data/hold_out.h"
#include "data/pair_reader.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/side_names.h"

namespace nmt {
namespace {

HeldOutPairs choose_sets(const SplitRequest& request) {
  HoldOutRequest hold_out_request;
  hold_out_request.sources = {request.source.string()};
  hold_out_request.targets = {request.target.string()};
  hold_out_request.pairs = request.pairs;
  auto sets = hold_out(hold_out_request);
  if (!sets.validation.empty()) return sets;
  throw Error(request.source.string() + ": " +
              (held_out_size(sets.source_sentences) == 0
                   ? std::to_string(sets.source_sentences) +
                         " different source sentences are too few to divide; 200 are needed"
                   : few_possible(sets) + "; use a larger corpus"));
}

/// A rerun writes the same sets. Others are kept: a model may have been trained or judged on them.
void require_no_others(const PairOutput& files, const std::vector<SentencePair>& pairs) {
  std::string source;
  std::string target;
  for (const auto& pair : pairs) {
    source += pair.source + "\n";
    target += pair.target + "\n";
  }
  for (const auto& [file, text] : {std::pair(files.source, source), {files.target, target}}) {
    if (!std::filesystem::exists(file) || read_file(file) == text) continue;
    throw Error(file.string() +
                ": already exists with other sentences; use another directory to keep them, or "
                "--overwrite to replace the files there");
  }
}

void write_set(PairWriter& writer, const std::vector<SentencePair>& pairs) {
  for (const auto& pair : pairs) writer.write(pair.source, pair.target);
  writer.finish();
}

}  // namespace

std::string split_corpus(const SplitRequest& request) {
  const auto [source_name, target_name] =
      side_names(request.source, request.target).value_or(kNamelessSides);
  const auto output = [&, source = source_name, target = target_name](const std::string& part) {
    return PairOutput{request.folder / (part + "." + source),
                      request.folder / (part + "." + target)};
  };
  for (const auto* part : {"train", "valid", "test"}) {
    require_not_input({output(part).source, output(part).target}, {request.source, request.target});
  }
  require_rereadable({request.source, request.target});
  const auto sets = choose_sets(request);
  HeldOutSentences held_out;
  for (const auto* set : {&sets.validation, &sets.test}) {
    for (const auto& pair : *set) {
      held_out.insert(pair.source);
      held_out.insert(pair.target);
    }
  }
  if (!request.overwrite) {
    require_no_others(output("valid"), sets.validation);
    require_no_others(output("test"), sets.test);
    const bool is_split = std::filesystem::exists(output("valid").source);
    if (!is_split) require_no_others(output("train"), {});
  }
  make_folder(request.folder);
  PairWriter train(output("train"));
  PairWriter valid(output("valid"));
  PairWriter test(output("test"));
  int64_t left_out = -static_cast<int64_t>(sets.validation.size() + sets.test.size());
  for_each_pair(request.source, request.target,
                [&](int64_t, const std::string& source, const std::string& target) {
                  if (held_out.contains(source) || held_out.contains(target)) {
                    ++left_out;
                  } else {
                    train.write(source, target);
                  }
                });
  write_set(valid, sets.validation);
  write_set(test, sets.test);
  train.finish();  // last: with a validation set it is known to be of a split
  auto summary = fmt::format("{} for training, {} for validation, {} for the test\n",
                             counted(train.pairs(), "pair"), valid.pairs(), test.pairs());
  if (left_out > 0) {
    summary += counted(left_out, "other") + " left out: a side is a sentence of the other sets\n";
  }
  for (const auto* part : {&train, &valid, &test}) summary += part->invalid_pairs();
  return summary;
}

}  // namespace nmt
