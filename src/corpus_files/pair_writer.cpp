#include "corpus_files/pair_writer.h"

#include <algorithm>

#include "corpus_files/corpus_file.h"
#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace {

const PairOutput& require_valid(const PairOutput& output) {
  require_two_outputs(output.source, output.target);
  for (const auto& file : {output.source, output.target}) {
    if (!has_ending(file, ".tmx")) continue;
    throw UsageError(file.string() +
                     ": translation memories are read, not written; use another ending, e.g. .tsv");
  }
  return output;
}

std::string without_tabs(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

}  // namespace

PairWriter::PairWriter(const PairOutput& output) : source_(require_valid(output).source) {
  if (!output.target.empty()) target_.emplace(output.target);
}

void PairWriter::write(const std::string& source, const std::string& target) {
  ++pairs_;
  if (target_) {
    source_.write(source + "\n");
    target_->write(target + "\n");
  } else {
    source_.write(without_tabs(source) + "\t" + without_tabs(target) + "\n");
  }
}

void PairWriter::finish() {
  source_.finish();
  if (target_) target_->finish();
}

}  // namespace nmt
