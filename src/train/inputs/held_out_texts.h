#pragma once

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "data/hold_out.h"
#include "distributed/process_group.h"

namespace nmt {

// A run whose settings name no validation set holds out one, and a test set (data.hold_out): a few
// pairs of the training corpora, written to files in the model directory; data.valid_source etc.
// then name these files. The training text is not copied; whoever reads it leaves out every
// sentence of these files.

/// Chooses the texts that a new run holds out. None if data.hold_out is 0, or if it is not given
/// and a validation set is. Sets that lie in the directory belong to its previous run and are
/// chosen again. Warns if the corpora are too small. Throws Error as hold_out() does, and if the
/// settings are not those of the previous run but name sets of it that others would replace;
/// Interrupted on a signal.
class HeldOutTexts {
 public:
  HeldOutTexts(const Settings& requested, const ModelDirectory& directory);

  /// Writes the texts into the directory; those of a run being replaced are renamed first. Throws
  /// Error.
  void write() const;

  /// The data section of the settings, with the paths and number of these sets.
  const DataConfig& data() const { return data_; }

 private:
  void choose(const Settings& requested);
  void name_files();
  void require_kept(const DataConfig& requested) const;

  ModelDirectory directory_;
  DataConfig data_;
  HeldOutPairs pairs_;
};

/// Restores held-out texts that HeldOutTexts::write() renamed, if any. Call it when their run has
/// not been replaced.
void restore_held_out(const ModelDirectory& directory);

/// Removes renamed held-out texts. Call it when their run has been replaced.
void drop_replaced_held_out(const ModelDirectory& directory);

/// The data section for resuming a run whose data section was `saved`: adds its held-out sets.
DataConfig resumed_held_out(DataConfig requested, const DataConfig& saved,
                            const ModelDirectory& directory);

/// Gives all processes rank 0's held-out texts; the other machines get their own copies. Returns
/// the data section with their paths.
DataConfig broadcast_held_out(DataConfig data, const ModelDirectory& directory,
                              ProcessGroup& group);

}  // namespace nmt
