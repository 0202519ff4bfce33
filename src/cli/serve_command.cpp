#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/translation_flags.h"
#include "errors/log.h"
#include "processes/interrupt.h"
#include "serve/service.h"

namespace nmt {
namespace {

struct ServeArguments {
  TranslatorOptions model;
  ServeOptions serve;
  std::string source_language;  // empty: the model's
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
  options.http.queue_timeout = std::chrono::seconds(arguments.timeout_seconds);
  options.http.drain_timeout = 2 * options.http.queue_timeout;
  catch_interrupts();
  arguments.model.callers = 0;  // one independent thread for each core
  const Translator translator(arguments.model);
  translator.translate({"."}, options.translation);  // warm up
  serve(translator, options, [&](const std::string& address) {
    log_info("{} to {}, listening on {}", options.direction.source, options.direction.target,
             address);
  });
  log_info("all requests answered; server stopped");
}

void add_limits(CLI::App& command, ServeArguments& arguments) {
  auto& serve = arguments.serve;
  const auto add = [&](const char* name, auto& value, const char* meaning, int64_t most) {
    command.add_option(name, value, meaning)
        ->capture_default_str()
        ->check(CLI::Range(int64_t{1}, most))
        ->group("Limits");
  };
  add("--max-body", serve.http.max_body, "Maximum size of a request, in bytes", 1 << 28);
  add("--max-characters", serve.max_characters, "Maximum characters of a request", 1 << 24);
  add("--max-sentences", serve.max_sentences, "Maximum sentences of a request", 1 << 20);
  add("--max-queue", serve.max_queue, "Maximum queued sentences; further requests get 503",
      1 << 20);
  add("--max-connections", serve.http.max_connections,
      "Maximum open connections; further ones get 503", 1 << 20);
  add("--request-timeout", arguments.timeout_seconds,
      "Maximum seconds of a request in the queue; then it gets 503", 3600);
}

}  // namespace

void add_serve_command(CLI::App& app, CommandCall& call) {
  auto arguments = std::make_shared<ServeArguments>();
  auto* command = app.add_subcommand(
      "serve", "Serve translations over HTTP: a web page and LibreTranslate's interface");
  add_model_flags(*command, arguments->model);
  add_guidance_flags(*command, arguments->model);
  auto& serve = arguments->serve;
  command->add_option("--host", serve.host, "Address to listen on; 0.0.0.0 accepts other machines")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command->add_option("--port", serve.port, "Port to listen on; 0 picks a free one and logs it")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--source-language", arguments->source_language,
                   "Source language code such as ko; default: the training file's extension")
      ->type_name("CODE");
  command
      ->add_option("--target-language", arguments->target_language,
                   "Target language code such as en; default: the training file's extension")
      ->type_name("CODE");
  command->add_option("--api-key-file", arguments->api_keys,
                      "File of API keys, one per line; each request must send one");
  add_limits(*command, *arguments);
  add_translation_flags(*command, serve.translation);
  set_examples(*command,
               {"nmt serve -m models/mine",
                "nmt serve -m models/mine --host 0.0.0.0 --port 8080 --api-key-file keys.txt"});
  command->callback([arguments, command, &call] {
    refuse_idle_flags(*command, arguments->serve.translation);
    call.translators = {arguments->model};
    call.run = [arguments] { run(*arguments); };
  });
}

}  // namespace nmt
