#include "cli/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "cli/help.h"
#include "cli/option_checks.h"
#include "config/settings_io.h"
#include "config/suggest.h"
#include "errors/error.h"
#include "errors/exit_code.h"
#include "errors/log.h"
#include "errors/out_of_memory.h"
#include "files/output_file.h"
#include "kernels/instruction_set.h"
#include "processes/heap.h"
#include "processes/interrupt.h"
#include "unicode/characters.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

/// The command that the words before the first option name: "data check".
struct ChosenCommand {
  const CLI::App* app;
  std::string name;
  size_t num_words = 0;
};

ChosenCommand chosen_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  ChosenCommand chosen{&app, ""};
  for (const auto& argument : arguments) {
    const auto commands = commands_of(*chosen.app);
    const auto next = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == argument;
    });
    if (next == commands.end()) break;
    chosen.app = *next;
    chosen.name += (chosen.name.empty() ? "" : " ") + argument;
    ++chosen.num_words;
  }
  return chosen;
}

/// Maps a command or option name of other NMT toolkits to the name here.
std::string known_as(const std::string& name) {
  static const std::map<std::string, std::string> names = {
      {"decode", "translate"},
      {"infer", "translate"},
      {"predict", "translate"},
      {"generate", "translate"},
      {"test", "evaluate"},
      {"bleu", "evaluate"},
      {"finetune", "adapt"},
      {"preprocess", "data"},
      {"tokenize", "vocab"},
      {"quantize", "pack"},
      {"convert", "export"},
      {"--accum-count", "--train.gradient-accumulation"},
      {"--iteration-per-update", "--train.gradient-accumulation"},
      {"--optimizer-delay", "--train.gradient-accumulation"},
      {"--update-freq", "--train.gradient-accumulation"},
      {"--after-epochs", "--train.max-epochs"},
      {"--epochs", "--train.max-epochs"},
      {"--steps", "--train.max-updates"},
      {"--train-steps", "--train.max-updates"},
      {"--valid-steps", "--validation.interval"},
      {"--early-stopping", "--validation.patience"},
      {"--valid-metrics", "--validation.metric"},
      {"--exponential-smoothing", "--train.ema-decay"},
      {"--max-grad-norm", "--train.clip-norm"},
      {"--optim", "--train.optimizer"},
      {"--data-weighting", "--data.train-sentence-weights"},
      {"--embedding-vectors", "--train.source-embeddings"},
      {"--embedding-fix-src", "--train.freeze"},
      {"--embedding-fix-trg", "--train.freeze"},
      {"--lr", "--train.learning-rate"},
      {"--batch", "--data.batch-size"},
      {"--layers", "--model.num-layers"},
      {"--enc-layers", "--model.num-layers"},
      {"--dec-layers", "--model.decoder-layers"},
      {"--dim-emb", "--model.embedding-size"},
      {"--word-vec-size", "--model.embedding-size"},
      {"--dim-rnn", "--model.hidden-size"},
      {"--enc-cell", "--model.cell"},
      {"--rnn-type", "--model.cell"},
      {"--layer-normalization", "--model.cell-layer-norm"},
      {"--encoder-dropout-in", "--model.embedding-dropout"},
      {"--decoder-dropout-out", "--model.output-dropout"},
      {"--share-embeddings", "--model.tied-embeddings"},
      {"--share-decoder-embeddings", "--model.tied-embeddings"},
      {"--hidden", "--model.hidden-size"},
      {"--rnn-size", "--model.hidden-size"},
      {"--emb-size", "--model.embedding-size"},
      {"--bf16", "--train.precision bfloat16"},
      {"--fp16", "--train.precision bfloat16"},
      {"--int8", "--precision int8"},
      {"--gpu", "--device cuda"},
      {"--cuda", "--device cuda"},
      {"--cpu-threads", "--threads"},
      {"--beam", "--beam-size"},
      {"--lenpen", "--length-penalty"},
      {"--normalize", "--length-normalization"},
      {"--phrase-table", "--terms"},
      {"--report-align", "--alignments"},
      {"--src", "--source"},
      {"--tgt", "--target"},
      {"--trg", "--target"},
      {"--ref", "--reference"},
      {"--model", "--model-dir"},
      {"--models", "--model-dir"},
      {"--out", "--output"},
  };
  const auto found = names.find(name);
  return found == names.end() ? "" : found->second;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

/// The error of a command that does not exist; empty when there is none.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto within = chosen_command(app, arguments);
  const auto commands = commands_of(*within.app);
  if (commands.empty() || within.num_words == arguments.size()) return "";
  const auto& name = arguments[within.num_words];
  if (name.rfind('-', 0) == 0) return "";
  std::vector<std::string> names;
  for (const auto* command : commands) names.push_back(command->get_name());
  const auto meant = known_as(name);
  const auto hint =
      contains(names, meant) ? " (did you mean " + meant + "?)" : suggestion(name, names);
  return "unknown command '" + name + "'" + hint + "; run `nmt " +
         (within.name.empty() ? "" : within.name + " ") + "--help` for the list";
}

std::string nearest_option(const std::string& name, const std::vector<std::string>& known) {
  if (name.find('.') != std::string::npos) {
    const auto setting = with_hyphens(nearest_setting(name));
    if (contains(known, setting)) return setting;
  }
  return nearest_name(name, known);
}

/// The option, with its value where that is clear, that the name stands for here or in another
/// toolkit, or "".
std::string same_option(const std::string& name, const std::vector<std::string>& known) {
  if (contains(known, name)) return name;
  const auto meant = known_as("--" + name);
  if (meant == "--source" && !contains(known, "source") && contains(known, "input")) return "input";
  if (meant.empty() || !contains(known, meant.substr(2, meant.find(' ') - 2))) return "";
  return meant.substr(2);
}

std::string meant_option(const std::string& name, const std::vector<std::string>& known) {
  const auto same = same_option(name, known);
  return same.empty() ? nearest_option(name, known) : same;
}

/// The first option on the line that the command does not have, or "".
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const auto known = option_names(command);
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    if (argument.rfind("--", 0) != 0) continue;
    const auto name = argument.substr(2, argument.find('=') - 2);
    if (contains(known, name)) continue;
    if (name == "tsv") return "unknown option --tsv; nmt data convert splits text with tabs";
    const auto nearest = meant_option(name, known);
    return "unknown option --" + name +
           (nearest.empty() ? "" : " (did you mean --" + nearest + "?)");
  }
  return "";
}

/// The first short option that the command does not have, or "".
std::string unknown_short_option(const CLI::App& command,
                                 const std::vector<std::string>& arguments) {
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    const auto option = argument.substr(0, 2);  // of -xVALUE
    const bool is_short = option.size() == 2 && option[0] == '-' &&
                          std::isalpha(static_cast<unsigned char>(option[1])) != 0;
    if (is_short && command.get_option_no_throw(option) == nullptr) return option;
  }
  return "";
}

/// Refuses long options with one dash, as some toolkits write them: -output would be -o utput.
void require_two_dashes(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto command = chosen_command(app, arguments);
  const auto known = option_names(*command.app);
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    if (argument.size() < 3 || argument[0] != '-' || argument[1] == '-') continue;
    const auto given = argument.substr(0, argument.find('='));
    const auto meant = same_option(with_hyphens(given.substr(1)), known);
    if (meant.empty() || meant == "help") continue;  // -help is -h
    throw UsageError(command.name + (command.name.empty() ? "" : ": ") + "unknown option " + given +
                     " (did you mean --" + meant + "?)");
  }
}

/// Makes every integer option reject a number beyond 64 bits, as CLI11 2.4 does; 2.3 truncates it.
/// Makes every file option reject an empty name, e.g. from an unset variable, which most commands
/// would treat as "no file".
void check_every_value(CLI::App& app) {
  const auto checked_by = [](auto convert) {
    return [convert](const std::string& text) {
      errno = 0;
      static_cast<void>(convert(text.c_str(), nullptr, 10));
      return errno == ERANGE ? "'" + text + "' is not a 64-bit number" : "";
    };
  };
  const auto is_named = [](const std::string& text) {
    return std::string(text.empty() ? "empty name; give one or leave out the option" : "");
  };
  for (auto* option : app.get_options({})) {
    const auto type = option->get_type_name();
    if (type == "TEXT" || type == "FILE" || type == "DIR" || type == "MODEL" ||
        type == "SOURCE TARGET") {
      option->check(is_named);
    }
    if (type.rfind("INT", 0) == 0) option->check(checked_by(std::strtoll));
    if (type.rfind("UINT", 0) == 0) option->check(checked_by(std::strtoull));
  }
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) {
    check_every_value(*command);
  }
}

/// The arguments after the program's name. '_' is '-' in the name of a long option, "help COMMAND"
/// is "COMMAND --help", "version" is "--version", and "launch … train" is "launch … -- train".
std::vector<std::string> command_line(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (!arguments.empty() && arguments.front() == "launch") {
    const auto command = std::find_if(arguments.begin(), arguments.end(), [](const auto& word) {
      return word == "--" || word == "train" || word == "bench";
    });
    if (command != arguments.end() && *command != "--") arguments.insert(command, "--");
  }
  for (auto& argument : arguments) {
    if (argument == "--") break;
    if (argument.rfind("--", 0) != 0) continue;
    const auto name_end = argument.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(argument.find('='), argument.size()));
    std::replace(argument.begin(), name_end, '_', '-');
  }
  if (arguments.empty()) return arguments;
  if (arguments.front() == "version") arguments.front() = "--version";
  if (arguments.front() == "help") {  // nmt help data check
    arguments.erase(arguments.begin(),
                    std::find_if(arguments.begin(), arguments.end(),
                                 [](const auto& word) { return word != "help"; }));
    arguments.emplace_back("--help");
  }
  return arguments;
}

/// CLI11's message in this program's wording.
std::string reworded(const CLI::App& command, const std::string& problem) {
  static const std::pair<std::regex, const char*> wordings[] = {
      {std::regex("Could not convert: (\\S+) = ([-+]?\\d*\\.\\d+)"),
       "$1: '$2' is not a whole number"},
      {std::regex("(\\S+): Value (\\d*\\.\\d+) could not be converted to \\S+"),
       "$1: '$2' is not a whole number; use e.g. 512M"},
      {std::regex("Could not convert: (\\S+) = (.*)"), "$1: '$2' is not a number"},
      {std::regex("(\\S+): Value (.*) could not be converted(?: to \\S+)?"),
       "$1: '$2' is not a number"},
      {std::regex("(\\S+): (\\S+) unit not recognized.*"), "$1: unknown unit '$2'; use K, M or G"},
      {std::regex("(\\S+): Value (.*) not in range \\[?(\\S+?)(?:\\.0+)? (?:to|-) "
                  "(\\S+?)(?:\\.0+)?\\]?"),
       "$1: '$2' is not a number from $3 to $4"},
      {std::regex("(\\S+): (.*) not in \\{(.*)\\}"), "$1: '$2' is none of $3"},
      {std::regex("(--\\w+-sets): At least 2 required but received 1"),
       "$1: needs a source and a target file, but got 1; nmt data convert splits text with tabs"},
      {std::regex("(\\S+): At least (\\d+) required but received (\\d+)"),
       "$1: needs $2 values, but got $3"},
      {std::regex("(\\S+): At [Mm]ost 1 required but received (\\d+)"),
       "$1: given $2 times; use it once"},
      {std::regex("(\\S+): At [Mm]ost (\\d+) required but received (\\d+)"),
       "$1: takes $2 values, but got $3"},
      {std::regex("(\\S+): 1 required .* missing"), "$1: value missing"},
      {std::regex("A subcommand is required"), "no command given"},
  };
  std::smatch match;
  constexpr size_t kMaxMatched = 1000;  // std::regex takes stack for each character
  if (problem.size() > kMaxMatched) return problem;
  for (const auto& [pattern, wording] : wordings) {
    if (std::regex_match(problem, match, pattern)) return match.format(wording);
  }
  static const std::regex missing("([^-]\\S*) is required");
  if (!std::regex_match(problem, match, missing)) return problem;
  const auto* positional = command.get_option_no_throw(match.str(1));
  return positional == nullptr
             ? problem
             : "argument " + match.str(1) + " missing (" + positional->get_description() + ")";
}

/// The arguments that have no place, as the command or one above it has them; CLI11 names the last
/// one first.
std::string unexpected_arguments(const CLI::App& app, const CLI::App& command) {
  const auto arguments = app.remaining(/*recurse=*/true);
  std::string text = arguments.size() == 1 ? "unexpected argument" : "unexpected arguments";
  for (const auto& argument : arguments) text += " " + argument;
  const auto* corpora = command.get_option_no_throw("--train-sets");
  const bool needs_corpora = corpora != nullptr && corpora->count() == 0;
  return text + (needs_corpora ? "; name training text with --train-sets SOURCE TARGET" : "");
}

/// The problem with a command line, in one line: an unknown option or subcommand with the nearest
/// known name, or CLI11's message. `arguments` are those of command_line.
std::string usage_problem(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error) {
  const auto command = chosen_command(app, arguments);
  const bool ends = command.num_words == arguments.size();
  if (command.name.empty() && ends) return "no command given; run `nmt --help` for the list";
  auto no_command = unknown_command(app, arguments);
  if (!no_command.empty()) return no_command;
  if (command.name.empty()) {
    const auto& first = arguments.front();
    auto unknown = unknown_option(app, {first});
    if (unknown.empty()) {
      unknown = first.rfind("--", 0) == 0 ? error.what() : "unknown option " + first;
    }
    return unknown + "; run `nmt --help` for the commands";
  }
  const auto unknown = unknown_option(*command.app, arguments);
  if (!unknown.empty()) return command.name + ": " + unknown;
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const auto letter = extra ? unknown_short_option(*command.app, arguments) : "";
  const auto problem = !letter.empty() ? "unknown option " + letter
                       : extra         ? unexpected_arguments(app, *command.app)
                                       : reworded(*command.app, error.what());
  return command.name + ": " + problem + "; run `nmt " + command.name + " --help`";
}

constexpr char kOutOfMemory[] = "out of memory; try a smaller batch, beam or model";

// Without this, SIGPIPE ends the program silently when the reader of a pipe exits, even training or
// a server that only logs into the pipe. With it, writing results fails (ReaderLeft) and logging is
// harmless. Nor does SIGXFSZ at the limit of `ulimit -f`: writing fails as on a full disk.
void let_writing_fail() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// The first process of a container does not get signals without a handler: Ctrl-C would be ignored.
void end_by_signals() {
  if (::getpid() != 1) return;
  for (const int number : {SIGINT, SIGTERM}) {
    std::signal(number, [](int ending) { ::_exit(kSignalled + ending); });
  }
}

// Otherwise the next file that is opened takes the place of a closed standard stream: the output
// would be read as the input.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // cannot be used
  }
}

int complain(const std::string& message, int exit_code) {
  if (message.empty()) return exit_code;  // another process says why
  auto one_line = message;
  replace_all(one_line, "\n", "\\n");
  const auto line = "nmt: " + printable(one_line) + "\n";
  std::cerr << line << std::flush;  // whole, beside other processes' lines
  return exit_code;
}

void parse(CLI::App& app, const std::vector<std::string>& given) {
  std::vector<std::string> arguments(given.rbegin(), given.rend());  // as CLI11 takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& help) {
    const auto no_command = unknown_command(app, given);
    if (!no_command.empty()) throw UsageError(no_command);
    app.exit(help);
  }
}

void run(CommandCall& call, const CallCheck& check) {
  if (call.run) {
    check(call);
    call.run();
  }
  // A full disk must not look like success.
  if (!std::cout.flush()) fail_standard_output("cannot be written");
}

}  // namespace

void describe_program(CLI::App& app) {
  app.name("nmt");
  app.description("Neural machine translation: train, translate, evaluate, export.");
  app.set_version_flag("--version", "nmt " NMT_VERSION, "Print the version");
  app.set_help_flag("-h,--help", "Show this help");
  app.set_help_all_flag("--help-all", "Show help for all options");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
}

int run_program(int argc, char** argv, void (*add_commands)(CLI::App&, CommandCall&),
                const CallCheck& check) {
  log_to_standard_error();
  occupy_closed_streams();
  let_writing_fail();
  end_by_signals();
  keep_freed_memory();
  CLI::App app;
  describe_program(app);
  const auto arguments = command_line(argc, argv);
  CommandCall call;
  if (!arguments.empty()) call.name = arguments.front();
  try {
    check_instruction_set_limit();
    check(call);
    add_commands(app, call);
    check_every_value(app);
    require_two_dashes(app, arguments);
    parse(app, arguments);
    run(call, check);
  } catch (const ProgramEnd& end) {
    return end.exit_code;
  } catch (const ReaderLeft&) {
    return kSignalled + SIGPIPE;
  } catch (const CLI::ParseError& error) {
    return complain(usage_problem(app, arguments, error), kWrongUsage);
  } catch (const OptionError& error) {
    return complain(with_flags(*chosen_command(app, arguments).app, error), kWrongUsage);
  } catch (const UsageError& error) {
    return complain(error.what(), kWrongUsage);
  } catch (const Interrupted& end) {
    return complain(end.what(), kSignalled + interrupting_signal());
  } catch (const std::bad_alloc&) {
    return complain(kOutOfMemory, kRunFailed);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(error.path1().string() + ": " + error.code().message(), kRunFailed);
  } catch (const std::exception& error) {
    if (is_out_of_memory(error.what())) return complain(kOutOfMemory, kRunFailed);
    const std::string message = error.what();
    const bool own = dynamic_cast<const Error*>(&error) != nullptr;  // not with a backtrace
    return complain(own ? message : message.substr(0, message.find('\n')), kRunFailed);
  }
  return 0;
}

}  // namespace nmt
