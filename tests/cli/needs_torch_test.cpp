#include "cli/needs_torch.h"

#include <filesystem>
#include <map>
#include <string>

#include "cli/run_program.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

/// nmt-torch in the build tree.
std::string torch_program() {
  return (fs::path(NMT_PROGRAM).parent_path() / "../libexec/nmt/nmt-torch").string();
}

ModelConfig config_of(Architecture architecture,
                      const AttentionKind& attention = general_attention()) {
  ModelConfig config;
  config.architecture = architecture;
  config.attention = &attention;
  return config;
}

std::optional<ModelConfig> made_up_config(const fs::path& model) {
  static const std::map<std::string, ModelConfig> configs = {
      {"fused", config_of(Architecture::kRecurrent)},
      {"additive", config_of(Architecture::kRecurrent, additive_attention())},
      {"transformer", config_of(Architecture::kTransformer)},
      {"lm", config_of(Architecture::kLanguageModel)}};
  const auto found = configs.find(model.string());
  return found == configs.end() ? std::nullopt : std::optional(found->second);
}

bool command_needs_torch(const std::string& name) {
  return needs_torch(CommandCall{name, {}, {}}, made_up_config);
}

bool translator_needs_torch(const TranslatorOptions& options) {
  return needs_torch(CommandCall{"translate", {options}, {}}, made_up_config);
}

TranslatorOptions with_engine(const std::string& model, TranslationEngine engine) {
  TranslatorOptions options{{model}};
  options.engine = engine;
  return options;
}

}  // namespace

TEST_CASE("Which commands need LibTorch", "[cli][programs]") {
  for (const char* name :
       {"launch", "translate", "interactive", "compare", "data", "evaluate", "explain", "report",
        "score", "serve", "shortlist", "vocab", "--version", "--help", "tranlate", ""}) {
    INFO(name);
    CHECK_FALSE(command_needs_torch(name));
  }
  for (const char* name : {"train", "adapt", "lm", "export", "import", "pack", "unpack", "average",
                           "calibrate", "states", "info"}) {
    INFO(name);
    CHECK(command_needs_torch(name));
  }
}

TEST_CASE("Which translators need LibTorch", "[cli][programs]") {
  CHECK_FALSE(translator_needs_torch({{"fused"}}));
  CHECK_FALSE(translator_needs_torch(with_engine("fused", TranslationEngine::kFused)));
  CHECK(translator_needs_torch(with_engine("fused", TranslationEngine::kPlain)));
  CHECK_FALSE(translator_needs_torch({{"additive"}}));
  CHECK_FALSE(translator_needs_torch({{"transformer"}}));
  CHECK_FALSE(translator_needs_torch({{"lm"}}));
  CHECK_FALSE(translator_needs_torch({{"fused", "transformer"}}));
  TranslatorOptions options{{"fused"}};
  options.device = "cuda";
  CHECK(translator_needs_torch(options));
  options = {{"fused"}};
  options.language_model = "lm";
  CHECK_FALSE(translator_needs_torch(options));
  // What cannot be opened is reported by nmt itself.
  CHECK_FALSE(translator_needs_torch({{"nowhere"}}));
  CHECK_FALSE(translator_needs_torch({{"fused", "nowhere"}}));
  CHECK_FALSE(translator_needs_torch({{}}));
  CHECK_FALSE(translator_needs_torch(with_engine("lm", TranslationEngine::kFused)));
}

TEST_CASE("One translator that needs LibTorch is enough", "[cli][programs]") {
  const CommandCall call{
      "compare",
      {TranslatorOptions{{"fused"}}, with_engine("additive", TranslationEngine::kPlain)},
      {}};
  CHECK(needs_torch(call, made_up_config));
}

TEST_CASE("Standard input reaches nmt-torch whole", "[cli][programs]") {
  const std::string command = "translate --model-dir models/sample --threads 1 --engine plain";
  const auto result = run_program(command, "printf '저는 책을 읽어요.\\n저는 물을 마셔요.\\n' |");
  require_success(result);
  REQUIRE(result.output == "I read a book.\nI drink water.\n");
}

TEST_CASE("Too small an address space for LibTorch is refused, as it would wait forever",
          "[cli][programs]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("sanitizers need more address space than the test allows");
#else
  const auto result = run_program("info models/sample", "ulimit -v 800000;");
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, "info: needs an address space of 1 GiB or more; use ulimit -v"));
  require_success(
      run_program("translate -m models/sample --threads 1", "ulimit -v 800000; echo |"));
#endif
}

TEST_CASE("Without /proc, the message says so", "[cli][programs]") {
  if (!may_mount()) SKIP("only root may mount");
  const auto result =
      run_program("translate -m models/sample",
                  "echo | unshare -m sh -c 'mount -t tmpfs none /proc && exec \"$@\"' sh");
  CHECK(result.exit_code == 1);
  CHECK(contains(result.errors, "SentencePiece: cannot be loaded"));
  CHECK(contains(result.errors, "; mount /proc\n"));
}

TEST_CASE("nmt and nmt-torch list the same commands", "[cli][programs]") {
  const auto list = run_program("--help");
  CHECK(list.exit_code == 0);
  CHECK(list.output == run_program("--help", "", torch_program()).output);
  // With env the program runs, not a fork of this test.
  CHECK(run_program("help info", "env").output ==
        run_program("help info", "", torch_program()).output);
}

TEST_CASE("Scores and perplexity are the same with and without LibTorch", "[cli][programs]") {
  const TemporaryFolder folder;
  const auto copy = [&](const char* language) {
    return folder.write(language, first_lines(std::string("test.") + language, 20)).string();
  };
  const auto text = " -m models/sample --threads 1 -s '" + copy("ko") + "' ";
  const auto reference = "'" + copy("en") + "'";
  for (const auto& command :
       {"score" + text + "-t " + reference, "evaluate --json" + text + "-r " + reference,
        "evaluate --json --precision int8" + text + "-r " + reference}) {
    INFO(command);
    const auto light = run_program(command);
    REQUIRE(light.exit_code == 0);
    CHECK(light.output == run_program(command, "", torch_program()).output);
  }
}

TEST_CASE("Without nmt-torch and nmt-bench one line says so, and the rest works",
          "[cli][programs]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "bin");
  const auto nmt = (folder / "bin/nmt").string();
  fs::copy_file(NMT_PROGRAM, nmt);
  const auto library = "libexec/nmt/libnmt_sentencepiece.so";
  fs::create_directories((folder / library).parent_path());
  fs::copy_file(fs::path(NMT_PROGRAM).parent_path().parent_path() / library, folder / library);
  const auto torch = run_program("info", "", nmt);
  CHECK(torch.exit_code == 1);
  CHECK(torch.errors ==
        "nmt: info: needs nmt-torch, which is not installed; install the package nmt-torch\n");
  const auto bench = run_program("bench train", "", nmt);
  CHECK(bench.exit_code == 1);
  CHECK(contains(bench.errors, "bench: needs nmt-bench, which is not installed"));
  CHECK(contains(run_program("--version", "", nmt).output, "nmt "));
  CHECK(contains(run_program("--help", "", nmt).output, "train"));
  CHECK(contains(run_program("tranlate", "", nmt).errors, "did you mean translate?"));
  const auto texts = folder.write("line", "저는 책을 읽어요.\n").string();
  const std::string model = " -m models/sample --threads 1 -s '" + texts + "' ";
  CHECK(run_program("score" + model + "-t '" + texts + "'", "", nmt).exit_code == 0);
  CHECK(contains(run_program("evaluate" + model + "-r '" + texts + "'", "", nmt).output,
                 "perplexity"));
}

}  // namespace nmt
