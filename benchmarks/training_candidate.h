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

/// One of this program's two engines, on this device.
std::unique_ptr<TrainingCandidate> make_path(const Seq2SeqOptions& options,
                                             const TrainConfig& config, const torch::Device& device,
                                             int threads, const BenchBatches& batches,
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

/// How a Python program computes.
struct PythonRun {
  std::string python;   // the interpreter
  std::string program;  // of benchmarks/
  std::string device;
  std::string precision;
  std::string compile_mode;  // of torch.compile; empty: not compiled
  int threads = 1;
};

/// Whether the row of this name is a Python program's.
inline bool is_python(const std::string& path) { return path == "python" || path == "compiled"; }

/// The command that starts a Python program, with the arguments that describe a model.
std::vector<std::string> python_command(const PythonRun& run, const Seq2SeqOptions& options);

/// The same model in Python PyTorch, in a process of its own; `batches_file` is of write_batches.
std::unique_ptr<TrainingCandidate> make_python(const PythonRun& run, const Seq2SeqOptions& options,
                                               const TrainConfig& config,
                                               const std::filesystem::path& batches_file);

}  // namespace nmt
