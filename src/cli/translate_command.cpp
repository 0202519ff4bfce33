#include <memory>
#include <set>
#include <string>

#include "checkpoint/model_files.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "jobs/translate_text.h"
#include "markup/document.h"
#include "markup/unsupported_format.h"
#include "office/office_file.h"
#include "processes/interrupt.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

struct TranslateArguments {
  TranslationRequest request;
  std::string shard = "1/1";
};

/// The options that translations depend on, as given or by default. Options that name files are
/// left out: their content counts.
JobDescription deciding_options(const CLI::App& command) {
  static const std::set<std::string> others = {
      "--help",    "--help-all",    "--input",  "--output",     "--restart",
      "--threads", "--model-dir",   "--lm",     "--terms",      "--shortlist",
      "--prefix",  "--constraints", "--format", "--nearest-to", "--batch-size"};
  JobDescription options;
  for (const auto* option : command.get_options()) {
    if (others.count(option->get_name()) > 0) continue;
    std::string value = option->count() > 0 ? "" : option->get_default_str();
    for (const auto& result : option->results()) value += (value.empty() ? "" : " ") + result;
    if (option->get_name() == "--alignments") value.clear();  // only its presence matters
    if (option->get_name() == "--n-best" && option->count() > 0 && value == "1") {
      value = "1, as a list";
    }
    if (value.empty() && option->count() > 0) value = "given";
    options[option->get_name()] = replace_invalid_utf8(value);
  }
  return options;
}

/// Throws UsageError for options that refer to lines when the input is a document.
void refuse_line_options(const CLI::App& command, const TranslationRequest& request) {
  const bool office = is_office_input(request);
  const auto format = request.document_format;
  if (office) refuse_option(command, "--format", "not for .docx and .odt files; omit it");
  if (!office && format == DocumentFormat::kText) return;
  const auto reason = office
                          ? "not for .docx and .odt files; omit it"
                          : "only for --format text; omit it with --format " + choice_name(format);
  for (const char* option :
       {"--n-best", "--mbr", "--scores", "--json", "--alignments", "--prefix", "--constraints",
        "--nearest-to", "--attention", "--shard", "--restart"}) {
    refuse_option(command, option, reason);
  }
}

/// The format of the input by its name. Throws UsageError for documents that no format fits.
DocumentFormat named_document_format(const std::filesystem::path& input) {
  const auto name = uncompressed_name(input);
  const auto format = format_of_file(name);
  if (format != DocumentFormat::kText) return format;
  refuse_unsupported(input.string(), unsupported_extension(to_lower(name.extension().string())));
  std::error_code error;
  if (input != "-" && std::filesystem::is_regular_file(input, error)) {
    refuse_unsupported(input.string(), unsupported_content(LineReader(input).next_block()));
  }
  return format;
}

/// The format that the file's name indicates: docx, odt or a value of --format.
std::string named_format(const std::filesystem::path& file) {
  const auto name = uncompressed_name(file);
  if (is_office_file(name)) return to_lower(name.extension().string()).substr(1);
  return choice_name(format_of_file(name));
}

/// Throws UsageError if the output's name indicates another format than the input's.
void require_output_of_format(const TranslationRequest& request) {
  const bool office = is_office_input(request);
  const auto named_input = named_format(request.input);
  const std::string input = office ? named_input : choice_name(request.document_format);
  const auto output = named_format(request.output);
  const bool is_txt = to_lower(uncompressed_name(request.output).extension().string()) == ".txt";
  // Lines of text may be Markdown.
  if (output == input || output == named_input || (output == "text" && !(office && is_txt))) return;
  if (input == "html" && output == "xml") return;  // XHTML
  if (input == "text" && !is_office_file(uncompressed_name(request.output))) return;
  throw UsageError(request.output.string() + ": named as " + output +
                   ", but the input is read as " + input + "; use another name");
}

/// "-m MODEL TEXT": --model-dir takes several values.
void require_no_text_as_model(const std::vector<std::filesystem::path>& models) {
  if (models.size() < 2) return;
  const auto& last = models.back();
  if (!std::filesystem::is_regular_file(last) || may_be_model(last)) return;
  throw UsageError(last.string() + ": neither a model directory nor a packed model; use --input " +
                   last.string() + " to translate it");
}

void run(TranslateArguments& arguments, const CLI::App& command) {
  auto& request = arguments.request;
  request.shard = parse_shard(arguments.shard);
  request.settings = deciding_options(command);
  require_one_standard_input({{"--input", request.input},
                              {"--prefix", request.guides.prefixes},
                              {"--constraints", request.guides.constraints},
                              {"--nearest-to", request.guides.references}});
  complete(request);
  if (is_resumable(request) || is_document(request)) catch_interrupts_and_hangups();
  if (!is_resumable(request)) {
    refuse_option(command, "--restart", "this translation cannot be resumed; omit it");
  }
  translate_text(request);
}

}  // namespace

void define_translate_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<TranslateArguments>();
  auto& request = arguments->request;
  add_model_flags(command, request.translator);
  add_guidance_flags(command, request.translator);
  add_ensemble_flags(command, request.translator);
  add_with_default(
      command, "-i,--input", request.input,
      "UTF-8 text, translated line by line, or a document (.docx, .html, .srt); .gz too");
  add_with_default(command, "-o,--output", request.output,
                   "File for the translations; an existing one is replaced, but never the input");
  add_choice(command, "--format", request.document_format, "Format of the input")
      ->default_str("from the file's extension")
      ->transform(CLI::Validator(
          [](const std::string& name) {
            return is_office_file("file." + name)
                       ? "'" + name + "' is read by the file's name; omit --format"
                       : std::string();
          },
          ""));
  add_translation_flags(command, request.options);
  add_mbr_flag(command, request.mbr_candidates);
  command.add_flag("--scores", request.format.scores,
                   "Write SCORE and a tab before each translation");
  command.add_flag("--json", request.format.json,
                   "Write a JSON object per line: candidates, words, scores, alignment, warnings");
  command.add_option("--alignments", request.alignments,
                     "File for word alignments: source-target pairs (0-0 1-2) per translation");
  command.add_option("--prefix", request.guides.prefixes,
                     "File of target prefixes, one per input line; the last word may be partial");
  command.add_option("--constraints", request.guides.constraints,
                     "File of required words or phrases, tab-separated, one line per input line");
  command
      .add_option("--nearest-to", request.guides.references,
                  "File of references, one per line; picks the nearest translation of the beam")
      ->excludes("--mbr");
  auto* attention =
      command.add_option("--attention", request.attention,
                         "Draw attention: FILE.html, .svg or .json; or on the terminal");
  attention->expected(0, 1)->type_name("[FILE]");
  add_with_default(command, "--shard", arguments->shard,
                   "Translate part I of N of the input; outputs concatenate to the whole")
      ->type_name("I/N");
  command.add_flag("--restart", request.restart,
                   "Discard OUTPUT.part of an interrupted translation and start over");
  set_examples(command, {"nmt translate -m models/mine -i new.ko -o new.en",
                         "nmt translate -m models/mine -i letter.docx -o letter.en.docx"});
  command.callback([arguments, &request, attention, &command, &call] {
    require_no_text_as_model(request.translator.model_dirs);
    complete_translation_flags(command, request.translator, request.options);
    if (command.count("--format") == 0) {
      request.document_format = named_document_format(request.input);
      request.refuses_documents = true;
    }
    refuse_line_options(command, request);
    require_output_of_format(request);
    request.options.attention = attention->count() > 0;
    request.format.n_best = command.count("--n-best") > 0;
    call.translators = {request.translator};
    call.run = [arguments, &command] { run(*arguments, command); };
  });
}

}  // namespace nmt
