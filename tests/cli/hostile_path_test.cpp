#include <zlib.h>

#include "cli/hostile_fixtures.h"
#include "cli/hostile_input.h"
#include "support/catch.h"

namespace nmt {
namespace {

void make_paths(const TemporaryFolder& in) {
  in.write("text", "one\ntwo\nthree\n");
  in.write("copy", "one\ntwo\nthree\n");
  in.write("short", "one\ntwo\n");
  in.write("long", repeated("1\n", 1000));
  in.write("latin1", repeated("caf\xE9\n", 3));
  in.write("spm", sample_file("source.spm"));
  in.write("empty", "");
  std::filesystem::create_directory(in / "folder");
  std::filesystem::create_symlink("loop", in / "loop");
  std::filesystem::create_symlink("nothing", in / "dangling");
  std::filesystem::create_symlink("/dev/full", in / "full");
  const auto whole = (in / "whole.gz").string();
  gzFile file = gzopen(whole.c_str(), "wb");
  const auto text = noise(100000);
  for (const char byte : text) gzputc(file, byte == '\n' ? '\n' : 'a' + (byte & 15));
  gzclose(file);
  const auto bytes = read_file(whole);
  in.write("cut.gz", bytes.substr(0, bytes.size() / 2));
  in.write("cut_early.gz", bytes.substr(0, 12));
  in.write("garbage.gz", bytes.substr(0, 10) + noise(5000));
  auto wrong = bytes;
  wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
  in.write("checksum.gz", wrong);
}

const std::string kTranslate = "$nmt translate -m $sample --threads 1 --beam-size 1 --max-length 3";
const std::string kEvaluate = "$nmt evaluate --reference $in/text --hypothesis ";
const std::string kData = "$nmt data check -s $in/text -t ";
const std::string kTrain = "$nmt train --train.max-updates 1 --train-sets $in/text ";

}  // namespace

TEST_CASE("Input that cannot be read is named", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  const std::string long_name(300, 'x');
  const std::string to = " -o $out/x -i ";
  check_cases(
      in.path(),
      {{"missing", kTranslate + to + "$in/absent", 1, "absent: cannot be read", 0},
       {"a folder", kTranslate + to + "$in/folder", 1, "folder: is a folder", 0},
       {"a link to itself", kTranslate + to + "$in/loop", 1, "/loop: cannot be followed: Too many",
        0},
       {"info, a link to itself", "$nmt info $in/loop", 1, "/loop: cannot be read: Too many", 0},
       {"no folder for temporary files",
        "TMPDIR=/dev/null $nmt shortlist -m $sample -t $in/text $in/text -o $out/x", 1,
        "TMPDIR: Not a directory; set it to a folder", 0},
       {"a name with a newline", kTranslate + to + "\"$(printf '$in/a\\nb')\"", 1,
        "a\\nb: cannot be read", 0},
       {"a link to nothing", kTranslate + to + "$in/dangling", 1, "dangling", 0},
       {"a name too long", kTranslate + to + long_name, 1, long_name, 0},
       {"an empty name", kTranslate + to + "''", 2, "--input: empty name", 0},
       {"below a file", kTranslate + to + "$in/text/x", 1, "text/x: cannot be read", 0},
       {"a name that is not UTF-8", kTranslate + to + "$(printf '\\377')", 1, "cannot be read", 0},
       {"a device without end of file", kTranslate + to + "/dev/null", 0, "", 0},
       {"closed standard input", kTranslate + " -o $out/x <&-", 1, "standard input", 0},
       {"a folder as standard input", kTranslate + " -o $out/x < $in/folder", 1, "standard input",
        0},
       {"a cut gz", kTranslate + to + "$in/cut.gz", 1, "cut.gz: line", 0},
       {"a gz cut in its header", kTranslate + to + "$in/cut_early.gz", 1, "cut_early.gz: line", 0},
       {"a gz of garbage", kTranslate + to + "$in/garbage.gz", 1, "garbage.gz: line", 0},
       {"a gz with a wrong checksum", kTranslate + to + "$in/checksum.gz", 1, "checksum.gz: line",
        0},
       {"evaluate, missing", kEvaluate + "$in/absent", 1, "absent: cannot be read", 0},
       {"evaluate, a folder", kEvaluate + "$in/folder", 1, "folder: is a folder", 0},
       {"evaluate, unequal", kEvaluate + "$in/short", 1, "short: 2 lines, but 3 in", 0},
       {"evaluate, unequal references", kEvaluate + "$in/text -r $in/short", 1,
        "text: 3 lines, but 2 in", 0},
       {"evaluate, unequal standard input", kEvaluate + "- < $in/short", 1,
        "standard input: 2 lines, but 3 in", 0},
       {"evaluate, empty", kEvaluate + "$in/empty", 1, "empty: 0 lines, but 3 in", 0},
       {"evaluate, a cut gz", kEvaluate + "$in/cut.gz", 1, "cut.gz: line", 0},
       {"score, unequal", "$nmt score -m $sample -s $in/text -t $in/short -o $out/x", 1, "3", 0},
       {"score, missing", "$nmt score -m $sample -s $in/text -t $in/absent", 1, "absent", 0},
       {"score, words of unequal files",
        "$nmt score -m $sample -s $in/text -t $in/short --words -o $out/x", 1, "short", 0},
       {"score, words as JSON", "$nmt score -m $sample -s $in/text -t $in/text --words --json", 2,
        "--words", 0},
       {"evaluate, an unknown tokenizer", kEvaluate + "$in/text --tokenize moses", 2, "moses", 0},
       {"evaluate, a tokenizer of text", kEvaluate + "$in/text --tokenize $in/text", 1,
        "text: not a SentencePiece model", 0},
       {"mbr, more than the beam", kTranslate + " --mbr 2" + to + "$in/text", 2,
        "mbr: 2 candidates of a beam of 1; use a larger beam size, or samples", 0},
       {"nearest to references, without a beam",
        kTranslate + " --nearest-to $in/text" + to + "$in/text", 2,
        "--nearest-to: chooses from a beam; use --beam-size 5, without --sample", 0},
       {"nearest to references, and mbr",
        "$nmt translate -m $sample --threads 1 --max-length 3 --mbr 2 --nearest-to $in/text" + to +
            "$in/text",
        2, "--mbr excludes --nearest-to", 0},
       {"nearest to references, too few of them",
        "$nmt translate -m $sample --threads 1 --max-length 3 --nearest-to $in/short" + to +
            "$in/text",
        1, "the two must pair", 0},
       {"mbr, without a model", kEvaluate + "$in/text --mbr 2", 2, "--model-dir", 0},
       {"n-best, not one", "$nmt score -m $sample -s $in/text --n-best $in/text -o $out/x", 1,
        "text: line 1: not LINE ||| TRANSLATION ||| FEATURES ||| SCORE", 0},
       {"n-best, missing", "$nmt score -m $sample -s $in/text --n-best $in/absent -o $out/x", 1,
        "absent: cannot be read", 0},
       {"n-best, a feature with a space",
        "$nmt score -m $sample -s $in/text --n-best $in/text --feature 'a b'", 2, "--feature", 0},
       {"n-best, a target, too", "$nmt score -m $sample -s $in/text --n-best $in/text -t $in/text",
        2, "--target", 0},
       {"score, nothing", "$nmt score -m $sample -s $in/text", 2, "use --target or --n-best", 0},
       {"score, a language model", "$nmt score -m $sample -s $in/text -t $in/text --lm $sample", 2,
        "--n-best", 0},
       {"align, unequal", "$nmt align -m $sample -s $in/text -t $in/short -o $out/x", 1,
        "text: 3 lines, but 2 in", 0},
       {"align, unequal gold",
        "$nmt align -m $sample -s $in/text -t $in/text --gold $in/short -o $out/x", 1,
        "short: 2 lines, but 3 in", 0},
       {"align, gold without links",
        "$nmt align -m $sample -s $in/text -t $in/text --gold $in/text -o $out/x", 1,
        "text: line 1: 'one' is no link", 0},
       {"align, a method for one direction",
        "$nmt align -m $sample -s $in/text -t $in/text --symmetrization union", 2, "--reverse", 0},
       {"score, a folder", "$nmt score -m $sample -s $in/folder -t $in/text", 1, "folder", 0},
       {"states, missing", "$nmt states -m $sample -s $in/absent -o $out/x", 1,
        "absent: cannot be read", 0},
       {"states, unequal", "$nmt states -m $sample -s $in/text -t $in/short -o $out/x", 1,
        "text: 3 lines, but 2 in", 0},
       {"states, existing", "$nmt states -m $sample -s $in/text -o $in/short", 1,
        "short: already exists", 0},
       {"states, a missing folder", "$nmt states -m $sample -s $in/text -o $in/absent/x", 1,
        "cannot be written", 0},
       {"states, a full disk", "$nmt states -m $sample -s $in/text -o $in/full --overwrite", 1,
        "No space left", 0},
       {"states, twice standard input", "$nmt states -m $sample -s - -t - -o $out/x < $in/text", 2,
        "--target: standard input is already used for --source", 0},
       {"states, standard output", "$nmt states -m $sample -s $in/text -o -", 2,
        "--output -: only text is written to standard output", 0},
       {"vocab, standard output", "$nmt vocab -i $in/text -o -", 2, "--output -: only text", 0},
       {"export, standard output", "$nmt export -m $sample -o -", 2, "--output -: only text", 0},
       {"pack, standard output", "$nmt pack -m $sample -o -", 2, "--output -: only text", 0},
       {"shortlist, standard output", "$nmt shortlist -m $sample -t $in/text $in/text -o -", 2,
        "--output -: only text", 0},
       {"states, of nothing", "$nmt states -m $sample -s $in/empty -o $out/x", 1,
        "empty: nothing to read", 0},
       {"states, no model", "$nmt states -m $in/absent -s $in/text -o $out/x", 1,
        "absent: no such model directory", 0},
       {"vocab, missing", "$nmt vocab -i $in/absent -o $out/x", 1, "absent: cannot be read", 0},
       {"vocab, a folder", "$nmt vocab -i $in/folder -o $out/x", 1, "folder: is a folder", 0},
       {"vocab, a cut gz", "$nmt vocab -i $in/cut.gz -o $out/x", 1, "cut.gz: line", 0},
       {"vocab, no model", "$nmt vocab --inspect $in/absent", 1, "absent: cannot be read", 0},
       {"train, missing", kTrain + "$in/absent -m $out/m", 1, "absent: no such file", 0},
       {"train, unequal",
        kTrain + "$in/short -m $out --vocab.source-model $in/spm "
                 "--vocab.target-model $in/spm",
        1, "the two must pair line by line", 0},
       {"train, a folder", kTrain + "$in/folder -m $out", 1, "folder: is a folder", 0},
       {"train, a gz of garbage", kTrain + "$in/garbage.gz -m $out", 1, "garbage.gz: line", 0},
       {"train, no configuration", "$nmt train -c $in/absent -m $out/m", 1, "absent: cannot be", 0},
       {"train, a folder for it", "$nmt train -c $in/folder -m $out/m", 1, "is a folder", 0},
       {"bench, missing", "$nmt bench train --train-sets $in/text $in/absent", 1, "absent", 0},
       {"info, missing", "$nmt info $in/absent", 1, "absent: no such model directory", 0},
       {"info, an empty folder", "$nmt info $in/folder", 1, "not a model directory", 0},
       {"export, missing", "$nmt export -m $in/absent -o $out/x", 1, "no such model directory", 0},
       {"data, missing", kData + "$in/absent", 1, "absent: cannot be read", 0},
       {"data, a folder", kData + "$in/folder", 1, "folder: is a folder", 0},
       {"data, unequal", kData + "$in/short", 1, "the two must pair line by line", 0},
       {"data, a pipe", "$nmt data check -t $in/text -s - < $in/text", 1, "cannot be read twice",
        0},
       {"data, a cut gz", kData + "$in/cut.gz", 1, "cut.gz: line", 0},
       {"interactive, missing", "$nmt interactive -m $in/absent", 1, "no such model", 0}});
}

TEST_CASE("A corpus that can be read only once is refused where it is read again", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  const std::string again = "cannot be read twice; use a regular file";
  const std::string merge =
      "$nmt data merge --output-source $out/x --output-target $out/y -t $in/text -s ";
  check_cases(
      in.path(),
      {{"split", "cat $in/text | $nmt data split -s /dev/stdin -t $in/text -o $out/x", 1,
        "/dev/stdin: " + again, 0},
       {"train", "cat $in/text | " + kTrain + "/dev/stdin -m $out/m", 1, "/dev/stdin: " + again, 0},
       {"train, a test set",
        kTrain + "$in/copy --data.test-source $in/short --data.test-target - -m $out/m < $in/short",
        1, "standard input: " + again, 0},
       {"lm train", "$nmt lm train --text - -m $out/m < $in/text", 1, "standard input: " + again,
        0},
       {"shortlist", "$nmt shortlist -m $sample -t $in/text - -o $out/x < $in/text", 1,
        "standard input: " + again, 0},
       {"merge", merge + "- < $in/text; rm $out/x $out/y", 0, "3 pairs", -1},
       {"merge, too few lines", merge + "- < $in/short", 1, "one has more lines than the other", 0},
       {"merge, twice",
        "$nmt data merge --output-source $out/x --output-target $out/y -s - -t - < $in/text", 2,
        "--target: standard input is already used for --source", 0},
       {"convert, twice", "$nmt data convert -o $out/x -s - -t - < $in/text", 2,
        "--target: standard input is already used for --source", 0}});
}

TEST_CASE("A corpus that is no text is refused", "[hostile]") {
  using std::string_literals::operator""s;
  const TemporaryFolder in;
  make_paths(in);
  in.write("utf16", "\xFF\xFEo\0n\0e\0\n\0t\0w\0o\0\n\0"s);
  const std::string texts = " -s $in/utf16 -t $in/text ";
  const std::string outputs = "--output-source $out/x --output-target $out/y";
  std::vector<HostileCase> cases;
  for (const auto& command :
       {"data merge" + texts + outputs, "data convert" + texts + outputs,
        "data convert $in/utf16 " + outputs, "data split -o $out/x" + texts, "data check" + texts,
        "data clean" + texts + outputs,
        "data clean -s $in/copy -t $in/text --held-out $in/utf16 " + outputs,
        "vocab -i $in/utf16 -o $out/x"s, "train --train-sets $in/text $in/utf16 -m $out/m"s,
        "lm train --text $in/utf16 -m $out/m"s,
        "shortlist -m $sample -t $in/utf16 $in/text -o $out/x"s}) {
    cases.push_back({command, "$nmt " + command, 1, "utf16: UTF-16 or UTF-32, not UTF-8", 0});
  }
  check_cases(in.path(), cases);
}

TEST_CASE("Pairs on standard output come alone", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  const std::string texts = " -s $in/text -t $in/copy ";
  check_cases(
      in.path(),
      {{"convert", "$nmt data convert -o -" + texts, 0, "one\tone\n", 3},
       {"convert, by another name", "$nmt data convert -o /dev/stdout" + texts + "| cat", 0, "", 3},
       {"convert, into a file that others write",
        "(echo first; $nmt data convert -o /dev/stdout" + texts +
            ") > $out/x && cat $out/x && rm $out/x",
        0, "first\none\tone\n", 4},
       {"merge",
        "$nmt data merge --output-source - --output-target $out/x" + texts + "&& rm $out/x", 0,
        "one\n", 3},
       {"clean",
        "$nmt data clean --output-source $out/x --output-target -" + texts + "&& rm $out/x", 0,
        "one\n", 3},
       {"vocab, by another name",
        "$nmt vocab -i $in/text -o /dev/stdout --overwrite > $out/x; code=$?; rm $out/x; exit "
        "$code",
        2, "--output /dev/stdout: only text is written to standard output", 0}});
}

TEST_CASE("Output that cannot be written is named and leaves nothing", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  const std::string input = " -i $in/text";
  const std::string score = "$nmt score -m $sample --threads 1 -s $in/text -t $in/text -o ";
  const std::string export_to = "$nmt export -m $sample -o ";
  const std::string vocab_to = "$nmt vocab --size 60 --type bpe -i data/sample/test.en -o ";
  const std::string keep =
      "$nmt evaluate -m $sample --threads 1 -s $in/text -r $in/text "
      "--translations ";
  check_cases(
      in.path(),
      {{"a missing folder", kTranslate + input + " -o $in/absent/x", 1, "cannot be written", 0},
       {"a file for a folder", kTranslate + input + " -o $in/text/x", 1, "cannot be written", 0},
       {"a folder", kTranslate + input + " -o $in/folder", 1, "is a directory", 0},
       {"below a link to itself", kTranslate + input + " -o $in/loop/x", 1,
        "/x: cannot be written: Too many", 0},
       {"a full disk", kTranslate + input + " -o $in/full", 1, "No space left", 0},
       {"more than a file may have", "ulimit -f 1; " + kTranslate + " -i $in/long -o $in/cut", 1,
        "cut: writing failed: File too large", 0},
       {"another encoding", kTranslate + " -i $in/latin1 -o $in/cut", 1, "latin1: not UTF-8", 0},
       {"a full disk as output", kTranslate + input + " > /dev/full", 1, "No space left", 0},
       {"closed output", kTranslate + input + " >&-", 1, "standard output", 0},
       {"a device is kept", kTranslate + input + " -o /dev/null; test -c /dev/null", 0, "", 0},
       {"score, a file for a folder", score + "$in/text/x", 1, "cannot be written", 0},
       {"score, a full disk for alignments",
        "$nmt score -m $sample --threads 1 -s $in/text -t $in/text -o $out/x --alignments $in/full",
        1, "No space left", 0},
       {"score, a full disk", score + "$in/full", 1, "No space left", 0},
       {"score, alignments into the scores", score + "$out/x --alignments $out/../out/x", 2,
        "out/x: used for two outputs; use two files", 0},
       {"score, full output", score + "- > /dev/full", 1, "No space left", 0},
       {"export, a file for a folder", export_to + "$in/text/x", 1, "text/x: cannot be written", 0},
       {"export, a folder", export_to + "$in/folder --overwrite", 1, "folder: cannot be", 0},
       {"export, a full disk", export_to + "$in/full --overwrite", 1, "No space left", 0},
       {"export over a file", export_to + "$in/text", 1, "--overwrite", 0},
       {"export, another format", export_to + "$out/x --to pickle", 2, "unknown format", 0},
       {"vocab, a file for a folder", vocab_to + "$in/text/x", 1, "text/x: cannot be written", 0},
       {"vocab, a full disk", vocab_to + "$in/full --overwrite", 1, "No space left", 0},
       {"vocab over a file", vocab_to + "$in/text", 1, "--overwrite", 0},
       {"evaluate, a file for a folder", keep + "$in/text/x", 1, "cannot be written", 0},
       {"evaluate, translations into the report", keep + "-", 2,
        "-: used for two outputs; use two files", 0},
       {"evaluate, full output", kEvaluate + "$in/text > /dev/full", 1, "standard output", 0},
       {"train, a file for a folder", kTrain + "$in/copy -m $in/text/x", 1, "text/x", 0},
       {"train, a file for the model", kTrain + "$in/text -m $in/text", 1, "is a file", 0},
       {"info, full output", "$nmt info $sample > /dev/full", 1, "standard output", 0},
       {"help, full output", "$nmt --help > /dev/full", 1, "standard output", 0}});
}

TEST_CASE("An output that is an input is refused, and the input stays", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  std::filesystem::create_symlink("text", in / "link");
  const std::string texts = " -s $in/copy -t $in/text";
  const std::string two_outputs = " --output-source $out/x --output-target $in/text";
  const std::vector<std::string> commands = {
      kTranslate + " -i $in/text -o $in/text",
      kTranslate + " -i $in/text -o $in/link",
      kTranslate + " -i $in/text -o $out/x --alignments $in/text",
      kTranslate + " -i $in/copy --constraints $in/text -o $in/text",
      kTranslate + " -i $in/copy --terms $in/text -o $in/text",
      "$nmt align -m $sample -o $in/text" + texts,
      "$nmt score -m $sample -o $in/text" + texts,
      "$nmt score -m $sample -o $out/x --alignments $in/text" + texts,
      "$nmt score -m $sample -s $in/copy --n-best $in/text -o $in/text",
      "$nmt lm score -m $sample -i $in/text -o $in/text",
      "$nmt states -m $sample --overwrite -o $in/text" + texts,
      "$nmt shortlist -m $sample -t $in/copy $in/text --overwrite -o $in/text",
      "$nmt report $sample -s $in/copy -r $in/text -o $in/text",
      "$nmt compare $in/copy $in/copy -r $in/text --html $in/text",
      "$nmt evaluate -m $sample -s $in/copy -r $in/text --translations $in/text",
      "$nmt data clean" + texts + two_outputs,
      "$nmt data clean --output-source $out/x --output-target $out/y --dropped $in/text" + texts,
      "$nmt data convert" + texts + two_outputs,
      "$nmt data convert -o $in/text" + texts,
      "$nmt data convert $in/text -o $in/text",
      "$nmt data merge" + texts + two_outputs};
  std::vector<HostileCase> cases;
  for (const auto& command : commands) {
    cases.push_back({command, command + "; code=$?; cmp $in/text $in/copy && exit $code", 2,
                     ": used as input and output; use another file or directory", 0});
  }
  check_cases(in.path(), cases);
}

TEST_CASE("What is to be looked at is there, and where it is to go", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  for (const char* name : {"damaged", "bare", "odd"}) {
    std::filesystem::create_directory(in / name);
  }
  in.write("damaged/config.yaml", "");
  in.write("damaged/metrics.jsonl", "{}\n");
  in.write("bare/config.yaml", "");
  in.write("odd/config.yaml", "");
  in.write("odd/training.json", "[1]");
  std::string lines;
  for (int i = 0; i <= 1000; ++i) lines += "one\n";
  in.write("1001", lines);
  in.write("1002", lines + "one\n");
  const std::string input = kTranslate + " -i $in/text -o $out/x --attention ";
  const std::string compare = "$nmt compare -r $in/text $in/text ";
  const std::string report = "$nmt report -o $out/x.html ";
  check_cases(
      in.path(),
      {{"attention, another ending", input + "$out/x.png", 2, "use .html, .svg or .json", 0},
       {"attention, no ending", input + "true", 2, "use .html, .svg or .json", 0},
       {"attention, a missing folder", input + "$in/absent/x.svg", 1, "cannot be written", 0},
       {"attention, a file for a folder", input + "$in/text/x.html", 1, "cannot be written", 0},
       {"attention over the output",
        kTranslate + " -i $in/text -o $out/x.svg --attention $out/x.svg", 2, "use two files", 0},
       {"attention, missing input", kTranslate + " -i $in/absent --attention $out/x.json", 1,
        "absent: cannot be", 0},
       {"attention without a file", kTranslate + " -i $in/text --attention -o $out/x", 0, "", 0},
       {"compare, missing", compare + "$in/absent", 1, "absent: cannot be read", 0},
       {"compare, fewer lines", compare + "$in/short", 1, "short: 2 lines, but 3 in", 0},
       {"compare, an empty file", compare + "$in/empty", 1, "empty: 0 lines, but 3 in", 0},
       {"compare, a folder", compare + "$in/folder -s $in/text", 1, "not a model directory", 0},
       {"compare, a model without source", compare + "$sample", 2, "use --source to give it a text",
        0},
       {"compare, a shorter source", compare + "$sample --source $in/short", 1, "short: 2 lines",
        0},
       {"compare, standard input twice", compare + "- - < $in/text", 2,
        "MORE: standard input is already used for B", 0},
       {"compare, nothing", "$nmt compare $in/empty $in/empty -r $in/empty", 1, "", 0},
       {"compare, full output", compare + "$in/text > /dev/full", 1, "standard output", 0},
       {"compare, a missing folder for the page", compare + "$in/text --html $in/absent/x", 1,
        "cannot be written", 0},
       {"compare, a full disk for the page", compare + "$in/text --html $in/full", 1,
        "No space left", 0},
       {"compare, a page into the comparison", compare + "$in/text --html -", 2,
        "-: used for two outputs; use two files", 0},
       {"compare, missing, with a page", compare + "$in/absent --html $out/x", 1,
        "absent: cannot be read", 0},
       {"report, missing", report + "$in/absent", 1, "no such model directory", 0},
       {"report, a file", report + "$in/text", 1, "not a folder", 0},
       {"report, an empty folder", report + "$in/folder", 1, "not a model directory", 0},
       {"report, damaged metrics", report + "$in/damaged", 1, "metrics.jsonl: line 1", 0},
       {"report, odd training.json", report + "$in/odd", 1, "training.json: not a JSON object", 0},
       {"report, nothing but settings", report + "$in/bare; rm $out/x.html", 0, "", 0},
       {"report, one text alone", report + "$sample -s $in/text", 2,
        "--source requires --reference", 0},
       {"report, missing text", report + "$sample -s $in/absent -r $in/text", 1, "no such file", 0},
       {"report, texts that do not pair", report + "$sample -s $in/short -r $in/text", 1,
        "the two must pair line by line", 0},
       {"report, texts that do not pair after those it translates",
        report + "$sample -s $in/1001 -r $in/1002", 1, "the two must pair line by line", 0},
       {"report, a missing folder for it", "$nmt report $in/bare -o $in/absent/x", 1,
        "cannot be written", 0},
       {"report, a missing folder, before the run is read", "$nmt report $in/odd -o $in/absent/x",
        1, "cannot be written", 0},
       {"report, a full disk", "$nmt report $in/bare -o $in/full", 1, "No space left", 0}});
}

TEST_CASE("A reader that leaves ends the work without a word, as SIGPIPE would", "[hostile]") {
  const TemporaryFolder in;
  make_paths(in);
  // Whether the program, not the reader, ends with 128 + SIGPIPE.
  const auto piped = [](const std::string& command) {
    return "{ { " + command +
           " 2>$out/errors; echo $? >$out/status; } | true; }; code=$(cat $out/status); "
           "grep '^nmt:' $out/errors && code=1; rm $out/errors $out/status; test $code = 141";
  };
  const std::string slow = "{ sleep 0.5; cat data/sample/test.ko; } | ";
  check_cases(
      in.path(),
      {{"translate", piped(slow + kTranslate), 0, "", 0},
       {"translate, alignments in the making",
        piped(slow + kTranslate + " --alignments $out/pairs") + " && test ! -e $out/pairs", 0, "",
        0},
       {"translate, a document", piped(slow + kTranslate + " --format markdown"), 0, "", 0},
       {"interactive", piped(slow + "$nmt interactive -m $sample --threads 1 --max-length 3"), 0,
        "", 0},
       {"score", piped("sleep 0.5; $nmt score -m $sample -s $in/text -t $in/text"), 0, "", 0},
       {"evaluate", piped("sleep 0.5; " + kEvaluate + "$in/text"), 0, "", 0},
       {"vocab --inspect", piped("sleep 0.5; $nmt vocab --inspect $in/spm"), 0, "", 0},
       {"info", piped("sleep 0.5; $nmt info $sample"), 0, "", 0},
       {"training whose log nobody reads goes on",
        "{ $nmt train --train-sets data/sample/test.ko data/sample/test.en -m $out/m "
        "--train.max-updates 2 --train.log-every 1 --vocab.source-model $in/spm "
        "--vocab.target-model $in/spm --model.hidden-size 4 --model.embedding-size 4 2>&1; "
        "echo $? > $out/status; } | true; exit $(cat $out/status)",
        0, "", 0}});
}

}  // namespace nmt
