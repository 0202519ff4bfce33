// nmt-manual FOLDER DATE: writes the man pages (FOLDER/man) and the completion scripts
// (FOLDER/completion) of nmt, from what its --help is made of.

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/program.h"
#include "files/file.h"
#include "packaging/completion.h"
#include "packaging/man_pages.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: nmt-manual FOLDER DATE\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  CLI::App program;
  nmt::CommandCall call;
  nmt::describe_program(program);
  nmt::add_all_commands(program, call);
  std::filesystem::create_directories(folder / "man");
  std::filesystem::create_directories(folder / "completion");
  const std::function<void(const CLI::App&)> write_pages = [&](const CLI::App& command) {
    nmt::write_file_atomically(folder / "man" / (nmt::page_name(command) + ".1"),
                               nmt::man_page(command, argv[2]));
    for (const auto* child : nmt::commands_of(command)) write_pages(*child);
  };
  write_pages(program);
  const auto completion = folder / "completion";
  nmt::write_file_atomically(completion / "nmt", nmt::bash_completion(program));
  nmt::write_file_atomically(completion / "_nmt", nmt::zsh_completion(program));
  nmt::write_file_atomically(completion / "nmt.fish", nmt::fish_completion(program));
  std::cout.flush();
  std::_Exit(
      0);  // nothing of ours is left to be destroyed, LibTorch would take a tenth of a second
}
