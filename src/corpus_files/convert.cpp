#include "corpus_files/convert.h"

#include "errors/counted.h"
#include "errors/error.h"

namespace nmt {

std::string convert_corpus(CorpusFile& corpus, const PairOutput& output) {
  PairWriter writer(output);
  std::string source;
  std::string target;
  while (corpus.next(source, target)) writer.write(source, target);
  if (writer.pairs() == 0) throw Error("nothing to convert; the corpus has no pair");
  writer.finish();
  const auto skipped = corpus.skipped();
  return counted(writer.pairs(), "pair") + (skipped.empty() ? "" : "; skipped: " + skipped) + "\n" +
         writer.invalid_pairs();
}

}  // namespace nmt
