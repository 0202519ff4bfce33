#include <filesystem>
#include <string>

#include "cli/reversal_corpus.h"
#include "cli/run_program.h"
#include "files/line_reader.h"
#include "support/catch.h"
#include "text/written_words.h"

namespace nmt {
namespace {

/// The last word is the first of the other side.
std::string reversed_links(const std::filesystem::path& text) {
  std::string lines;
  for (const auto& line : read_lines(text)) {
    const auto words = written_words(line).size();
    for (size_t i = 0; i < words; ++i) {
      lines += (i == 0 ? "" : " ") + std::to_string(i) + "-" + std::to_string(words - 1 - i);
    }
    lines += "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("Attention learns the alignment that it is guided by", "[cli][end-to-end]") {
  const TrainingTexts folder;
  const auto path = folder.path().string();
  folder.write("train.links", reversed_links(folder / "train.src"));
  folder.write("valid.links", reversed_links(folder / "valid.src"));
  const auto error_rate = [&](const std::string& more, const std::string& model) {
    require_success(run_program(training_command(folder, "--train.max-epochs 3 " + more, model)));
    const auto aligned =
        run_program("align -m " + path + "/" + model + " --source " + path +
                    "/valid.src --target " + path + "/valid.tgt --gold " + path + "/valid.links");
    require_success(aligned);
    return std::stod(aligned.errors.substr(aligned.errors.find("AER ") + 4));
  };
  const auto alignments = "--data.train-alignments " + path + "/train.links ";
  const double alone = error_rate("", "alone");
  const double guided = error_rate(alignments + "--train.guided-alignment-weight 1", "guided");
  INFO("AER " << alone << " alone, " << guided << " guided");
  REQUIRE(guided < 0.2);
  REQUIRE(alone > guided + 0.08);
  // The plain engine learns it too, from a sampled segmentation.
  const double plain = error_rate(alignments +
                                      "--train.guided-alignment-weight 1 "
                                      "--train.engine plain "
                                      "--data.source-subword-sampling 0.1",
                                  "plain");
  REQUIRE(plain < 0.2);
}

TEST_CASE("Pairs of weight 0 teach nothing", "[cli][end-to-end]") {
  const TrainingTexts folder;
  const auto path = folder.path().string();
  const auto text = [&](const std::string& name) {
    std::string all;
    for (const auto& line : read_lines(folder / name)) all += line + "\n";
    return all;
  };
  // The same sources, first right, then with an answer of their own, which is weighted away.
  const auto sources = text("train.src");
  std::string wrong, weights;
  for (size_t i = 0; i < 1200; ++i) {
    if (i >= 600) wrong += "6 6 6 6 6\n";
    weights += i < 600 ? "1\n" : "0\n";
  }
  const auto right = text("train.tgt");
  folder.write("train.src", sources + sources);
  folder.write("train.tgt", right + wrong);
  folder.write("train.weights", weights);
  require_success(run_program(training_command(folder,
                                               "--train.max-epochs 25 --validation.patience 0 "
                                               "--data.train-sentence-weights " +
                                                   path + "/train.weights")));
  const auto translated = run_program("translate -m " + path + "/model -i " + path + "/train.src");
  REQUIRE(translated.exit_code == 0);
  REQUIRE_FALSE(contains(translated.output, "6 6 6 6 6\n6 6 6 6 6\n"));
}

TEST_CASE("A run resumes only with the accompanying files that it was started with",
          "[cli][resume]") {
  const TrainingTexts folder;
  const auto path = folder.path().string();
  const auto lines = [](const std::string& line) {
    std::string all;
    for (int i = 0; i < 600; ++i) all += line + "\n";
    return all;
  };
  folder.write("weights", lines("0.5"));
  const auto command = [&](const std::string& updates, const std::string& model = "model") {
    return training_command(
        folder, "--data.train-sentence-weights " + path + "/weights --train.max-updates " + updates,
        model);
  };
  require_success(run_program(command("4")));
  folder.write("weights", lines("0.25"));
  const auto changed = run_program(command("8") + " --resume");
  REQUIRE(changed.exit_code == 1);
  INFO(changed.errors);
  REQUIRE(contains(changed.errors, "training weight text"));
  folder.write("weights", lines("0.5"));
  require_success(run_program(command("8") + " --resume"));
  folder.write("weights", "1\n");
  const auto few = run_program(command("4", "other"));
  REQUIRE(few.exit_code == 1);
  REQUIRE(contains(few.errors, "600 lines, but 1 in"));
}

}  // namespace nmt
