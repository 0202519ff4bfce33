#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Why a file with this extension (".json") is not read line by line, and what to do; "" if it is.
/// Read so, its times, tags and keys would be translated.
std::string unsupported_extension(const std::string& extension);

/// The same by the first bytes of a file. A text may begin with "<2en>", "[Musik]" or "{".
std::string unsupported_content(std::string_view beginning);

/// The first end tag, empty element or character reference of HTML or XML in a line of text: </b>,
/// <x/>, <br> and &amp;. "" if there is none.
std::string first_markup(std::string_view line);

/// Why an XML document is not translated, by its root element: read as any other, its source texts
/// would be lost.
std::string unsupported_xml(std::string_view xml);

/// Throws UsageError with the reason, unless it is "".
void refuse_unsupported(const std::string& name, const std::string& reason);

}  // namespace nmt
