#include "corpus_files/merge.h"

#include "data/pair_reader.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "files/file.h"

namespace nmt {

std::string merge_corpora(const MergeRequest& request) {
  if (request.sources.size() != request.targets.size()) {
    throw UsageError("data merge: the number of sources is " +
                     std::to_string(request.sources.size()) + ", of targets " +
                     std::to_string(request.targets.size()) +
                     "; use as many of both, in the same order");
  }
  for (const auto* inputs : {&request.sources, &request.targets}) {
    require_not_input({request.output.source, request.output.target}, *inputs);
  }
  PairWriter writer(request.output);
  std::string corpora;
  for (size_t i = 0; i < request.sources.size(); ++i) {
    const auto before = writer.pairs();
    for_each_pair(request.sources[i], request.targets[i],
                  [&](int64_t, const std::string& source, const std::string& target) {
                    writer.write(source, target);
                  });
    corpora += "  " + std::to_string(writer.pairs() - before) + "  " + request.sources[i].string() +
               " and " + request.targets[i].string() + "\n";
  }
  writer.finish();
  return counted(writer.pairs(), "pair") + "\n" + corpora + writer.invalid_pairs();
}

}  // namespace nmt
