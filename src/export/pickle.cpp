#include "export/pickle.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "errors/error.h"
#include "unicode/characters.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using Kind = PickleValue::Kind;

constexpr size_t kMaxArguments = 8;  // of a call, which copies its arguments

bool is_known(std::string_view module, std::string_view name) {
  // Packages of vocabularies and optimizers, whose classes differ between versions.
  for (const std::string_view package : {"torchtext.", "onmt.", "torch.optim."}) {
    if (begins_with(module, package)) return true;
  }
  if (module == "torch" && ends_with(name, "Storage")) return true;  // TorchArchive knows which
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kKnown = {
      {{"collections", "OrderedDict"},
       {"collections", "Counter"},
       {"collections", "defaultdict"},
       {"__builtin__", "int"},
       {"__builtin__", "long"},
       {"__builtin__", "dict"},
       {"__builtin__", "unicode"},
       {"__builtin__", "getattr"},  // str.split, which fields of torchtext hold
       {"functools", "partial"},
       {"argparse", "Namespace"},
       {"torch._utils", "_rebuild_tensor_v2"},
       {"torch._utils", "_rebuild_parameter"}}};
  return std::find(kKnown.begin(), kKnown.end(), std::pair(module, name)) != kKnown.end();
}

}  // namespace

const PickleValue* PickleValue::find(std::string_view key) const {
  if (kind == Kind::kObject && state != nullptr && state->kind == Kind::kDict) {
    return state->find(key);
  }
  if (kind != Kind::kDict) return nullptr;
  for (size_t i = 0; i < items.size(); i += 2) {
    if (items[i]->kind == Kind::kText && items[i]->text == key) return items[i + 1];
  }
  return nullptr;
}

/// Interprets the opcodes with a stack. Each opcode makes at most one value, which bounds memory by
/// the size of the pickle.
class PickleReader {
 public:
  PickleReader(std::string_view bytes, const std::string& name, std::deque<PickleValue>& values)
      : bytes_(bytes), name_(name), values_(values) {}

  const PickleValue* read() {
    for (;;) {
      const auto opcode = number<uint8_t>();
      if (opcode == '.') return pop();
      step(opcode);
    }
  }

  size_t remaining() const { return bytes_.size(); }

 private:
  [[noreturn]] void fail(const std::string& what = "a damaged pickle") const {
    throw Error(name_ + ": " + what);
  }

  std::string_view take(size_t count) {
    if (count > bytes_.size()) fail("ends too early; the file is damaged");
    const auto taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <typename Number>
  Number number() {
    Number value = 0;
    std::memcpy(&value, take(sizeof(Number)).data(), sizeof(Number));  // little-endian, as we are
    return value;
  }

  std::string_view line() {
    const auto end = bytes_.find('\n');
    const auto text = take(end == std::string_view::npos ? bytes_.size() + 1 : end);
    take(1);
    return text;
  }

  PickleValue* push(Kind kind) {
    values_.emplace_back();
    values_.back().kind = kind;
    stack_.push_back(&values_.back());
    return stack_.back();
  }

  void push_number(int64_t value) { push(Kind::kNumber)->number = value; }

  PickleValue* pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail();
    auto* value = stack_.back();
    stack_.pop_back();
    return value;
  }

  PickleValue* top(Kind kind) {
    auto* value = pop();
    if (value->kind != kind) fail();
    stack_.push_back(value);
    return value;
  }

  std::vector<const PickleValue*> pop_to_mark() {
    if (marks_.empty()) fail();
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<const PickleValue*> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  void push_tuple(size_t size) {
    std::vector<const PickleValue*> items(size);
    for (size_t i = size; i-- > 0;) items[i] = pop();
    push(Kind::kList)->items = std::move(items);
  }

  void append(Kind kind, const std::vector<const PickleValue*>& items) {
    auto& all = top(kind)->items;
    if (kind == Kind::kDict && items.size() % 2 != 0) fail();
    all.insert(all.end(), items.begin(), items.end());
  }

  void push_global() {
    const auto* begin = bytes_.data();
    const auto module = line();
    const auto name = line();
    if (!is_known(module, name)) {
      fail("holds " + printable(std::string(module) + "." + std::string(name)) +
           ", which a translation model does not need; save it without that");
    }
    push(Kind::kGlobal)->text = std::string_view(begin, module.size() + 1 + name.size());
  }

  /// Replaces a function and its arguments on the stack by the value that the call would make.
  void call() {
    const auto* arguments = pop();
    const auto* function = pop();
    if (arguments->kind != Kind::kList || function->kind != Kind::kGlobal) fail();
    if (arguments->items.size() > kMaxArguments) fail();
    if (function->text.substr(0, function->text.find('\n')) == "collections") {
      if (arguments->items.empty() || arguments->items[0]->kind == Kind::kGlobal) {
        push(Kind::kDict);
        return;
      }
      const auto* first = arguments->items.back();
      if (first->kind != Kind::kDict) fail("holds a dict of an unknown form");
      // Counter(dict): the same entries, shared.
      auto* dict = push(Kind::kObject);
      dict->state = first;
      return;
    }
    auto* object = push(Kind::kObject);
    object->text = function->text;
    object->items = arguments->items;
  }

  void build() {
    const auto* state = pop();
    auto* object = pop();
    if (object->kind == Kind::kObject) object->state = state;
    stack_.push_back(object);
  }

  void put(uint32_t place) {
    auto* value = pop();
    memo_[place] = value;
    stack_.push_back(value);
  }

  void get(uint32_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) fail();
    stack_.push_back(found->second);
  }

  void push_real() {
    uint64_t bits = 0;
    for (const char byte : take(sizeof(bits))) bits = bits << 8 | static_cast<uint8_t>(byte);
    std::memcpy(&push(Kind::kReal)->real, &bits, sizeof(bits));
  }

  void push_long() {
    const auto bytes = take(number<uint8_t>());
    if (bytes.size() > sizeof(int64_t)) fail("holds a number above 64 bits");
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    }
    const bool negative = !bytes.empty() && (static_cast<uint8_t>(bytes.back()) & 0x80U) != 0;
    if (negative && bytes.size() < sizeof(value)) value |= ~uint64_t{0} << (8 * bytes.size());
    push_number(static_cast<int64_t>(value));
  }

  void step(uint8_t opcode) {
    switch (opcode) {
      case 0x80:  // PROTO
        if (number<uint8_t>() != 2) fail("not a pickle of protocol 2, torch.save's default");
        break;
      case '(':
        marks_.push_back(stack_.size());
        break;
      case 'N':
        push(Kind::kNone);
        break;
      case 0x88:
      case 0x89:
        push_number(opcode == 0x88 ? 1 : 0);
        break;
      case 'K':
        push_number(number<uint8_t>());
        break;
      case 'M':
        push_number(number<uint16_t>());
        break;
      case 'J':
        push_number(number<int32_t>());
        break;
      case 0x8a:
        push_long();
        break;
      case 'G':
        push_real();
        break;
      case 'X': {
        const auto text = take(number<uint32_t>());
        push(Kind::kText)->text = text;
        break;
      }
      case ')':
      case ']':
        push(Kind::kList);
        break;
      case '}':
        push(Kind::kDict);
        break;
      case 't': {
        auto items = pop_to_mark();
        push(Kind::kList)->items = std::move(items);
        break;
      }
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(opcode - 0x84U);
        break;
      case 'a':
        append(Kind::kList, {pop()});
        break;
      case 'e':
        append(Kind::kList, pop_to_mark());
        break;
      case 's': {
        const auto* value = pop();
        const auto* key = pop();
        append(Kind::kDict, {key, value});
        break;
      }
      case 'u':
        append(Kind::kDict, pop_to_mark());
        break;
      case 'q':
        put(number<uint8_t>());
        break;
      case 'r':
        put(number<uint32_t>());
        break;
      case 'h':
        get(number<uint8_t>());
        break;
      case 'j':
        get(number<uint32_t>());
        break;
      case 'c':
        push_global();
        break;
      case 'R':
      case 0x81:
        call();
        break;
      case 'b':
        build();
        break;
      case 'Q': {
        const auto* id = pop();
        if (id->kind != Kind::kList || id->items.size() > kMaxArguments) fail();
        push(Kind::kStorage)->items = id->items;
        break;
      }
      default:
        fail("holds pickle opcode " + std::to_string(opcode) + ", which torch.save does not write");
    }
  }

  std::string_view bytes_;
  std::string name_;
  std::deque<PickleValue>& values_;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, PickleValue*> memo_;
};

Pickle::Pickle(std::string_view bytes, const std::string& name) {
  PickleReader reader(bytes, name, values_);
  root_ = reader.read();
  size_ = bytes.size() - reader.remaining();
}

}  // namespace nmt
