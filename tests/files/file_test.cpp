#include "files/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <ostream>

#include "files/output_file.h"
#include "files/part_file.h"
#include "support/catch.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

constexpr uid_t kOther = 65534;  // the user and group "nobody"

struct stat status_of(const std::filesystem::path& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status;
}

mode_t permissions_of(const std::filesystem::path& path) { return status_of(path).st_mode & 07777; }

}  // namespace

TEST_CASE("A file written is the file read, whatever its bytes", "[support]") {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n\xFF", 6);
  write_file_atomically(folder / "x", bytes);
  REQUIRE(read_file(folder / "x") == bytes);
  write_file_atomically(folder / "x", "shorter");
  REQUIRE(read_file(folder / "x") == "shorter");
}

TEST_CASE("A write that fails leaves the old file and nothing else", "[support]") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "x", "old");
  REQUIRE_THROWS(write_file_atomically(folder / "x", [](std::ostream& stream) {
    stream << "half";
    throw Error("stop");
  }));
  REQUIRE(read_file(folder / "x") == "old");
  const auto entries = std::filesystem::directory_iterator(folder.path());
  REQUIRE(std::distance(begin(entries), end(entries)) == 1);
}

TEST_CASE("Files that cannot be are named with the reason", "[support]") {
  const TemporaryFolder folder;
  REQUIRE(contains(error_of([&] { read_file(folder / "absent"); }),
                   "absent: cannot be read: No such file"));
  REQUIRE(contains(error_of([&] { read_file(folder.path()); }), "is a folder"));
  REQUIRE(contains(error_of([&] { write_file_atomically(folder / "no/x", "a"); }),
                   "no/x: cannot be written"));
}

TEST_CASE("Of an output file that is not finished nothing stays", "[support]") {
  const TemporaryFolder folder;
  { OutputFile(folder / "x").write("half"); }
  REQUIRE(std::filesystem::is_empty(folder.path()));
  OutputFile whole(folder / "x");
  whole.write("all");
  whole.finish();
  REQUIRE(read_file(folder / "x") == "all");
}

TEST_CASE("A link or device stays what it is, and what it leads to is written", "[support]") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  std::filesystem::create_symlink(folder / "file", folder / "link");
  OutputFile output(folder / "link");
  output.write("new");
  output.finish();
  REQUIRE(read_file(folder / "file") == "new");
  write_file_atomically(folder / "link", "newer");
  REQUIRE(read_file(folder / "file") == "newer");
  REQUIRE(std::filesystem::is_symlink(folder / "link"));
  std::filesystem::create_symlink("/dev/full", folder / "full");
  REQUIRE(contains(error_of([&] { write_file_atomically(folder / "full", "x"); }),
                   "No space left on device"));
  REQUIRE(std::filesystem::is_symlink(folder / "full"));
}

TEST_CASE("A file that a link leads to stays whole until its replacement is", "[files]") {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "old");
  std::filesystem::create_symlink("file", folder / "inner");
  std::filesystem::create_symlink(folder / "inner", folder / "link");
  const auto link = folder / "link";
  {
    OutputFile output(link);
    output.write("half");
    REQUIRE(read_file(file) == "old");
  }
  REQUIRE(read_file(file) == "old");
  REQUIRE_THROWS(write_file_atomically(link, [](std::ostream& stream) {
    stream << "half";
    throw Error("stop");
  }));
  REQUIRE(read_file(file) == "old");
  write_file_atomically(link, [&](std::ostream& stream) { stream << read_file(link) << "er"; });
  REQUIRE(read_file(file) == "older");
  REQUIRE(std::filesystem::is_symlink(folder / "inner"));
  REQUIRE(std::filesystem::is_symlink(link));
  const auto entries = std::filesystem::directory_iterator(folder.path());
  REQUIRE(std::distance(begin(entries), end(entries)) == 3);
}

TEST_CASE("A link to nothing makes its file, a circle of links is an error", "[files]") {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_symlink(std::string("made-") + name, folder / name);
  }
  OutputFile output(folder / "a");
  output.write("new");
  REQUIRE_FALSE(std::filesystem::exists(folder / "made-a"));
  output.finish();
  write_file_atomically(folder / "b", "new");
  for (const char* name : {"a", "b"}) {
    REQUIRE(std::filesystem::is_symlink(folder / name));
    REQUIRE(read_file(folder / (std::string("made-") + name)) == "new");
  }
  std::filesystem::create_symlink("circle", folder / "circle");
  REQUIRE(contains(error_of([&] { write_file_atomically(folder / "circle", "x"); }),
                   "circle: cannot be followed: Too many levels of symbolic links"));
  REQUIRE(std::filesystem::is_symlink(folder / "circle"));
}

TEST_CASE("A file is the same by whatever name, a device by its own alone", "[files]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "there");
  std::filesystem::create_directory_symlink("there", folder / "linked");
  std::filesystem::create_symlink("x", folder / "x-link");
  for (const char* other : {"./x", "there/../x", "absent/../x", "x-link"}) {
    INFO(other);
    REQUIRE(is_same_file(folder / "x", folder / other));
    REQUIRE_FALSE(is_same_file(folder / "y", folder / other));
  }
  REQUIRE(is_same_file(folder / "there/x", folder / "linked/x"));
  REQUIRE(is_same_file("x", std::filesystem::current_path() / "x"));
  REQUIRE_FALSE(is_same_file("", "x"));
  std::filesystem::create_symlink("/dev/null", folder / "null");
  REQUIRE_FALSE(is_same_file("/dev/null", folder / "null"));
  REQUIRE(is_same_file("/dev/null", "/dev/./null"));
}

TEST_CASE("Names of a process's files are told from others", "[files]") {
  CHECK(is_numbered(".tmp12", ".tmp"));
  for (const auto* other : {".tmp", ".tmp1a", ".new12", "tmp12", ""}) {
    CHECK_FALSE(is_numbered(other, ".tmp"));
  }
}

TEST_CASE("The name of compressed content is without .gz", "[files]") {
  CHECK(uncompressed_name("a/page.md.gz") == "a/page.md");
  CHECK(uncompressed_name("PAGE.SRT.GZ") == "PAGE.SRT");
  CHECK(uncompressed_name("a.gz/page.html") == "a.gz/page.html");
  CHECK(uncompressed_name("-") == "-");
}

TEST_CASE("A file in the making is never another's file", "[files]") {
  const TemporaryFolder folder;
  const auto victim = folder.write("victim", "precious");
  const auto refused = "x.partial: exists and is not a plain file of this user; remove it";
  std::filesystem::create_symlink(victim, folder / "x.partial");
  REQUIRE(contains(error_of([&] { OutputFile(folder / "x"); }), refused));
  std::filesystem::remove(folder / "x.partial");
  std::filesystem::create_hard_link(victim, folder / "x.partial");
  REQUIRE(contains(error_of([&] { OutputFile(folder / "x"); }), refused));
  std::filesystem::create_hard_link(victim, folder / "x.part");
  REQUIRE(contains(error_of([&] { PartFile(folder / "x"); }), "x.part: exists and is not"));
  std::filesystem::create_symlink(victim, folder / "x.tmp1");
  REQUIRE(contains(error_of([&] { create_unfinished(folder / "x.tmp1", folder / "x"); }),
                   "exists and is"));
  REQUIRE(read_file(victim) == "precious");
}

TEST_CASE("What a killed program left of an output is overwritten", "[files]") {
  const TemporaryFolder folder;
  folder.write("x.partial", "much of an older output");
  OutputFile output(folder / "x");
  output.write("new");
  output.finish();
  REQUIRE(read_file(folder / "x") == "new");
}

TEST_CASE("An output is no input, by whatever name, unless it is written in place", "[files]") {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "x");
  std::filesystem::create_symlink(text, folder / "link");
  for (const auto& output : {text, folder / "link", folder / "absent/../text"}) {
    INFO(output);
    REQUIRE(
        contains(error_of([&] {
                   require_not_input({"", output}, {"-", "", text});
                 }),
                 output.string() + ": used as input and output; use another file or directory"));
  }
  require_not_input({"-", "", "/dev/null", folder / "other"}, {"-", "", "/dev/null", text});
}

TEST_CASE("A replaced file keeps its permissions, owner and group", "[files]") {
  using Path = std::filesystem::path;
  const TemporaryFolder folder;
  const std::function<void(const Path&)> ways[] = {
      [](const Path& path) { write_file_atomically(path, "new"); },
      [](const Path& path) {
        OutputFile output(path);
        output.write("new");
        output.finish();
      },
      [](const Path& path) {
        PartFile part(path);
        part.write("new");
        part.save(false);
        part.finish();
      }};
  const bool root = ::geteuid() == 0;  // who alone may give files away
  for (const auto& write : ways) {
    for (const char* name : {"x", "x.gz"}) {
      for (const mode_t mode : {0600, 0640, 0666, 0755}) {
        const auto file = folder.write(name, "old");
        const auto before = status_of(file);
        REQUIRE(::chmod(file.c_str(), mode) == 0);
        if (root) REQUIRE(::chown(file.c_str(), kOther, kOther) == 0);
        write(file);
        CHECK(read_file(file) != "old");
        CHECK(permissions_of(file) == mode);
        CHECK(status_of(file).st_ino != before.st_ino);
        CHECK(status_of(file).st_uid == (root ? kOther : before.st_uid));
        CHECK(status_of(file).st_gid == (root ? kOther : before.st_gid));
        std::filesystem::remove(file);
      }
    }
  }
}

TEST_CASE("An unfinished file is no more readable than the file that it replaces", "[files]") {
  const TemporaryFolder folder;
  const auto file = folder.write("x", "old");
  REQUIRE(::chmod(file.c_str(), 0600) == 0);
  if (::geteuid() == 0) REQUIRE(::chown(file.c_str(), kOther, kOther) == 0);
  {
    const OutputFile output(file);
    CHECK(permissions_of(folder / "x.partial") == 0600);
  }
  for (const char* name : {"x.partial", "x.part"}) {  // of a killed program
    REQUIRE(::chmod(folder.write(name, "half").c_str(), 0644) == 0);
  }
  const OutputFile output(file);
  CHECK(permissions_of(folder / "x.partial") == 0600);
  CHECK(PartFile(file).size() == 4);
  CHECK(permissions_of(folder / "x.part") == 0600);
  std::filesystem::remove(folder / "x.part");
  for (const int64_t size : {0, 4}) {  // interrupted, resumed
    PartFile part(file);
    CHECK(part.size() == size);
    part.write("more");
    part.save(false);
  }
}

TEST_CASE("A copy is no more readable than each of its originals", "[files]") {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "private");
  const auto copy = folder / "copy";
  const auto limited = [&](mode_t mode) {
    REQUIRE(::chmod(text.c_str(), mode) == 0);
    REQUIRE(::chmod(copy.c_str(), 0755) == 0);
    limit_readers(copy, {folder / "absent", text, "/"});
    return permissions_of(copy);
  };
  std::filesystem::create_directory(copy);
  CHECK(limited(0644) == 0755);
  CHECK(limited(0640) == 0750);
  CHECK(limited(0600) == 0700);
  if (::geteuid() != 0) return;
  REQUIRE(::chown(text.c_str(), 0, kOther) == 0);
  CHECK(limited(0644) == 0755);
  CHECK(limited(0640) == 0700);
}

TEST_CASE("A link that another user planted in a shared folder is not followed", "[files]") {
  if (::geteuid() != 0) SKIP("only root can make links of other users");
  const TemporaryFolder folder;
  const auto victim = folder.write("victim", "precious");
  const auto plant = [&](const char* name, const std::filesystem::path& target, uid_t owner) {
    std::filesystem::create_symlink(target, folder / name);
    REQUIRE(::lchown((folder / name).c_str(), owner, owner) == 0);
    return folder / name;
  };
  const auto planted = {plant("x", victim, kOther), plant("y", folder / "created", kOther),
                        plant("z", "/dev/null", kOther)};
  const auto own = plant("own", victim, 0);
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
  for (const auto& link : planted) {
    const auto refused = link.string() + ": a link of another user in a folder that all may write";
    CHECK(contains(error_of([&] { OutputFile{link}; }), refused));
    CHECK(contains(error_of([&] { write_file_atomically(link, "a"); }), refused));
  }
  CHECK(read_file(victim) == "precious");
  CHECK_FALSE(std::filesystem::exists(folder / "created"));
  write_file_atomically(own, "new");
  CHECK(read_file(victim) == "new");
  REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
  write_file_atomically(folder / "x", "newer");
  CHECK(read_file(victim) == "newer");
}

}  // namespace nmt
