#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.h"
#include "data/batch.h"
#include "files/scratch_folder.h"
#include "nn/seq2seq.h"
#include "processes/subprocess.h"
#include "text/tokenizer.h"

namespace nmt {

/// The batches that everything under comparison trains on.
using BenchBatches = std::vector<Batch>;

/// Something that can run through the batches once, in so many seconds.
class TrainingCandidate {
 public:
  virtual ~TrainingCandidate() = default;
  virtual double run() = 0;
};

/// A new model, or train.initial_model's, in training mode.
Seq2Seq make_bench_model(const Seq2SeqOptions& options, const TrainConfig& config);

/// One of this program's two engines.
std::unique_ptr<TrainingCandidate> make_path(const Seq2SeqOptions& options,
                                             const TrainConfig& config, int threads,
                                             const BenchBatches& batches,
                                             const Tokenizers& tokenizers);

/// The batches as the Python program reads them: one JSON object a line, of lists of token ids.
void write_batches(const BenchBatches& batches, const std::filesystem::path& path);

/// A program in Python that answers each line of its input with a time.
class PythonProgram {
 public:
  explicit PythonProgram(const std::vector<std::string>& command);

  /// Throws Error when the program ends or answers with something else.
  double ask_seconds(const std::string& line);

 private:
  ScratchFolder folder_;  // its standard streams, two pipes
  Subprocess program_;
  std::ofstream input_;
  std::ifstream output_;
};

/// Starts a Python program with the arguments that describe a model.
std::vector<std::string> python_command(const std::string& python, const std::string& program,
                                        const Seq2SeqOptions& options, int threads);

/// The same model in Python PyTorch, in a process of its own; `batches_file` is of write_batches.
std::unique_ptr<TrainingCandidate> make_python(const std::string& python,
                                               const std::string& program,
                                               const Seq2SeqOptions& options,
                                               const TrainConfig& config, int threads,
                                               const std::filesystem::path& batches_file);

}  // namespace nmt
