#include <memory>

#include "alignment/align_files.h"
#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "files/file.h"

namespace nmt {

void define_align_command(CLI::App& command, CommandCall& call) {
  auto request = std::make_shared<AlignmentRequest>();
  add_model_flags(command, request->forward);
  add_ensemble_flags(command, request->forward);
  auto* reverse = command.add_option("--reverse", request->reverse,
                                     "Model of the reverse direction, to align in both directions");
  reverse->type_name("MODEL");
  command
      .add_option("--reverse-to", request->reverse_to,
                  "Target language of --reverse, if that model has several, e.g. de")
      ->type_name("CODE")
      ->needs(reverse);
  add_choice(command, "--symmetrization", request->symmetrization,
             "How the links of both directions are joined")
      ->needs(reverse);
  command.add_option("-s,--source", request->source, "Source sentences, one per line")->required();
  command.add_option("-t,--target", request->target, "Their translations, one per line")
      ->required();
  command.add_option("--gold", request->gold,
                     "Gold alignments (0-0 sure, 0p1 possible): print the alignment error rate");
  add_with_default(command, "-o,--output", request->output,
                   "File for the alignments, one per line");
  add_batch_size(command, request->batch_size, "Sentences aligned together");
  set_examples(command,
               {"nmt align -m models/ko-en -s test.ko -t test.en -o test.align",
                "nmt align -m ko-en --reverse en-ko -s test.ko -t test.en --gold test.gold"});
  command.callback([request, &call] {
    require_one_standard_input(
        {{"--source", request->source}, {"--target", request->target}, {"--gold", request->gold}});
    require_not_input({request->output}, {request->source, request->target, request->gold});
    call.translators = alignment_translators(*request);
    for (const auto& translator : call.translators) {
      require_not_model({request->output}, translator.model_dirs);
    }
    call.run = [request] { align_files(*request); };
  });
}

}  // namespace nmt
