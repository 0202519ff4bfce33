#include "planning/run_history.h"

#include <sstream>

#include "errors/error.h"
#include "files/file.h"
#include "files/json.h"

namespace nmt {
namespace {

using nlohmann::json;

TrainPoint train_point(const json& line) {
  return {line.at("update").get<int64_t>(),
          read_number(line, "seconds"),
          read_number(line, "loss"),
          read_number(line, "perplexity"),
          read_number(line, "learning_rate"),
          read_number(line, "gradient_norm"),
          read_number(line, "tokens_per_second")};
}

ValidationPoint validation_point(const json& line) {
  ValidationPoint point{line.at("update").get<int64_t>(), line.value("epoch", int64_t{0}),
                        read_number(line, "seconds"),     read_number(line, "loss"),
                        read_number(line, "perplexity"),  read_number(line, "bleu"),
                        read_number(line, "chrf"),        read_number(line, "script"),
                        line.value("best", false),        {}};
  const auto samples = line.find("samples");  // not value(), whose copy recurses as it is nested
  if (samples == line.end()) return point;
  for (const auto& sample : *samples) {
    point.samples.push_back(
        {sample.at("line").get<int64_t>(), sample.at("source").get<std::string>(),
         sample.at("translation").get<std::string>(), sample.at("reference").get<std::string>()});
  }
  return point;
}

void add_line(RunHistory& history, const json& line) {
  const auto type = line.at("type").get<std::string>();
  if (type == "train") history.training.push_back(train_point(line));
  if (type == "validation") history.validations.push_back(validation_point(line));
}

}  // namespace

RunHistory parse_history(const std::string& text, const std::string& name) {
  RunHistory history;
  std::istringstream lines(text);
  int64_t line_number = 1;
  for (std::string line; std::getline(lines, line) && !lines.eof(); ++line_number) {
    try {
      if (!line.empty()) add_line(history, parse_json(line));
    } catch (const json::exception&) {
      throw Error(name + ": line " + std::to_string(line_number) + ": not written by nmt train");
    }
  }
  return history;
}

RunHistory read_history(const std::filesystem::path& path) {
  return parse_history(read_file(path), path.string());
}

}  // namespace nmt
