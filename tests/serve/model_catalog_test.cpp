#include "serve/model_catalog.h"

#include <atomic>
#include <future>
#include <thread>

#include "serve/labelled_model.h"
#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

/// Three models of one size.
class ThreeModels {
 public:
  ThreeModels() {
    options_.translators.threads = 1;
    for (const std::string pair : {"ko-en", "en-de", "de-fr"}) {
      options_.translators.model_dirs.push_back(
          label_model(folder_.path(), pair, pair.substr(0, 2), pair.substr(3)));
    }
    ModelCatalog one(options_);
    one.acquire(0);
    size_ = one.memory_in_use();
  }

  const TemporaryFolder& folder() const { return folder_; }
  const CatalogOptions& options() const { return options_; }

  /// With memory for so many of them.
  CatalogOptions options_for(uint64_t models) const {
    auto options = options_;
    options.max_memory = models * size_;
    return options;
  }

  std::string error_with(const std::vector<std::filesystem::path>& models) const {
    auto options = options_;
    options.translators.model_dirs = models;
    return error_of([&] { ModelCatalog catalog(options); });
  }

 private:
  TemporaryFolder folder_;
  CatalogOptions options_;
  uint64_t size_ = 0;
};

std::vector<bool> loaded(const ModelCatalog& catalog) {
  std::vector<bool> loaded;
  for (const auto& state : catalog.states()) loaded.push_back(state.loaded);
  return loaded;
}

using Loaded = std::vector<bool>;

}  // namespace

TEST_CASE("A model is loaded when it is first used, once", "[serve]") {
  const ThreeModels three;
  ModelCatalog catalog(three.options());
  REQUIRE(catalog.directions() == std::vector<Direction>{{"ko", "en"}, {"en", "de"}, {"de", "fr"}});
  REQUIRE(loaded(catalog) == Loaded{false, false, false});
  std::vector<std::thread> users;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) {
    users.emplace_back([&] {
      const auto model = catalog.acquire(1);
      right +=
          model->translator->translate({"저는 책을 읽어요."})[0].text == "I read a book." ? 1 : 0;
    });
  }
  for (auto& user : users) user.join();
  REQUIRE(right == 8);
  REQUIRE(loaded(catalog) == Loaded{false, true, false});
  REQUIRE(catalog.states()[1].times_loaded == 1);
}

TEST_CASE("The model used least recently makes room for another", "[serve]") {
  const ThreeModels three;
  ModelCatalog catalog(three.options_for(2));
  catalog.acquire(0);
  catalog.acquire(1);
  catalog.acquire(0);
  catalog.acquire(2);
  REQUIRE(loaded(catalog) == Loaded{true, false, true});
  REQUIRE(catalog.memory_in_use() == three.options_for(2).max_memory);
  catalog.acquire(1);
  REQUIRE(loaded(catalog) == Loaded{false, true, true});
  REQUIRE(catalog.states()[1].times_loaded == 2);
}

TEST_CASE("A model that is in use makes room when it no longer is", "[serve]") {
  const ThreeModels three;
  ModelCatalog catalog(three.options_for(1));
  auto used = catalog.acquire(0);
  auto next = std::async(std::launch::async, [&] { return catalog.acquire(1)->direction.source; });
  REQUIRE(next.wait_for(std::chrono::milliseconds(300)) == std::future_status::timeout);
  REQUIRE(used->translator->translate({"저는 책을 읽어요."})[0].text == "I read a book.");
  used = nullptr;
  REQUIRE(next.get() == "en");
  REQUIRE(loaded(catalog) == Loaded{false, true, false});
}

TEST_CASE("Models that cannot be served are an error of the start", "[serve]") {
  const ThreeModels three;
  const auto& models = three.options().translators.model_dirs;
  const auto twin = label_model(three.folder().path(), "twin", "ko", "en");
  REQUIRE(contains(three.error_with({models[0], models[1], twin}),
                   twin.string() + " and " + models[0].string() +
                       ": both translate ko to en; serve one of them"));
  const auto unknown = label_model(three.folder().path(), "unknown", "src", "tgt");
  REQUIRE(contains(three.error_with({models[0], unknown}), ": its languages are unknown; rename"));
  REQUIRE_NOTHROW(ModelCatalog({{{unknown}}, {"", ""}, 0}));
  auto plain = three.options();
  plain.translators.engine = TranslationEngine::kPlain;
  plain.translators.precision = TranslationPrecision::kInt8;
  REQUIRE(contains(error_of([&] { ModelCatalog catalog(plain); }), "int8: only the fused engine"));
  write_file_atomically(models[1] / "target.spm", "damaged");
  REQUIRE(contains(three.error_with(models), "target.spm: does not match SHA256SUMS"));
  auto small = three.options_for(1);
  small.max_memory /= 2;
  REQUIRE(contains(error_of([&] { ModelCatalog catalog(small); }),
                   ": needs 13 MiB of memory, more than"));
}

TEST_CASE("A model that breaks before its first use fails its users, not the others", "[serve]") {
  const ThreeModels three;
  ModelCatalog catalog(three.options());
  const auto weights = three.options().translators.model_dirs[1] / "model.safetensors";
  auto bytes = read_file(weights);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file_atomically(weights, bytes);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(contains(error_of([&] { catalog.acquire(1); }), "model.safetensors: "));
  }
  REQUIRE(catalog.memory_in_use() == 0);
  REQUIRE_NOTHROW(catalog.acquire(0));
}

TEST_CASE("A model that is replaced while it is in use is two versions for a time", "[serve]") {
  const ThreeModels three;
  ModelCatalog catalog(three.options_for(1));
  auto old = catalog.acquire(0);
  const auto& path = three.options().translators.model_dirs[0];
  label_model(three.folder().path(), "next", "ko", "en");
  std::filesystem::rename(path, three.folder() / "old");
  std::filesystem::rename(three.folder() / "next", path);
  while (catalog.acquire(0) == old) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  REQUIRE(catalog.memory_in_use() == 2 * three.options_for(1).max_memory);
  REQUIRE(old->translator->translate({"저는 책을 읽어요."})[0].text == "I read a book.");
  old = nullptr;
  REQUIRE(catalog.memory_in_use() == three.options_for(1).max_memory);
  REQUIRE(catalog.states()[0].times_loaded == 2);
}

TEST_CASE("A model is reloaded when its terms change", "[serve]") {
  const TemporaryFolder folder;
  CatalogOptions options;
  options.translators.threads = 1;
  options.translators.model_dirs = {NMT_SOURCE_DIR "/models/sample"};
  options.translators.terms = folder.write("terms", "책\tvolume\n");
  ModelCatalog catalog(options);
  const auto translation = [](const ModelHandle& model) {
    return model->translator->translate({"저는 책을 읽어요."})[0].text;
  };
  const auto old = catalog.acquire(0);
  CHECK(translation(old) == "I read a volume.");
  folder.write("terms", "책\ttome\n");
  while (catalog.acquire(0) == old) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(translation(catalog.acquire(0)) == "I read a tome.");
}

TEST_CASE("A folder's models are its model directories and .nmt files", "[serve]") {
  const TemporaryFolder folder;
  REQUIRE(contains(error_of([&] { models_in(folder.path()); }), ": holds no models; use"));
  REQUIRE(contains(error_of([&] { models_in(folder / "none"); }), "none: cannot be read: "));
  label_model(folder.path(), "b", "ko", "en");
  folder.write("a.nmt", "");
  folder.write("README.md", "");
  std::filesystem::create_directory(folder / "empty");
  REQUIRE(models_in(folder.path()) ==
          std::vector<std::filesystem::path>{folder / "a.nmt", folder / "b"});
}

}  // namespace nmt
