#include "corpus_files/convert.h"

#include "corpus_check/common_words.h"
#include "errors/counted.h"
#include "errors/error.h"

namespace nmt {

std::string convert_corpus(CorpusFile& corpus, const PairOutput& output) {
  PairWriter writer(output);
  NamedLanguages names(output.source, output.target);
  std::string source;
  std::string target;
  while (corpus.next(source, target)) {
    writer.write(source, target);
    names.add(source, target);
  }
  if (writer.pairs() == 0) throw Error("nothing to convert; the corpus has no pair");
  writer.finish();
  const auto skipped = corpus.skipped();
  auto summary =
      counted(writer.pairs(), "pair") + (skipped.empty() ? "" : "; skipped: " + skipped) + "\n";
  for (const auto& note : {corpus.note(), names.warning()}) {
    if (!note.empty()) summary += note + "\n";
  }
  return summary + writer.invalid_pairs();
}

}  // namespace nmt
