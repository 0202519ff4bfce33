#pragma once

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "data/hold_out.h"
#include "distributed/process_group.h"
#include "text/sentence_key.h"

namespace nmt {

// A run whose settings name no validation set holds out its own, and a test set (data.hold_out): a
// few pairs of the training corpora, in files of the model directory that data.valid_source and the
// others then name. Every sentence of these files is left out of the training text wherever that is
// read; the text itself is not copied.

/// Sentences that the run must not be trained on: those of its validation and test sets where
/// data.hold_out is above 0. Throws Error when one of the files cannot be read.
HeldOutSentences held_out_sentences(const DataConfig& data);

/// What a new run holds out; nothing where data.hold_out is 0, or no validation set is missing and
/// no number was given. Sets of the directory itself belong to the run that it held before, and are
/// chosen again. Warns of corpora that are too small. Throws Error as hold_out() does; Interrupted.
class HeldOutTexts {
 public:
  HeldOutTexts(const Settings& requested, const ModelDirectory& directory);

  /// Writes them into the directory, where those of the run that this one replaces are set aside.
  /// Throws Error.
  void write() const;

  /// The data section of the settings, with the paths and number of these sets.
  const DataConfig& data() const { return data_; }

 private:
  void name_files();

  ModelDirectory directory_;
  DataConfig data_;
  HeldOutPairs pairs_;
};

/// Puts back the held-out texts that HeldOutTexts::write set aside, if any: the run that they
/// belong to has not been replaced.
void put_back_held_out(const ModelDirectory& directory);

/// Removes them: it has.
void drop_replaced_held_out(const ModelDirectory& directory);

/// The data section of a run that is resumed from settings that were `saved`.
DataConfig resumed_held_out(DataConfig requested, const DataConfig& saved,
                            const ModelDirectory& directory);

/// Gives all processes rank 0's held-out texts; the other machines get their own copies. Returns
/// the data section with their paths.
DataConfig broadcast_held_out(DataConfig data, const ModelDirectory& directory,
                              ProcessGroup& group);

}  // namespace nmt
