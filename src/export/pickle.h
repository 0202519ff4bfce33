#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A value of a pickle. Nothing in a pickle is executed: calls are kept as the name of the function
/// and its arguments.
struct PickleValue {
  enum class Kind {
    kNone,
    kNumber,   // `number`; a bool too
    kReal,     // `real`
    kText,     // `text`, UTF-8
    kList,     // `items`; a tuple too
    kDict,     // `items`: keys and values alternately
    kGlobal,   // `text`: "MODULE\nNAME"
    kObject,   // of the class or function `text`; `items`: its arguments
    kStorage,  // of a tensor; `items`: "storage", its global type, its name, its device, its size
  };
  Kind kind = Kind::kNone;
  int64_t number = 0;
  double real = 0;
  std::string_view text = {};
  std::vector<const PickleValue*> items = {};
  const PickleValue* state = nullptr;  // the attributes of an object, or null

  /// The value of that key in a dict or among the attributes of an object; null without it.
  const PickleValue* find(std::string_view key) const;
};

/// A pickle as torch.save writes it (protocol 2; docs.python.org/3/library/pickletools.html).
/// `bytes` must outlive this; other bytes may follow the pickle.
class Pickle {
 public:
  /// Throws Error on damage, on an unknown opcode, and on a class or function that no translation
  /// model needs, which it names.
  Pickle(std::string_view bytes, const std::string& name);

  const PickleValue& root() const { return *root_; }
  const std::deque<PickleValue>& values() const { return values_; }  // all, in the file's order
  size_t size() const { return size_; }                              // in bytes

 private:
  std::deque<PickleValue> values_;
  const PickleValue* root_ = nullptr;
  size_t size_ = 0;
};

}  // namespace nmt
