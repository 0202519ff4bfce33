#include <cstddef>
#include <cstdint>
#include <string_view>

#include "errors/error.h"
#include "export/foreign_vocabulary.h"
#include "export/torch_archive.h"

// The way a file of torch.save goes when a model is imported, up to its tensors.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!nmt::TorchArchive::is_one(bytes)) return 0;
  try {
    const nmt::TorchArchive archive(bytes, "file");
    for (const auto* key : {"src_vocab", "vocab"}) {
      const auto* words = archive.root().find(key);
      if (words == nullptr) continue;
      nmt::reorder(nmt::words_of(*words, key), {"<pad>", "<unk>", "<s>", "</s>"}, key);
    }
    const auto* model = archive.root().find("model");
    if (model == nullptr) return 0;
    for (const auto* value : model->items) {
      try {
        archive.tensor(*value, "tensor");
      } catch (const nmt::Error&) {
      }
    }
  } catch (const nmt::Error&) {
  }
  return 0;
}
