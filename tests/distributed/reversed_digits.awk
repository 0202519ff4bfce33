# Writes 600 lines of two to five digits to FOLDER/text.src, and the same from back to front to
# FOLDER/text.tgt: awk -v folder=FOLDER -f reversed_digits.awk
BEGIN {
  srand(7)
  for (line = 0; line < 600; ++line) {
    text = back = ""
    for (count = 2 + int(4 * rand()); count > 0; --count) {
      digit = 1 + int(6 * rand())
      text = text (text ? " " : "") digit
      back = digit (back ? " " : "") back
    }
    print text > folder "/text.src"
    print back > folder "/text.tgt"
  }
}
