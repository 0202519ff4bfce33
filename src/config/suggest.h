#pragma once

#include <string>
#include <vector>

namespace nmt {

/// The known name nearest to an unknown one by edit distance (Levenshtein 1966), or nothing when
/// none is near enough to be meant. "dropuot" also finds "model.dropout".
std::string nearest_name(const std::string& unknown, const std::vector<std::string>& known);

/// " (did you mean NAME?)", or nothing.
std::string suggestion(const std::string& unknown, const std::vector<std::string>& known);

}  // namespace nmt
