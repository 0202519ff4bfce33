#include "packaging/man_pages.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/help.h"

namespace nmt {
namespace {

/// Text that the formatter takes as it is: hyphens that can be copied, no requests, no escapes.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    const bool line_begins = result.empty() || result.back() == '\n';
    if (line_begins && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else if (letter == '^') {
      result += "\\(ha";
    } else if (letter == '~') {
      result += "\\(ti";
    } else if (letter == '`') {
      result += "\\(ga";
    } else if (letter == '\'') {
      result += "\\(aq";
    } else {
      result += letter;
    }
  }
  return result;
}

/// A term and its meaning, whose lines stay apart.
std::string item(const std::string& term, const std::string& meaning) {
  std::string text = ".TP\n.B " + escaped(term) + "\n";
  std::istringstream lines(meaning);
  bool first = true;
  for (std::string line; std::getline(lines, line); first = false) {
    text += (first ? "" : ".br\n") + escaped(line) + "\n";
  }
  return text;
}

std::string options_text(const CLI::App& command) {
  std::string text;
  for (const auto& group : command.get_groups()) {
    std::string items;
    for (const auto* option : command.get_options()) {
      if (option->get_group() != group) continue;
      items += item(option_heading(*option), option_meaning(*option, /*all=*/true));
    }
    if (items.empty()) continue;
    text += group == "Options" ? ".SH OPTIONS\n" : ".SS " + escaped(group) + "\n";
    text += items;
  }
  return text;
}

std::string commands_text(const CLI::App& app) {
  const auto commands = commands_of(app);
  if (commands.empty()) return "";
  std::string text = ".SH COMMANDS\n";
  for (const auto* command : commands) {
    text += item(command->get_name(),
                 command->get_description() + "; see " + page_name(*command) + "(1)");
  }
  return text;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

constexpr char kProgramSections[] = R"(.SH FILES
Below the prefix of the installation, /usr for the Debian packages:
.TP
.I share/nmt/models/sample
A small Korean-English model, trained on a made-up corpus of simple sentences.
.TP
.I libexec/nmt/nmt\-torch
Trains and converts models; from the package nmt\-torch.
.SH EXIT STATUS
0 on success, 1 on failure, 2 for wrong usage, 128 and the number of the signal that ended it.
)";

}  // namespace

std::string page_name(const CLI::App& command) {
  auto name = full_name(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const CLI::App& command, const std::string& date) {
  const auto name = page_name(command);
  const auto* parent = command.get_parent();
  std::string text = ".TH " + escaped(upper_case(name)) + " 1 " + date +
                     " \"nmt " NMT_VERSION "\" \"User Commands\"\n.nh\n.ad l\n";
  text += ".SH NAME\n" + escaped(name) + " \\- " + escaped(command.get_description()) + "\n";
  text += ".SH SYNOPSIS\n.B " + escaped(usage_line(command)) + "\n";
  text += commands_text(command) + options_text(command);
  if (!command.get_footer().empty()) {
    text += ".SH EXAMPLES\n.nf\n" + escaped(command.get_footer()) + ".fi\n";
  }
  if (parent == nullptr) return text + kProgramSections;
  return text + ".SH SEE ALSO\n.BR " + escaped(page_name(*parent)) + " (1)\n";
}

}  // namespace nmt
