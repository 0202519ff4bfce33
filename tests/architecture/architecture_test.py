#!/usr/bin/env python3
"""Checks src and benchmarks against src/rooms.txt, and that no name is declared in two headers.

architecture_test.py check ROOT   checks the tree at ROOT
architecture_test.py self-check   checks that each mistake in a made-up tree is rejected
"""
import collections
import pathlib
import re
import sys
import tempfile

# Overloads that convert what their argument's header declares: one name is their point.
CONVERSIONS = {'to_json', 'to_string', 'to_text'}


def read_rooms(path):
    """{room: (line number, rooms it may include)}, bottom to top, and what is wrong with the file."""
    rooms, problems = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith('#'):
            continue
        fields = [field.strip() for field in line.split('|')]
        if len(fields) != 3 or not fields[0] or not fields[1]:
            problems.append(f'rooms.txt:{number}: not of the form ROOM | PURPOSE | ROOMS')
            continue
        allowed = fields[2].split()
        if fields[0] in rooms:
            problems.append(f'rooms.txt:{number}: {fields[0]} is listed twice')
        for name in allowed:
            if name not in rooms:
                problems.append(f'rooms.txt:{number}: {fields[0]} may not include {name}, which is '
                                'not listed above it')
        rooms[fields[0]] = (number, allowed)
    return rooms, problems


def sources(root):
    """Each source file with its path as an #include names it."""
    for top in ('src', 'benchmarks'):
        for path in sorted((root / top).rglob('*')):
            if path.suffix in ('.h', '.cpp'):
                yield path, path.relative_to(root / 'src' if top == 'src' else root)


def room_of(path):
    return '/'.join(path.parent.parts) or 'main'


def check_includes(root, rooms):
    problems, used = [], collections.defaultdict(set)
    present = set()
    for path, name in sources(root):
        room = room_of(name)
        present.add(room)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not include:
                continue
            target = room_of(pathlib.PurePosixPath(include[1]))
            if target == room:
                continue
            used[room].add(target)
            where = f'{path.relative_to(root)}:{number}'
            if room in rooms and target not in rooms[room][1]:
                problems.append(f'{where}: {room} may not include {target}; move the file, or add the '
                                'direction to src/rooms.txt')
    for room in sorted(present - rooms.keys()):
        problems.append(f'{room}: not in src/rooms.txt; add it with its purpose')
    for room, (number, allowed) in rooms.items():
        if room not in present:
            problems.append(f'rooms.txt:{number}: {room} has no source file; remove it')
            continue
        for target in allowed:
            if target not in used[room]:
                problems.append(f'rooms.txt:{number}: {room} no longer includes {target}; remove it')
    return problems


def without_comments(text):
    """The code with comments, literals and preprocessor lines blanked."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                  ' ', text, flags=re.S)
    return re.sub(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', '', text, flags=re.M)


def statements(text):
    """(scope, head) of each declaration at namespace scope; head ends with ';' or '{'."""
    namespaces, head, depth, body = [], '', 0, 0
    for token in re.findall(r'\w+|::|->|[^\s\w]', without_comments(text)):
        if body:  # inside a class, function or initializer
            body += (token == '{') - (token == '}')
            continue
        if token == '(':
            depth += 1
        elif token == ')':
            depth -= 1
        if token == '{' and depth == 0:
            namespace = re.fullmatch(r' (?:inline )?namespace((?: \w+| ::)*)', head)
            if namespace:
                namespaces.append(namespace[1].replace(' ', ''))
                head = ''
                continue
            yield '::'.join(namespaces), head + ' {'
            # `struct A {...};` and `int a{1};` end with a semicolon, which starts nothing
            body, head = 1, ''
        elif token == '}' and depth == 0:
            namespaces = namespaces[:-1]
            head = ''
        elif token == ';' and depth == 0:
            if head:
                yield '::'.join(namespaces), head + ' ;'
            head = ''
        else:
            head += ' ' + token


def without_templates(head):
    """Drops `template <...>` and the arguments of templates."""
    while True:
        shorter = re.sub(r'<[^<>]*>', '', head)
        if shorter == head:
            return shorter
        head = shorter


def declared_name(head):
    """The type or function that a declaration introduces; None for all else."""
    if re.match(r'\s*template\s*<\s*>', head):
        return None  # a specialization
    head = without_templates(head)
    head = re.sub(r'\[ \[.*?\] \]|\balignas \([^()]*\)|\b(?:template|inline|constexpr|extern|static|'
                  r'friend|explicit|NMT_PUBLIC)\b', '', head)
    words = head.split()
    head = ' '.join(words)
    if words[0] in ('class', 'struct', 'union', 'enum'):
        if words[-1] == ';':
            return None  # a forward declaration
        return next(word for word in words[1:] if word not in ('class', 'struct'))
    if words[0] == 'using':
        return words[1] if '=' in words else None
    if words[0] in ('static_assert', 'namespace', 'typedef', 'TORCH_MODULE'):
        return None
    function = re.search(r'(\S+) (\w+) \(', head)
    if not function or '=' in head[:function.start(2)].replace('= =', ''):
        return None  # a variable
    if function[1] in ('::', 'operator') or function[2] in ('operator', 'decltype', 'sizeof'):
        return None  # a member defined outside its class, an operator
    return function[2]


def check_names(root):
    declared = collections.defaultdict(set)
    for path, name in sources(root):
        if path.suffix != '.h':
            continue
        for scope, head in statements(path.read_text()):
            entity = declared_name(head)
            if entity and entity not in CONVERSIONS and scope.split('::')[0] == 'nmt':
                declared[f'{scope}::{entity}'].add(str(name))
    return [f'{name}: declared in {" and ".join(sorted(headers))}; rename one'
            for name, headers in sorted(declared.items()) if len(headers) > 1]


def check(root):
    rooms, problems = read_rooms(root / 'src' / 'rooms.txt')
    return problems + check_includes(root, rooms) + check_names(root)


GOOD = {
    'src/rooms.txt': 'low | numbers |\nmid | words | low\nmid/part | letters | low mid\n'
                     'main | the program | mid\nbenchmarks | speed | low\n',
    'src/low/a.h': '#pragma once\nnamespace nmt {\nclass Later;\nstruct Number { int value() const; };\n'
                   'int twice(int);\nint twice(const Number& number = Number{}, bool b = (1 < 2));\n'
                   'constexpr int kMany{3};\n}\n',
    'src/mid/b.h': '// class Number {\n#include "low/a.h"\nnamespace nmt {\nclass Number;\n'
                   'template <typename T> T thrice(T t) { int twice = 0; return twice(t); }\n'
                   'enum class Color : char { kRed };\nbool operator==(Color a, Number b);\n}\n',
    'src/mid/part/c.cpp': '#include "mid/b.h"\n#include "low/a.h"\n#include <vector>\n',
    'src/main.cpp': '#include "mid/b.h"\n',
    'benchmarks/d.h': '#include "low/a.h"\nnamespace nmt { struct Clock { int twice(int); }; }\n'
                      'namespace nmt::clocks { int twice(int); }\n',
}
BAD = {  # a file that is changed, and the finding that is then expected
    'an include the wrong way': ('src/low/e.cpp', '#include "mid/b.h"\n', 'low may not include mid'),
    'a direction that is not allowed':
        ('benchmarks/e.cpp', '#include "mid/b.h"\n', 'benchmarks may not include mid'),
    'a part that includes the whole':
        ('src/mid/e.cpp', '#include "mid/part/c.h"\n', 'mid may not include mid/part'),
    'a room that is not listed': ('src/new/e.cpp', '', 'new: not in src/rooms.txt'),
    'a room that is gone': ('src/main.cpp', None, 'main has no source file'),
    'a direction that nothing uses': ('src/main.cpp', '', 'main no longer includes mid'),
    'a list that goes up': ('src/rooms.txt', 'a | x | b\nb | y |\n', 'a may not include b, which is'),
    'a line that cannot be read': ('src/rooms.txt', 'a\n', 'not of the form'),
    'a type of one name': ('src/mid/e.h', 'namespace nmt {\nclass Number final : public Later {};\n}\n',
                           'nmt::Number: declared in low/a.h and mid/e.h'),
    'an alias of one name': ('src/mid/e.h', 'namespace nmt { using Number = int; }',
                             'nmt::Number: declared in low/a.h and mid/e.h'),
    'an enumeration of one name': ('src/mid/e.h', 'namespace nmt { enum class Color { kBlue }; }',
                                   'nmt::Color: declared in mid/b.h and mid/e.h'),
    'a function of one name':
        ('src/mid/e.h', 'namespace nmt {\n[[nodiscard]] std::map<int, int> twice(\n    long x);\n}\n',
         'nmt::twice: declared in low/a.h and mid/e.h'),
    'a template of one name':
        ('benchmarks/e.h', 'namespace nmt { template <class A, class B> auto thrice(A, B) -> int { } }',
         'nmt::thrice: declared in benchmarks/e.h and mid/b.h'),
}


def problems_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, content in files.items():
            if content is not None:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
        return check(root)


def self_check():
    failures = [f'a good tree is rejected: {problem}' for problem in problems_of(GOOD)]
    for mistake, (name, content, expected) in BAD.items():
        problems = problems_of({**GOOD, name: content})
        if not any(expected in problem for problem in problems):
            failures.append(f'{mistake} is accepted; found: {problems}')
    return failures


def main():
    problems = self_check() if sys.argv[1] == 'self-check' else check(pathlib.Path(sys.argv[2]))
    print('\n'.join(problems))
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
