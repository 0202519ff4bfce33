#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "processes/interrupt.h"
#include "serve/serve.h"

namespace nmt {
namespace {

struct ServeArguments {
  ModelFlags model;
  ServeOptions serve;
  std::string source_language;  // empty: what the model says
  std::string target_language;
  std::string api_keys;
  int64_t timeout_seconds = 30;
};

Direction direction_of(const ServeArguments& arguments) {
  const auto& source = arguments.source_language;
  const auto& target = arguments.target_language;
  for (const auto& code : {source, target}) {
    if (!code.empty()) require_language_code(code);
  }
  auto direction = guess_direction(arguments.model.model_dirs.front());
  if (!source.empty()) direction.source = source;
  if (!target.empty()) direction.target = target;
  return direction;
}

void run(ServeArguments& arguments) {
  auto& options = arguments.serve;
  require_valid(options.translation);
  options.direction = direction_of(arguments);
  options.api_keys = arguments.api_keys;
  options.connections.patience = std::chrono::seconds(arguments.timeout_seconds);
  options.connections.draining = 2 * options.connections.patience;
  catch_interrupts();
  auto translator_options = arguments.model.options(options.translation);
  translator_options.callers = 0;  // threads that wait for nobody, not even for each other
  const Translator translator(translator_options);
  translator.translate({"."}, options.translation);  // the first sentence pays for nothing
  serve(translator, options, [&](const std::string& address) {
    spdlog::info("{} to {}, listening on {}", options.direction.source, options.direction.target,
                 address);
  });
  spdlog::info("all requests are answered; the server ends");
}

void add_limits(CLI::App& command, ServeArguments& arguments) {
  auto& serve = arguments.serve;
  const auto add = [&](const char* name, auto& value, const char* meaning, int64_t most) {
    command.add_option(name, value, meaning)
        ->capture_default_str()
        ->check(CLI::Range(int64_t{1}, most))
        ->group("Limits");
  };
  add("--max-body", serve.connections.request.max_body, "Longest request, in bytes", 1 << 28);
  add("--max-characters", serve.max_characters, "Most characters of one request", 1 << 24);
  add("--max-sentences", serve.max_sentences, "Most sentences of one request", 1 << 20);
  add("--max-queue", serve.max_queue,
      "Most sentences that wait, of all requests; who comes then is told to try again", 1 << 20);
  add("--max-connections", serve.connections.max_connections, "Most open connections", 1 << 20);
  add("--request-timeout", arguments.timeout_seconds,
      "Seconds that a request may wait for its turn", 3600);
}

}  // namespace

void add_serve_command(CLI::App& app, CommandCall& call) {
  auto arguments = std::make_shared<ServeArguments>();
  auto* command = app.add_subcommand(
      "serve", "Translate over HTTP: a page for people, LibreTranslate's interface for programs");
  arguments->model.add_to(*command);
  arguments->model.add_fusion_flags(*command);
  auto& serve = arguments->serve;
  command
      ->add_option("--host", serve.host,
                   "Address to listen on; 0.0.0.0 for other machines to reach it")
      ->capture_default_str();
  command->add_option("--port", serve.port, "Port to listen on; 0: any free one")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command->add_option("--source-language", arguments->source_language,
                      "Code of what is translated from, like ko; by default what the ending of the "
                      "training corpus says");
  command->add_option("--target-language", arguments->target_language,
                      "Code of what is translated into, like en");
  command->add_option("--api-key-file", arguments->api_keys,
                      "File of keys, one a line, one of which each request has to bring");
  add_limits(*command, *arguments);
  add_translation_flags(*command, serve.translation);
  command->callback([arguments, &call] {
    call.translators = {arguments->model.options(arguments->serve.translation)};
    call.run = [arguments] { run(*arguments); };
  });
}

}  // namespace nmt
