#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "translate/line_guides.h"
#include "translate/translator.h"

namespace nmt {

/// Takes each translated line in the order of the input; `number` counts from 1.
using TranslationSink =
    std::function<void(int64_t number, const std::string& source, const Translation& translation)>;

/// Translates a file line by line ("-" is standard input): one result for each line, in order,
/// always. A file is taken window by window, so that memory does not grow with it; from a pipe or
/// terminal each line is answered as soon as it has come, together with those already waiting.
/// Throws Error where there are guides and not as many as lines; of a file before anything is
/// translated.
void translate_stream(const Translator& translator, const std::filesystem::path& input,
                      const TranslationOptions& options, const LineGuides& guides,
                      const TranslationSink& sink);

}  // namespace nmt
