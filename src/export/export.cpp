#include "export/export.h"

#include <c10/util/Exception.h>
#include <spdlog/fmt/fmt.h>

#include <ostream>

#include "checkpoint/model.h"
#include "config/choice.h"
#include "errors/error.h"
#include "export/export_format.h"
#include "export/verify.h"
#include "files/file.h"

namespace nmt {
namespace {

ExportFormat find_format(const std::string& wanted) {
  for (const auto& format : export_formats()) {
    if (format.name == wanted) return format;
  }
  throw UsageError("--to " + wanted + ": unknown format; use one of " +
                   list_of(export_format_names()));
}

std::string text_of(const Agreement& agreement) {
  return fmt::format(
      "; verified over {} sentences, {} steps: log-probabilities differ by at most {:.1e}",
      agreement.num_sentences, agreement.num_steps, agreement.largest_difference);
}

/// Runs a step of the export; its errors begin with `output` and `failure`.
template <typename Step>
void run_step(const std::filesystem::path& output, const char* failure, Step&& step) {
  try {
    step();
  } catch (const c10::Error& error) {
    throw Error(output.string() + failure + error.what_without_backtrace());
  } catch (const Error& error) {
    throw Error(output.string() + failure + error.what());
  }
}

}  // namespace

std::string describe_export_formats() {
  std::string text;
  for (const auto& format : export_formats()) {
    text += (text.empty() ? "" : "; ") + format.name + ": " + format.meaning;
  }
  return text;
}

std::vector<std::string> export_format_names() {
  std::vector<std::string> names;
  for (const auto& format : export_formats()) names.push_back(format.name);
  return names;
}

std::string export_model(const ExportRequest& request) {
  const auto format = find_format(request.format);
  require_absent(request.output, request.overwrite);
  const auto model = load_model(request.model_dir, torch::kCPU);
  const auto samples = request.verify ? sample_sources(request.sample, model) : SampleSources();
  std::string agreement;
  write_file_atomically(
      request.output,
      [&](std::ostream& stream) {
        run_step(request.output, ": cannot be written: ", [&] { format.write(model, stream); });
      },
      [&](const auto& written) {
        run_step(request.output, ": what was written is not the model: ", [&] {
          const auto exported = format.reload(written, model);
          if (request.verify) agreement = text_of(verify_export(model, exported, samples));
        });
      });
  return request.output.string() + ": " + std::to_string(model.network->named_parameters().size()) +
         " tensors, " + std::to_string(count_parameters(*model.network)) + " parameters" +
         agreement;
}

}  // namespace nmt
