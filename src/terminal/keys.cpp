#include "terminal/keys.h"

#include <map>

#include "unicode/utf8.h"

namespace nmt {
namespace {

using Name = Key::Name;

constexpr char kEscape = 27;

constexpr char control(char letter) { return static_cast<char>(letter - '@'); }

Name name_of_control(char byte) {
  static const std::map<char, Name> names = {
      {'\r', Name::kEnter},
      {'\n', Name::kEnter},
      {'\t', Name::kTab},
      {127, Name::kBackspace},
      {control('H'), Name::kBackspace},
      {control('A'), Name::kHome},
      {control('E'), Name::kEnd},
      {control('B'), Name::kLeft},
      {control('F'), Name::kRight},
      {control('P'), Name::kUp},
      {control('N'), Name::kDown},
      {control('K'), Name::kEraseToEnd},
      {control('U'), Name::kEraseToBeginning},
      {control('W'), Name::kEraseWord},
      {control('L'), Name::kClearScreen},
      {control('R'), Name::kSearchHistory},
      {control('C'), Name::kInterrupt},
      {control('D'), Name::kEndOfInput},
  };
  const auto found = names.find(byte);
  return found == names.end() ? Name::kNone : found->second;
}

/// The rest of a sequence after ESC [ or ESC O, as xterm, the Linux console and rxvt send it.
Name name_of_sequence(const std::string& sequence) {
  static const std::map<std::string, Name> names = {
      {"A", Name::kUp},          {"B", Name::kDown},         {"C", Name::kRight},
      {"D", Name::kLeft},        {"H", Name::kHome},         {"F", Name::kEnd},
      {"1~", Name::kHome},       {"7~", Name::kHome},        {"4~", Name::kEnd},
      {"8~", Name::kEnd},        {"3~", Name::kDelete},      {"1;5D", Name::kWordLeft},
      {"1;3D", Name::kWordLeft}, {"1;5C", Name::kWordRight}, {"1;3C", Name::kWordRight},
  };
  const auto found = names.find(sequence);
  return found == names.end() ? Name::kNone : found->second;
}

size_t length_by_first_byte(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

/// Waits for a byte until the terminal's timeout.
bool KeyReader::fetch() {
  if (!bytes_.empty()) return true;
  if (closed_) return false;
  const auto more = terminal_.read(true);
  if (more.has_value()) {
    bytes_ = *more;
  } else {
    closed_ = true;
  }
  return !bytes_.empty();
}

char KeyReader::take() {
  const char byte = bytes_.front();
  bytes_.erase(0, 1);
  return byte;
}

Key KeyReader::next() {
  if (!fetch()) return {closed_ ? Name::kClosed : Name::kNone};
  const char first = take();
  if (first == kEscape) return escape_sequence();
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 32 || byte == 127) return {name_of_control(first)};
  return code_point(first);
}

bool KeyReader::take_interrupt() {
  const auto more = terminal_.read(false);
  if (!more.has_value()) return closed_ = true;
  bytes_ += *more;
  const auto at = bytes_.rfind(control('C'));
  if (at == std::string::npos) return false;
  bytes_.erase(0, at + 1);
  return true;
}

Key KeyReader::escape_sequence() {
  if (!fetch()) return {};
  const char kind = take();
  if (kind == 'b') return {Name::kWordLeft};
  if (kind == 'f') return {Name::kWordRight};
  if (kind != '[' && kind != 'O') return {};
  std::string sequence;
  while (fetch()) {
    sequence += take();
    const char last = sequence.back();
    if (last >= '@' && last <= '~') break;  // ECMA-48: a final byte
  }
  return {name_of_sequence(sequence)};
}

/// Waits for the rest of a character; replaces invalid UTF-8 by U+FFFD.
Key KeyReader::code_point(char first) {
  std::string text(1, first);
  const size_t length = length_by_first_byte(first);
  while (text.size() < length && fetch() && continues_character(bytes_.front())) text += take();
  return {Name::kText, replace_invalid_utf8(text)};
}

}  // namespace nmt
