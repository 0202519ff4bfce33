#pragma once

#include <cstddef>
#include <string_view>

namespace nmt {

/// Whether the numbers, written in digits, of a sentence and its translation contradict each other:
/// each side has one that the other lacks, or one side has a long one without any counterpart.
/// `long_digits`: digits of a long number; round ones are not long.
///
/// Not a contradiction: numbers spelled out on one side or in part ("3백만"), other thousands
/// separators and order ("10/3" and "3.10."), hours of the 12-hour and the 24-hour clock, "7:30"
/// and "halb 8", "1990s" and "90er".
bool numbers_contradict(std::string_view source, std::string_view target, size_t long_digits = 4);

}  // namespace nmt
