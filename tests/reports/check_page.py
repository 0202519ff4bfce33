"""Checks that a page is well-formed and needs no other file: prints what is wrong, or nothing."""
import sys
import xml.parsers.expat
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "path", "circle", "polyline", "hr", "img"}


class Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.wrong = [], set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href") and not (value or "").startswith("data:"):
                self.wrong.append(f"{tag} {name}={value}")
            if name == "id":
                if value in self.ids:
                    self.wrong.append(f"id {value} twice")
                self.ids.add(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes what is not open, at {self.getpos()}")


text = open(sys.argv[1], encoding="utf-8").read()
if sys.argv[1].endswith(".svg"):
    xml.parsers.expat.ParserCreate().Parse(text, True)
    text = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
else:
    checker = Checker()
    checker.feed(text)
    checker.close()
    for problem in checker.wrong:
        print(problem)
    if checker.open:
        print("never closed:", checker.open)
for outside in ("http:", "https:", "@import", "url("):
    if outside in text:
        print("something from outside:", outside)
