#include "corpus_files/pair_writer.h"

#include <algorithm>

#include "corpus_files/corpus_file.h"
#include "errors/error.h"
#include "files/file.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kBlockBytes = 1 << 16;

const PairOutput& require_valid(const PairOutput& output) {
  require_two_outputs(output.source, output.target);
  for (const auto& file : {output.source, output.target}) {
    const bool is_memory = has_ending(file, ".tmx");
    if (!is_memory && !has_ending(file, ".csv")) continue;
    throw UsageError(file.string() + ": " +
                     (is_memory ? "translation memories" : "tables in .csv") +
                     " are read, not written; use another ending, e.g. .tsv");
  }
  return output;
}

std::string without_tabs(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

/// Writes the buffer once it has `min_bytes`. Blocks are faster than lines, since OutputFile
/// flushes each write.
void write_waiting(OutputFile& file, std::string& waiting, size_t min_bytes) {
  if (waiting.size() < min_bytes) return;
  file.write(waiting);
  waiting.clear();
}

}  // namespace

PairWriter::PairWriter(const PairOutput& output)
    : name_(output.source == "-" ? "standard output" : output.source.string()),
      source_(require_valid(output).source) {
  if (!output.target.empty()) target_.emplace(output.target);
}

void PairWriter::write(const std::string& source, const std::string& target) {
  ++pairs_;
  if (find_invalid_utf8(source) || find_invalid_utf8(target)) {
    if (++invalid_ == 1) first_invalid_ = pairs_;
  }
  if (target_) {
    waiting_source_ += source + "\n";
    waiting_target_ += target + "\n";
    write_waiting(*target_, waiting_target_, kBlockBytes);
  } else {
    waiting_source_ += without_tabs(source) + "\t" + without_tabs(target) + "\n";
  }
  write_waiting(source_, waiting_source_, kBlockBytes);
}

void PairWriter::finish() {
  write_waiting(source_, waiting_source_, 1);
  if (target_) write_waiting(*target_, waiting_target_, 1);
  source_.finish();
  if (target_) target_->finish();
}

std::string PairWriter::invalid_pairs() const {
  if (invalid_ == 0) return "";
  return name_ + ": " + std::to_string(invalid_) + (invalid_ == 1 ? " pair is" : " pairs are") +
         " not valid UTF-8, the first in line " + std::to_string(first_invalid_) +
         "; nmt data clean drops such pairs; to keep them, convert the file, for example with " +
         std::string(kConversion) + "\n";
}

}  // namespace nmt
