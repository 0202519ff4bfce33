#include "cli/hostile_input.h"
#include "support/catch.h"

namespace nmt {

TEST_CASE("What is no shard is refused", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\ntwo\nthree\n");
  std::vector<HostileCase> cases;
  const std::string translate = "$nmt translate -m $sample -o $out/x ";
  for (const char* shard : {"0/3", "4/3", "3", "a/b", "1/0", "-1/3", "/", "1/3/5", "2/-3",
                            "99999999999999999999/3", "1/99999999999999999999", "1/1000001",
                            "0x1/2", "' 1/2'", "1/2.5", "\"$(printf '1/2\\377')\""}) {
    cases.push_back({std::string("shard ") + shard, translate + "-i $in/text --shard=" + shard, 2,
                     "use I/N", 0});
  }
  cases.push_back({"no shard", translate + "-i $in/text --shard=''", 2, "--shard", 0});
  cases.push_back({"of standard input", translate + "--shard 1/2 < $in/text", 2,
                   "--shard: needs a regular file; use --input FILE", 0});
  cases.push_back({"of a pipe", "cat $in/text | " + translate + "--shard 1/2 -i /dev/stdin", 2,
                   "--shard: needs a regular file", 0});
  cases.push_back({"of nothing", translate + "--shard 1/2 -i $in/absent", 1, "cannot be read", 0});
  cases.push_back(
      {"of a folder", translate + "--shard 1/2 -i $in", 2, "--shard: needs a regular file", 0});
  cases.push_back(
      {"the most", translate + "-i $in/text --shard 1000000/1000000 && cat $out/x", 0, "", 0});
  check_cases(in.path(), cases);
}

TEST_CASE("A part that is not what its journal says is not gone on with", "[hostile]") {
  const TemporaryFolder in;
  in.write("text", "one\ntwo\nthree\n");
  in.write("future", R"({"version": 7, "anything": []})");
  in.write("array", "[1, 2");
  in.write("deep", std::string(200000, '['));
  in.write("negative", R"({"version": 1, "lines": -1, "bytes": [0], "hashes": [""],
                           "whole": false, "content": "", "job": {}})");
  in.write("other", R"({"version": 1, "lines": 1, "bytes": [1], "hashes": [""], "whole": false,
                        "content": "", "job": {"nmt": "0.0.1"}})");
  const auto with = [](const std::string& before) {
    return before + "; $nmt translate -m $sample --beam-size 1 -i $in/text -o $out/x; code=$?; " +
           "cat $out/x 2>/dev/null; rm -rf $out/x*; exit $code";
  };
  const auto with_journal = [&](const std::string& name) {
    return with("echo >$out/x.part; cp $in/" + name + " $out/x.part.json");
  };
  check_cases(
      in.path(),
      {{"a part without journal", with("echo >$out/x.part"), 1, "exists without its journal", 0},
       {"an empty part", with("touch $out/x.part"), 0, "", 3},
       {"a damaged journal", with_journal("array"), 1, "x.part.json: damaged", 0},
       {"a deep one", with_journal("deep"), 1, "x.part.json: damaged", 0},
       {"an empty one", with("touch $out/x.part.json"), 1, "x.part.json: damaged", 0},
       {"a folder", with("mkdir $out/x.part.json"), 1, "x.part.json: is a folder", 0},
       {"an endless one", with("ln -s /dev/zero $out/x.part.json"), 1, "x.part.json: has more", 0},
       {"one of the future", with_journal("future"), 1, "by a newer nmt", 0},
       {"one of negative lines", with_journal("negative"), 1, "x.part.json: damaged", 0},
       {"one of another job", with_journal("other"), 1, "nmt 0.0.1 → ", 0},
       {"a journal without part", with("cp $in/other $out/x.part.json"), 1,
        "started with other settings", 0},
       {"a folder as part", with("mkdir $out/x.part"), 1, "x: cannot be written", 0},
       {"a pipe as part", with("mkfifo $out/x.part"), 1, "x.part: exists and is not a plain file",
        0},
       {"a link as part", with("ln -s $in/text $out/x.part"), 2, "x.part: used as input and output",
        0},
       {"all of that begun anew",
        with("echo >$out/x.part; cp $in/array $out/x.part.json; "
             "$nmt translate -m $sample --restart --beam-size 1 -i $in/text -o $out/x"),
        0, "", 3}});
}

}  // namespace nmt
