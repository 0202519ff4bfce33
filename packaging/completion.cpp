#include "packaging/completion.h"

#include <functional>
#include <set>
#include <vector>

#include "cli/help.h"

namespace nmt {
namespace {

enum class ValueKind { kNone, kAny, kNames, kFile, kDirectory };

/// What may follow an option.
struct Values {
  ValueKind kind = ValueKind::kNone;
  std::string names = {};  // with blanks between
  std::string label = {};  // "MODEL"
};

Values values_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const auto type = option.get_type_name();
  const auto label = type.substr(0, type.find(':'));
  const auto begin = type.find('{');
  if (begin != std::string::npos) {
    auto names = type.substr(begin + 1, type.find('}', begin) - begin - 1);
    for (char& letter : names) letter = letter == ',' ? ' ' : letter;
    return {ValueKind::kNames, names, label.empty() ? "NAME" : label};
  }
  if (label == "DEVICE") return {ValueKind::kNames, "cpu cuda", label};
  if (label == "DIR") return {ValueKind::kDirectory, "", label};
  static const std::set<std::string> files = {"TEXT", "FILE", "[FILE]", "MODEL", "SOURCE TARGET"};
  if (files.count(label) > 0 || type == ":FILE") {
    return {ValueKind::kFile, "", label == "MODEL" ? label : "FILE"};
  }
  static const std::set<std::string> numbers = {"INT", "UINT", "FLOAT"};
  return {ValueKind::kAny, "", label.empty() || numbers.count(label) > 0 ? "NUMBER" : label};
}

/// "-m", "--model-dir"
std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const auto& name : option.get_snames()) flags.push_back("-" + name);
  for (const auto& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : commands_of(app)) names.push_back(command->get_name());
  if (app.get_parent() == nullptr) names.insert(names.end(), {"help", "version"});
  return joined(names, " ");
}

/// "data check"; empty for the program.
std::string path_of(const CLI::App& command) {
  const auto name = full_name(command);
  const auto blank = name.find(' ');
  return blank == std::string::npos ? "" : name.substr(blank + 1);
}

/// The program, its commands, and theirs.
void visit(const CLI::App& app, const std::function<void(const CLI::App&)>& use) {
  use(app);
  for (const auto* command : commands_of(app)) visit(*command, use);
}

/// Every path of a command, each in single quotes.
std::string paths_of(const CLI::App& program, const std::string& between) {
  std::vector<std::string> paths;
  visit(program, [&](const CLI::App& command) {
    if (command.get_parent() != nullptr) paths.push_back("'" + path_of(command) + "'");
  });
  return joined(paths, between);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The letters of `special` with `prefix` before them.
std::string with_prefix(const std::string& text, const std::string& special,
                        const std::string& prefix) {
  std::string result;
  for (const char letter : text) {
    if (special.find(letter) != std::string::npos) result += prefix;
    result += letter;
  }
  return result;
}

// ---- bash ----

std::string bash_values(const Values& values) {
  switch (values.kind) {
    case ValueKind::kNames:
      return "'" + values.names + "'";
    case ValueKind::kFile:
      return "@file";
    case ValueKind::kDirectory:
      return "@directory";
    default:
      return "@any";
  }
}

constexpr char kBashEnd[] = R"(    esac
    if [[ -z $values ]]; then
        if [[ $cur == -* ]]; then values=$options
        elif [[ -n $commands ]]; then values=$commands
        else values=@file
        fi
    fi
    COMPREPLY=()
    case $values in
        @any) ;;
        @file) compopt -o filenames 2>/dev/null || true; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        @directory) compopt -o filenames 2>/dev/null || true; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur") ;;
    esac
}
complete -F _nmt nmt
)";

// ---- zsh ----

std::string zsh_quoted(const std::string& text) {
  return "'" + with_prefix(with_prefix(text, "[]:\\", "\\"), "'", "'\\'") + "'";
}

/// ":MODEL:_files"
std::string zsh_values(const Values& values, const std::string& label) {
  const auto start = ":" + with_prefix(label, "[]:", "\\") + ":";
  switch (values.kind) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kNames:
      return start + "(" + values.names + ")";
    case ValueKind::kFile:
      return start + "_files";
    case ValueKind::kDirectory:
      return start + "_files -/";
    case ValueKind::kAny:
      break;
  }
  return start + " ";
}

std::string zsh_option(const CLI::Option& option) {
  const auto values = values_of(option);
  const auto flags = flags_of(option);
  auto action = zsh_values(values, values.label);
  if (option.get_type_name() == "SOURCE TARGET") action = ":source:_files:target:_files";
  const auto meaning = "[" + with_prefix(first_line(option.get_description()), "[]:\\", "\\") + "]";
  std::string text;
  for (const auto& flag : flags) {
    const bool is_long = flag.rfind("--", 0) == 0 && values.kind != ValueKind::kNone;
    text += " '(" + joined(flags, " ") + ")" + flag + (is_long ? "=" : "") +
            with_prefix(meaning + action, "'", "'\\'") + "'";
  }
  return text;
}

// ---- fish ----

std::string fish_option(const CLI::App& command, const CLI::Option& option) {
  const auto values = values_of(option);
  std::string text = "complete -c nmt -n '__nmt_command " + path_of(command) + "'";
  for (const auto& name : option.get_snames()) text += " -s " + name;
  for (const auto& name : option.get_lnames()) text += " -l " + name;
  text += " -d '" + with_prefix(first_line(option.get_description()), "'\\", "\\") + "'";
  switch (values.kind) {
    case ValueKind::kNone:
      break;
    case ValueKind::kAny:
      text += " -x";
      break;
    case ValueKind::kNames:
      text += " -xa '" + values.names + "'";
      break;
    case ValueKind::kFile:
      text += " -rF";
      break;
    case ValueKind::kDirectory:
      text += " -xa '(__fish_complete_directories)'";
      break;
  }
  return text + "\n";
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string options;
  std::string values;
  visit(program, [&](const CLI::App& command) {
    std::vector<std::string> flags;
    for (const auto* option : command.get_options()) {
      const auto names = flags_of(*option);
      flags.insert(flags.end(), names.begin(), names.end());
      const auto kind = values_of(*option);
      if (names.empty() || kind.kind == ValueKind::kNone) continue;
      const auto path = path_of(command);
      values += "        '" + path + " " + joined(names, "'|'" + path + " ") +
                "') values=" + bash_values(kind) + " ;;\n";
    }
    options += "        '" + path_of(command) + "') commands='" + command_names(command) +
               "' options='" + joined(flags, " ") + "' ;;\n";
  });
  return R"(# bash completion for nmt
_nmt() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command='' word commands='' options='' values=''
    # --name=value is three words.
    if [[ $cur == = ]]; then cur=''
    elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == help && -z $command ]] && continue
        [[ $command == launch && $word == -- ]] && command='' && continue
        case "${command:+$command }$word" in
            )" +
         paths_of(program, "|") + R"() command="${command:+$command }$word" ;;
            *) [[ $command == launch ]] || break ;;
        esac
    done
    case $command in
)" + options +
         "    esac\n    case \"$command $prev\" in\n" + values + kBashEnd;
}

std::string zsh_completion(const CLI::App& program) {
  std::string cases;
  visit(program, [&](const CLI::App& command) {
    std::string specs;
    bool has_text = false;
    for (const auto* option : command.get_options()) {
      specs += zsh_option(*option);
      has_text |= option->get_positional();
    }
    cases += "        '" + path_of(command) + "')\n";
    if (!commands_of(command).empty()) {
      cases += "            commands=(";
      for (const auto* child : commands_of(command)) {
        cases += " " + zsh_quoted(child->get_name()) + "':'" +
                 zsh_quoted(first_line(child->get_description()));
      }
      if (command.get_parent() == nullptr) cases += " 'help:Explain a command' version";
      cases += ")\n            specs=( ':command:->command'" + specs + ") ;;\n";
    } else {
      cases += "            specs=(" + specs + (has_text ? " '*:file:_files'" : "") + ") ;;\n";
    }
  });
  return R"(#compdef nmt
_nmt() {
    local command='' state line context
    local -a commands specs
    while (( CURRENT > 2 )); do
        if [[ $words[2] != help || -n $command ]]; then
            case "${command:+$command }$words[2]" in
                ()" +
         paths_of(program, "|") + R"() command="${command:+$command }$words[2]" ;;
                (*)
                    [[ $command == launch ]] && (( $words[(ie)--] < CURRENT )) || break
                    [[ $words[2] == -- ]] && command='' ;;
            esac
        fi
        shift words
        (( CURRENT-- ))
    done
    case $command in
)" + cases +
         R"(    esac
    _arguments $specs
    [[ $state == command ]] && _describe command commands
}
if [[ $funcstack[1] == _nmt ]]; then _nmt "$@"; else compdef _nmt nmt; fi
)";
}

std::string fish_completion(const CLI::App& program) {
  std::string text = R"(# fish completion for nmt
function __nmt_command
    set -l command
    for word in (commandline -opc)[2..-1]
        string match -q -- help "$word"; and test -z "$command"; and continue
        contains -- (string join ' ' -- $command $word) )" +
                     paths_of(program, " ") + R"(; or break
        set -a command $word
    end
    test "$command" = "$argv"
end
function __nmt_launched
    set -l words (commandline -opc)
    test "$words[2]" = launch; and contains -- -- $words
end
complete -c nmt -n __nmt_launched -xa '(complete -C (commandline -cp | string replace -r "^.*? -- " "nmt "))'
)";
  visit(program, [&](const CLI::App& command) {
    const auto condition = "complete -c nmt -n '__nmt_command " + path_of(command) + "'";
    bool has_text = false;
    for (const auto* option : command.get_options()) {
      if (option->get_positional()) {
        has_text = true;
      } else {
        text += fish_option(command, *option);
      }
    }
    if (!has_text) text += condition + " -f\n";
    for (const auto* child : commands_of(command)) {
      text += condition + " -a " + child->get_name() + " -d '" +
              with_prefix(first_line(child->get_description()), "'\\", "\\") + "'\n";
    }
  });
  return text;
}

}  // namespace nmt
