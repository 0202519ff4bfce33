#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "errors/log.h"
#include "processes/interrupt.h"
#include "serve/api_keys.h"
#include "serve/service.h"

namespace nmt {
namespace {

struct ServeArguments {
  CatalogOptions catalog;
  std::string models_folder;  // empty: none
  ServeOptions serve;
  std::string new_key;  // the name of a key to make instead of serving; empty: none
  int64_t timeout_seconds = 30;
};

// Options that fit one model only: its vocabularies or languages.
constexpr const char* kOfOneModel[] = {"--lm", "--terms", "--shortlist", "--source-language",
                                       "--target-language"};

/// Adds the models of --models to those of --model-dir.
void complete_models(const CLI::App& command, ServeArguments& arguments) {
  auto& models = arguments.catalog.translators.model_dirs;
  if (!arguments.models_folder.empty()) {
    const auto more = models_in(arguments.models_folder);
    models.insert(models.end(), more.begin(), more.end());
  }
  if (models.empty()) throw UsageError("serve: no model given; use --model-dir or --models");
  for (const char* option : kOfOneModel) {
    if (models.size() == 1 || command.count(option) == 0) continue;
    throw UsageError(std::string(option) + ": is for one model, but several are given; omit it");
  }
}

/// For needs_torch: the translators that the server may make.
std::vector<TranslatorOptions> translators_of(const CatalogOptions& catalog) {
  std::vector<TranslatorOptions> translators;
  for (const auto& model : catalog.translators.model_dirs) {
    translators.push_back(catalog.translators);
    translators.back().model_dirs = {model};
  }
  return translators;
}

/// Throws unless all models can pass text through; a model that cannot would refuse every request.
void require_pass_through(const ModelCatalog& models) {
  for (size_t place = 0; place < models.directions().size(); ++place) {
    if (models.can_pass_through(place)) continue;
    throw UsageError(
        "--pass-through: the languages of the model from " +
        directions_text({models.directions()[place]}) +
        " cannot be distinguished; omit it, or serve a model of one direction with two "
        "vocabularies or with both languages in its name, such as ko-en");
  }
}

void print_new_key(const std::string& name) {
  const auto key = make_api_key();
  std::cout << api_key_line(name, key) << '\n' << std::flush;
  log_info("API key of {}, shown only now: {}", name, key);
}

void run(ServeArguments& arguments) {
  log_dates();
  auto& options = arguments.serve;
  require_valid(options.translation);
  require_valid_access(options.access);
  if (options.max_sentences > options.max_queue) {
    throw UsageError(fmt::format(
        "--max-sentences {0}: exceeds --max-queue {1}; use --max-queue {0} or more, or lower "
        "--max-sentences",
        options.max_sentences, options.max_queue));
  }
  for (const auto& code :
       {arguments.catalog.direction.source, arguments.catalog.direction.target}) {
    if (!code.empty()) require_language_code(code);
  }
  options.http.queue_timeout = std::chrono::seconds(arguments.timeout_seconds);
  options.http.drain_timeout = 2 * options.http.queue_timeout;
  if (options.tls.are_given()) require_valid_certificate(options.tls);
  const bool reloads = !options.access.api_keys.empty() || options.tls.are_given();
  if (reloads || ::isatty(STDIN_FILENO) != 1) {
    catch_hangups();
    catch_interrupts();
  } else {  // here SIGHUP only means that the terminal was closed
    catch_interrupts_and_hangups();
  }
  ModelCatalog models(arguments.catalog);
  if (options.translation.pass_through) require_pass_through(models);
  // A single model is loaded now; of several, each is loaded on first use.
  if (arguments.catalog.translators.model_dirs.size() == 1) {
    const auto model = models.acquire(0);
    model->translator->translate({model->line("a")}, options.translation);
  }
  serve(models, options, [&](const std::string& address) {
    log_info("{}, listening on {}", directions_text(models.directions()), address);
  });
  log_info("server stopped");
}

void add_limits(CLI::App& command, ServeArguments& arguments) {
  auto& serve = arguments.serve;
  const HelpGroup group(command, "Limits");
  const auto add = [&](const char* name, auto& value, const char* meaning, int64_t most) {
    return add_with_default(command, name, value, meaning)->check(CLI::Range(int64_t{1}, most));
  };
  add("--max-body", serve.http.max_body, "Maximum size of a request, e.g. 4M", 1 << 28)
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->default_str("1M")
      ->type_name("SIZE");
  add("--max-characters", serve.max_characters, "Maximum characters of a request", 1 << 24);
  add("--max-sentences", serve.max_sentences, "Maximum sentences of a request", 1 << 20);
  add("--max-queue", serve.max_queue, "Maximum queued sentences; further requests get 503",
      1 << 20);
  add("--max-connections", serve.http.max_connections,
      "Maximum open connections; further ones get 503", 1 << 20);
  add("--request-timeout", arguments.timeout_seconds,
      "Maximum seconds of a request in the queue; then it gets 503", 3600);
}

void add_access(CLI::App& command, ServeArguments& arguments) {
  auto& access = arguments.serve.access;
  command.add_option("--api-key-file", access.api_keys,
                     "API keys, required to translate, detect and suggest; reloaded on SIGHUP");
  command
      .add_option("--new-key", arguments.new_key,
                  "Make an API key, print its line for the key file, and exit")
      ->type_name("NAME");
  command.add_option("--suggestions", arguments.serve.suggestions,
                     "Accept suggestions (/suggest) and append them to this file, as JSON lines");
  const HelpGroup group(command, "Access");
  auto& tls = arguments.serve.tls;
  auto* certificate =
      command.add_option("--certificate", tls.certificate,
                         "Serve HTTPS with this certificate chain (PEM); reloaded on SIGHUP");
  auto* private_key =
      command.add_option("--private-key", tls.private_key, "Private key of the certificate (PEM)");
  need_each_other(certificate, private_key);
  const auto limit = [&](const char* name, int64_t& value, const char* meaning) {
    add_with_default(command, name, value, meaning)->check(CLI::Range(int64_t{0}, kMaxRateLimit));
  };
  limit("--requests-per-minute", access.limits.requests,
        "Maximum requests per minute of an address or key; 0: no limit");
  limit("--characters-per-minute", access.limits.characters,
        "Maximum characters per minute of an address or key; 0: no limit");
  command
      .add_option("--trusted-proxy", access.trusted_proxies,
                  "Proxy or network whose X-Forwarded-For names the client; repeatable")
      ->type_name("ADDRESS[/BITS]");
  command
      .add_option("--cors", access.allowed_origins,
                  "Origin whose pages may use the server, or *; repeatable")
      ->type_name("ORIGIN");
  command.add_flag("--log-text", access.log_text, "Log the text of each request");
}

}  // namespace

void define_serve_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<ServeArguments>();
  auto& catalog = arguments->catalog;
  add_model(command, catalog.translators.model_dirs,
            "Model directory or packed model; several serve several directions");
  command
      .add_option("--models", arguments->models_folder,
                  "Serve each model directory and .nmt file in this folder")
      ->type_name("DIR");
  add_compute_flags(command, catalog.translators);
  add_guidance_flags(command, catalog.translators);
  add_with_default(
      command, "--max-memory", catalog.max_memory,
      "Maximum memory of models, e.g. 2G; least recently used are unloaded; 0: no limit")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->type_name("SIZE");
  auto& serve = arguments->serve;
  add_with_default(command, "--host", serve.host,
                   "Address to listen on; 0.0.0.0 accepts other machines")
      ->type_name("ADDRESS");
  add_with_default(command, "--port", serve.port,
                   "Port to listen on; 0 picks a free one and logs it")
      ->check(CLI::Range(0, 65535));
  command
      .add_option("--source-language", catalog.direction.source,
                  "Source language code such as ko [the training file's extension]")
      ->type_name("CODE");
  command
      .add_option("--target-language", catalog.direction.target,
                  "Target language code such as en [the training file's extension]")
      ->type_name("CODE");
  add_access(command, *arguments);
  add_limits(command, *arguments);
  add_translation_flags(command, serve.translation);
  set_examples(command,
               {"nmt serve -m models/mine", "nmt serve -m models/de-en -m models/en-fr",
                "nmt serve -m models/mine --host 0.0.0.0 --port 8080 --api-key-file keys.txt"});
  command.callback([arguments, &command, &call] {
    if (command.count("--new-key") > 0) {
      for (const auto* option : command.get_options()) {
        const auto name = option->get_name();
        if (name != "--new-key") refuse_option(command, name, "not with --new-key; omit it");
      }
      call.run = [arguments] { print_new_key(arguments->new_key); };
      return;
    }
    complete_translation_flags(command, arguments->catalog.translators,
                               arguments->serve.translation);
    complete_models(command, *arguments);
    auto& limits = arguments->serve;
    if (command.count("--max-sentences") == 0) {
      limits.max_sentences = std::min(limits.max_sentences, limits.max_queue);
    }
    call.translators = translators_of(arguments->catalog);
    call.run = [arguments] { run(*arguments); };
  });
}

}  // namespace nmt
