#include "jobs/translation_job.h"

#include <nlohmann/json.hpp>

#include "files/file.h"
#include "files/line_reader.h"
#include "jobs/translate_text.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

const JobDescription kJob = {{"model", "abc"}, {"--beam-size", "5"}};
constexpr int kLines = 12;

TranslationJob job_in(const fs::path& folder, const JobDescription& description = kJob,
                      bool restart = false) {
  return {{folder / "out", folder / "pairs"},
          [description] { return description; },
          restart,
          std::chrono::milliseconds(0)};
}

/// "Translates" up to a line, from where the job stands, and pauses after every fourth.
void work(
    TranslationJob& job, int last, const std::function<void()>& after_pause = [] {}) {
  const auto done = static_cast<int>(job.lines_saved());
  for (int i = 1; i <= last; ++i) {
    const auto source = "line " + std::to_string(i);
    if (i <= done) {
      job.skip(source);
      continue;
    }
    job.write(0, std::string(static_cast<size_t>(i % 3) + 1, 'x') + std::to_string(i) + "\n\n");
    job.write(1, std::to_string(i) + "-0\n");
    job.add(source);
    if (i % 4 != 0) continue;
    job.pause();
    after_pause();
  }
}

/// For a job of eight lines.
void require_to_refuse_another_line(TranslationJob& job) {
  for (int i = 1; i <= 7; ++i) job.skip("line " + std::to_string(i));
  REQUIRE(contains(error_of([&] { job.skip("line eight"); }), "the first 8 lines of the input"));
}

/// The text of both files when nothing happens.
std::string undisturbed() {
  const TemporaryFolder folder;
  auto job = job_in(folder.path());
  work(job, kLines);
  job.finish();
  return read_file(folder / "out") + read_file(folder / "pairs");
}

void require_to_finish(TranslationJob& job, const fs::path& folder) {
  work(job, kLines);
  job.finish();
  REQUIRE(read_file(folder / "out") + read_file(folder / "pairs") == undisturbed());
  REQUIRE(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 2);
}

/// A folder with a job that has its first eight lines.
void begin_in(const fs::path& folder) {
  auto job = job_in(folder);
  work(job, 8);
}

std::string refusal(const fs::path& folder, const JobDescription& job = kJob) {
  return error_of([&] { job_in(folder, job); });
}

void change_journal(const fs::path& folder, const std::string& key, const nlohmann::json& value) {
  const auto path = folder / "out.part.json";
  auto journal = nlohmann::json::parse(read_file(path));
  journal[key] = value;
  write_file_atomically(path, journal.dump());
}

}  // namespace

TEST_CASE("A job that was ended at any moment ends as if it had not been", "[translate]") {
  const TemporaryFolder folder;
  std::vector<fs::path> moments;
  {
    const auto first = folder / "0";
    fs::create_directory(first);
    auto job = job_in(first);
    work(job, kLines, [&] {
      moments.push_back(folder / std::to_string(moments.size() + 1));
      fs::copy(first, moments.back());
    });
    REQUIRE(moments.size() == 3);
  }
  for (size_t i = 0; i < moments.size(); ++i) {
    // As if the next lines and the next journal were only half written.
    std::ofstream(moments[i] / "out.part", std::ios::app) << "xxx9\n\nhalf a l";
    write_file_atomically(moments[i] / "out.part.json.tmp123", "{");
    auto job = job_in(moments[i]);
    REQUIRE(job.lines_saved() == static_cast<int64_t>(i + 1) * 4);
    require_to_finish(job, moments[i]);
  }
}

TEST_CASE("A job that is ended before it has saved anything leaves no parts", "[translate]") {
  const TemporaryFolder folder;
  {
    auto job = job_in(folder.path());
    work(job, 3);
    REQUIRE(fs::exists(folder / "out.part"));
    job.discard_empty();
    REQUIRE(fs::is_empty(folder.path()));
  }
  begin_in(folder.path());
  auto job = job_in(folder.path());
  job.discard_empty();
  require_to_finish(job, folder.path());
}

TEST_CASE("A job that was ended while its files got their names ends that", "[translate]") {
  for (const bool one_has_its_name : {false, true}) {
    const TemporaryFolder folder;
    {
      auto job = job_in(folder.path());
      work(job, kLines);
    }
    change_journal(folder.path(), "whole", true);
    if (one_has_its_name) fs::rename(folder / "pairs.part", folder / "pairs");
    auto job = job_in(folder.path());
    require_to_finish(job, folder.path());
  }
}

TEST_CASE("A job without a pause leaves nothing, and needs to be told nothing", "[translate]") {
  const TemporaryFolder folder;
  {
    TranslationJob job({folder / "out"}, []() -> JobDescription { throw Error("asked"); }, {});
    job.write(0, "x\n");
    job.add("line");
    job.pause();  // not long ago
  }
  REQUIRE(fs::is_empty(folder.path()));
}

TEST_CASE("Another job does not go on with a part, and says what differs", "[translate]") {
  const TemporaryFolder folder;
  begin_in(folder.path());
  const auto message =
      refusal(folder.path(), {{"model", "def"}, {"--beam-size", "5"}, {"--x", "y"}});
  REQUIRE(contains(message,
                   "out.part: started with other settings: --x none → y; model abc → def; use"));
  REQUIRE(contains(message, "--restart"));
  auto job = job_in(folder.path(), {{"model", "def"}}, /*restart=*/true);
  REQUIRE(job.lines_saved() == 0);
  require_to_finish(job, folder.path());
}

TEST_CASE("Other lines than those that were translated are an error, others behind them not",
          "[translate]") {
  const TemporaryFolder folder;
  begin_in(folder.path());
  {
    auto job = job_in(folder.path());
    require_to_refuse_another_line(job);
  }
  {
    auto job = job_in(folder.path());
    work(job, 7);
    REQUIRE(contains(error_of([&] { job.finish(); }), "translates 8 lines, but the input has 7"));
  }
  auto job = job_in(folder.path());
  work(job, 8);
  job.write(0, "new\n");
  job.add("a new line");
  job.finish();
  REQUIRE(contains(read_file(folder / "out"), "8\n\nnew\n"));
}

TEST_CASE("A job that only had its journal to remove refuses other lines", "[translate]") {
  const auto interrupted = [](const fs::path& folder) {
    begin_in(folder);
    auto job = job_in(folder);
    work(job, 8);
    fs::copy(folder / "out.part.json", folder / "saved");
    job.finish();
    auto journal = read_file(folder / "saved");
    journal.replace(journal.find("\"whole\": false"), 14, "\"whole\": true");
    write_file_atomically(folder / "out.part.json", journal);
  };
  const TemporaryFolder folder;
  interrupted(folder.path());
  {
    auto job = job_in(folder.path());
    require_to_refuse_another_line(job);
  }
  auto job = job_in(folder.path());
  for (int i = 1; i <= 7; ++i) job.skip("line " + std::to_string(i));
  CHECK(contains(error_of([&] { job.finish(); }), "translates 8 lines, but the input has 7"));
}

TEST_CASE("What is damaged is named and not gone on with", "[translate]") {
  const auto after = [](const std::function<void(const fs::path&)>& damage) {
    const TemporaryFolder folder;
    begin_in(folder.path());
    damage(folder.path());
    const auto message = refusal(folder.path());
    REQUIRE(contains(message, "--restart"));
    return message;
  };
  const auto journal_with = [&](const std::string& text) {
    return after([&](const fs::path& f) { write_file_atomically(f / "out.part.json", text); });
  };
  for (const char* text :
       {"", "{", "[]", "null", "{\"version\": 1}", "\xFF", "{\"version\": \"x\"}"}) {
    CHECK(contains(journal_with(text), "out.part.json: damaged"));
  }
  const auto journal_of = [&](const std::string& key, const nlohmann::json& value) {
    return after([&](const fs::path& f) { change_journal(f, key, value); });
  };
  CHECK(contains(journal_of("version", 2), "written by a newer nmt"));
  CHECK(contains(journal_of("lines", -1), ": damaged"));
  CHECK(contains(journal_of("lines", "8"), ": damaged"));
  CHECK(contains(journal_of("bytes", {1}), ": damaged"));
  CHECK(contains(journal_of("bytes", {1, -1}), ": damaged"));
  CHECK(contains(journal_of("hashes", {"1"}), ": damaged"));
  CHECK(contains(journal_of("hashes", nlohmann::json::array()), ": damaged"));
  CHECK(contains(journal_of("job", {}), ": damaged"));
  CHECK(contains(journal_of("bytes", {100000, 1}), "out.part: has 41 bytes, but"));
  CHECK(contains(after([](const fs::path& f) { fs::remove(f / "pairs.part"); }),
                 "pairs.part: has 0 bytes, but"));
  CHECK(contains(after([](const fs::path& f) { fs::remove(f / "out.part.json"); }),
                 "out.part: exists without its journal"));
}

TEST_CASE("An edited part is refused and kept, whether it became longer, shorter or neither",
          "[translate]") {
  for (const std::string edited : {"xx1!", "x1", "xx7"}) {
    const TemporaryFolder folder;
    begin_in(folder.path());
    const auto part = folder / "out.part";
    const auto text = read_file(part);
    write_file_atomically(part, edited + text.substr(3) + "more\n");
    CHECK(contains(refusal(folder.path()), "out.part: edited since nmt wrote it; undo that, or"));
    CHECK(read_file(part) == edited + text.substr(3) + "more\n");
    write_file_atomically(part, text);
    auto job = job_in(folder.path());
    require_to_finish(job, folder.path());
  }
}

TEST_CASE("Two programs do not write one part", "[translate]") {
  const TemporaryFolder folder;
  auto job = job_in(folder.path());
  REQUIRE(contains(refusal(folder.path()), "out.part: in use by another nmt"));
  require_to_finish(job, folder.path());
}

TEST_CASE("A file is translated to gzip, and to what a link leads to", "[translate]") {
  const TemporaryFolder folder;
  fs::create_symlink("file", folder / "link");
  for (const char* output : {"out.gz", "link"}) {
    TranslationRequest request;
    request.translator.model_dirs = {NMT_SOURCE_DIR "/models/sample"};
    request.translator.threads = 1;
    request.input = folder.write("in", "저는 책을 읽어요.\n");
    request.output = folder / output;
    complete(request);
    REQUIRE_FALSE(is_resumable(request));
    translate_text(request);
    REQUIRE(LineReader(request.output).rest() == "I read a book.\n");
    REQUIRE(LineReader(request.output).is_compressed() == (request.output.extension() == ".gz"));
  }
  REQUIRE(fs::is_symlink(folder / "link"));
  REQUIRE(read_file(folder / "file") == "I read a book.\n");
}

TEST_CASE("Two outputs are two files, however they are written", "[translate]") {
  const auto problem = [](const fs::path& output, const fs::path& alignments,
                          const fs::path& attention) {
    TranslationRequest request;
    request.output = output;
    request.alignments = alignments;
    request.attention = attention;
    return error_of([&] { complete(request); });
  };
  CHECK(contains(problem("a/x", "a/./x", ""), "--alignments and --output: both are a/./x; use"));
  CHECK(contains(problem("x", fs::current_path() / "b/../x", ""), "--alignments and --output"));
  CHECK(contains(problem("x.svg", "", "./x.svg"), "--attention and --output: both are ./x.svg"));
  CHECK(contains(problem("-", "x.svg", "a/../x.svg"), "--attention and --alignments: both are"));
  TranslationRequest request;
  request.output = "x";
  request.alignments = "a/x";
  complete(request);
}

TEST_CASE("A part is no link to elsewhere", "[translate]") {
  const TemporaryFolder folder;
  folder.write("precious", "text\n");
  fs::create_symlink(folder / "precious", folder / "out.part");
  REQUIRE(contains(refusal(folder.path()), "out.part: exists and is not a plain file"));
  REQUIRE(read_file(folder / "precious") == "text\n");
}

}  // namespace nmt
