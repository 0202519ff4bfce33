#include <cstddef>
#include <cstdint>
#include <string>

#include "errors/error.h"
#include "markup/made_translation.h"
#include "markup/word_parser.h"
#include "markup/xml_parser.h"
#include "office/office_file.h"

namespace {

constexpr size_t kMaxUnpackedHere = 1 << 20;  // bytes

std::string translated(const nmt::OfficeFile& file, nmt::OfficeFile& same) {
  std::vector<std::vector<nmt::Translation>> translations;
  for (const auto& document : file.documents()) {
    auto& all = translations.emplace_back();
    for (const auto& sentence : document.sentences()) all.push_back(nmt::reversed(sentence));
  }
  return same.render(translations);
}

}  // namespace

// The first byte chooses a part of a .docx, one of an .odt, or a whole file; the rest is one or an
// Error. With the words reversed, a part can be read again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto part = [&](const std::string& xml) {
    auto parsed =
        data[0] % 3 == 'A' % 3 ? nmt::parse_word_part(xml) : nmt::parse_open_document(xml);
    return nmt::translate_made(nmt::Document(std::move(parsed), nmt::split_line), nmt::reversed);
  };
  std::string reversed;
  try {
    if (data[0] % 3 == 'C' % 3) {
      nmt::OfficeFile file(text, nmt::split_line, kMaxUnpackedHere);
      translated(file, file);
      return 0;
    }
    reversed = part(text);
  } catch (const nmt::Error&) {
    return 0;
  }
  part(reversed);  // an Error here is a finding
  return 0;
}
