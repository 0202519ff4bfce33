#include "cli/program.h"

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
#include "files/output_file.h"
#include "kernels/instruction_set.h"
#include "processes/heap.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

/// What the words before the first option name: "data check".
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

/// What other programs of the field call a command or an option, and what it is called here.
std::string known_as(const std::string& name) {
  static const std::map<std::string, std::string> names = {
      {"decode", "translate"},
      {"infer", "translate"},
      {"predict", "translate"},
      {"generate", "translate"},
      {"test", "evaluate"},
      {"bleu", "evaluate"},
      {"finetune", "adapt"},
      {"server", "serve"},
      {"preprocess", "data"},
      {"tokenize", "vocab"},
      {"quantize", "pack"},
      {"convert", "export"},
      {"--epochs", "--train.max-epochs"},
      {"--steps", "--train.max-updates"},
      {"--lr", "--train.learning-rate"},
      {"--batch", "--data.batch-size"},
      {"--layers", "--model.num-layers"},
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

std::string unknown_command(const ChosenCommand& within, const std::string& name) {
  std::vector<std::string> names;
  for (const auto* command : commands_of(*within.app)) {
    names.push_back(command->get_name());
  }
  const auto meant = known_as(name);
  const auto hint =
      contains(names, meant) ? " (did you mean " + meant + "?)" : suggestion(name, names);
  return "unknown command '" + name + "'" + hint + "; run `nmt " +
         (within.name.empty() ? "" : within.name + " ") + "--help` for the list";
}

/// The error of a command that does not exist; empty when there is none.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto command = chosen_command(app, arguments);
  if (commands_of(*command.app).empty() || command.num_words == arguments.size()) return "";
  const auto& name = arguments[command.num_words];
  return name.rfind('-', 0) == 0 ? "" : unknown_command(command, name);
}

/// Settings that were renamed are found by their old names.
std::string nearest_option(const std::string& name, const std::vector<std::string>& known) {
  if (name.find('.') != std::string::npos) {
    auto setting = nearest_setting(name);
    std::replace(setting.begin(), setting.end(), '_', '-');
    if (contains(known, setting)) return setting;
  }
  return nearest_name(name, known);
}

/// The option, with its value where that is clear, that an unknown one stands for.
std::string meant_option(const std::string& name, const std::vector<std::string>& known) {
  auto meant = known_as("--" + name);
  if (!meant.empty()) {
    meant = meant.substr(2);
    if (contains(known, meant.substr(0, meant.find(' ')))) return meant;
  }
  return nearest_option(name, known);
}

/// The first option on the line that the command has not; empty when there is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const auto known = option_names(command);
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    if (argument.rfind("--", 0) != 0) continue;
    const auto name = argument.substr(2, argument.find('=') - 2);
    if (contains(known, name)) continue;
    const auto nearest = meant_option(name, known);
    return "unknown option --" + name +
           (nearest.empty() ? "" : " (did you mean --" + nearest + "?)");
  }
  return "";
}

/// The first short option that the command has not; empty when there is none.
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

/// Makes every option that takes a whole number refuse one beyond 64 bits: CLI11 2.4 does, 2.3 cuts
/// it off. Makes every option that takes a file refuse an empty name, as of an unset variable: most
/// take it for none.
void check_every_value(CLI::App& app) {
  const auto checked_by = [](auto convert) {
    return [convert](const std::string& text) {
      errno = 0;
      static_cast<void>(convert(text.c_str(), nullptr, 10));
      return errno == ERANGE ? "'" + text + "' is not a number of 64 bits" : "";
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

/// What CLI11 says, in the words of this program.
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
      {std::regex("(\\S+): At least (\\d+) required but received (\\d+)"),
       "$1: needs $2 values, but has $3"},
      {std::regex("(\\S+): At [Mm]ost 1 required but received (\\d+)"),
       "$1: given $2 times; use it once"},
      {std::regex("(\\S+): At [Mm]ost (\\d+) required but received (\\d+)"),
       "$1: takes $2 values, but has $3"},
      {std::regex("(\\S+): 1 required .* missing"), "$1: value missing"},
      {std::regex("The following arguments? (?:was|were) not expected: (.*)"),
       "unexpected argument $1"},
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

/// What is wrong with a command line, in one line: an unknown option or subcommand with the nearest
/// known name, or what CLI11 says. `arguments` are those of command_line.
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
  const auto letter = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr
                          ? unknown_short_option(*command.app, arguments)
                          : std::string();
  const auto problem =
      letter.empty() ? reworded(*command.app, error.what()) : "unknown option " + letter;
  return command.name + ": " + problem + "; run `nmt " + command.name + " --help`";
}

constexpr char kOutOfMemory[] = "out of memory; try a smaller batch, beam or model";

// Without this the system ends the program without a word when a reader leaves: training too, whose
// log went into that pipe, and a server. As it is, writing results fails (ReaderLeft), and logging
// continues.
void notice_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

int complain(const std::string& message, int exit_code) {
  std::cerr << "nmt: " << message.substr(0, message.find('\n')) << std::endl;
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
  app.set_help_flag("-h,--help", "Explain the command");
  app.set_help_all_flag("--help-all", "Explain all of its options");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
}

int run_program(int argc, char** argv, void (*add_commands)(CLI::App&, CommandCall&),
                const CallCheck& check) {
  log_to_standard_error();
  notice_closed_pipes();
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
    // LibTorch's allocator has an exception of its own.
    const std::string message = error.what();
    const bool memory = message.find("can't allocate memory") != std::string::npos;
    return complain(memory ? kOutOfMemory : message, kRunFailed);
  }
  return 0;
}

}  // namespace nmt
