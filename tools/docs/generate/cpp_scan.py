"""Declarations of a C++ header of this tree, with their comments: enough of C++ for headers that
clang-format has formatted, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: Namespaces whose names are nobody's but the library's.
_HIDDEN = ("detail", "")
_TYPE = re.compile(r"^(?:template <.*?> )?(class|struct|union|enum class|enum)\b", re.DOTALL)
_ACCESS = re.compile(r"(public|protected|private):")


@dataclass
class Declaration:
    """What a header declares. `text` is what a user needs to see of it: of a class its public
    members with their comments, of a function no body."""

    name: str
    kind: str  #: class, struct, enum, function, constant, alias, concept or macro
    namespace: str
    text: str
    comment: str = ""


@dataclass
class _Reader:
    text: str
    at: int = 0
    comment: list[str] = field(default_factory=list)

    def rest(self) -> str:
        return self.text[self.at :]

    def line(self) -> str:
        """The rest of the line, which is passed over."""
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        found = self.text[self.at : end]
        self.at = end
        return found

    def skip(self, one: str, other: str) -> str:
        """From an opening bracket to the one that closes it, strings and comments aside."""
        begin, depth = self.at, 0
        while self.at < len(self.text):
            self._skip_literal()
            c = self.text[self.at]
            depth += (c == one) - (c == other)
            self.at += 1
            if depth == 0:
                return self.text[begin : self.at]
        raise ValueError(f"no {other} for the {one} in {self.text[begin : begin + 60]!r}")

    def _skip_literal(self) -> None:
        while True:
            if self.text.startswith("//", self.at):
                self.line()
            elif found := re.compile(r'"(?:[^"\\\n]|\\.)*"').match(self.text, self.at):
                self.at = found.end()
            elif found := re.compile(r"(?<![0-9a-fA-F])'(?:[^'\\]|\\.)+'").match(
                self.text, self.at
            ):
                self.at = found.end()
            else:
                return


def first_comment(text: str) -> str:
    """What a header says of itself: the comment that it begins with."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").removeprefix(" "))
    return "\n".join(lines)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _name_of(text: str, kind: str) -> str:
    plain = _squeezed(text)
    if kind in ("class", "struct", "union", "enum"):
        head = re.sub(r"^template <.*?> ?(?=class|struct)|\balignas\([^)]*\) ", "", plain)
        found = re.search(r"(?:enum class|class|struct|union|enum) ([\w:]+)", head)
    elif kind == "alias":
        found = re.search(r"using ([\w:]+)", plain)
    elif kind == "concept":
        found = re.search(r"concept (\w+)", plain)
    elif kind == "function":
        found = re.search(
            r"(operator\s*(?:\(\)|[^\s(]+|\w+)|~?\w+)\s*\(", _without_templates(plain)
        )
    else:
        found = re.search(r"(\w+)\s*(?:\[[^\]]*\])*\s*(?:=|\{|;|$)", _without_templates(plain))
    return found[1] if found else plain[:40]


def _without_templates(text: str) -> str:
    """Without what stands between angle brackets, in which types with parentheses may stand."""
    text = re.sub(r"^(template <.*?> (?:requires .*? )?)(?=[a-z\[])", "", text)
    previous = None
    while previous != text:
        previous = text
        text = re.sub(r"(\w)<[^<>]*>", r"\1", text)
    return re.sub(r"\b(?:alignas|decltype|requires|explicit)\((?:[^()]|\([^()]*\))*\) ?", "", text)


def _kind_of(text: str) -> str:
    plain = _squeezed(text)
    if found := _TYPE.match(plain):
        if "(" not in _without_templates(plain).partition("{")[0]:
            return found[1].split()[0]
    if re.match(r"(?:template <.*?> )?using\b", plain):
        return "alias"
    if re.search(r"\bconcept \w+ =", plain):
        return "concept"
    bare = re.sub(
        r"operator\s*(?:\(\)|\[\]|[=!<>+\-*/%&|^]+)", "operator", _without_templates(plain)
    )
    before = re.split(r"[={;]", bare, maxsplit=1)[0]
    return "function" if "(" in before else "constant"


def _signature(text: str) -> str:
    """A function's head without the initialisers of a constructor."""
    cut = re.search(r"\)\s*(?:noexcept\s*)?:(?!:)", text)
    return text[: cut.start() + 1].rstrip() if cut else text.rstrip()


def _dedent(text: str) -> str:
    """With all lines moved to the left by the indent of the first."""
    indent = len(text) - len(text.lstrip(" "))
    rows = [row[indent:] if row[:indent].isspace() else row for row in text.split("\n")]
    return "\n".join(rows).strip()


class Scanner:
    """Reads one header; `declarations` has what it gives to users, in its order."""

    def __init__(self, text: str) -> None:
        self.declarations: list[Declaration] = []
        self._reader = _Reader(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
        self._scope("", hidden=False)

    def _scope(self, namespace: str, hidden: bool) -> None:
        """What stands in a namespace, to its closing bracket."""
        reader = self._reader
        while reader.at < len(reader.text):
            c = reader.text[reader.at]
            if c.isspace() or c == ";":
                if reader.text.startswith("\n\n", reader.at):
                    reader.comment = []
                reader.at += 1
            elif c == "}":
                reader.at += 1
                return
            elif c == "#":
                self._directive(namespace, hidden)
            elif reader.text.startswith("//", reader.at):
                self._take_comment()
            elif found := re.compile(r'(?:inline )?namespace ?([\w:]*) *\{|extern "C" *\{').match(
                reader.text, reader.at
            ):
                reader.at, reader.comment = found.end(), []
                name = found[1]
                inner = (
                    namespace
                    if name is None
                    else "::".join(part for part in (namespace, name) if part)
                )
                self._scope(inner, hidden or (name is not None and name.split("::")[-1] in _HIDDEN))
            else:
                self._declaration(namespace, hidden)

    def _take_comment(self) -> None:
        line = self._reader.line()
        if line.startswith("///"):
            self._reader.comment.append(
                line.removeprefix("///").removeprefix("<").removeprefix(" ")
            )
        else:
            self._reader.comment = []

    def _directive(self, namespace: str, hidden: bool) -> None:
        reader = self._reader
        line = reader.line()
        text = line
        while line.endswith("\\"):
            reader.at += 1
            line = reader.line()
            text += "\n" + line
        comment, reader.comment = "\n".join(reader.comment), []
        found = re.match(r"#define (GANNET_\w+)", text)
        if found and not hidden:
            self.declarations.append(
                Declaration(found[1], "macro", "", text.split("\n")[0].rstrip(" \\"), comment)
            )

    def _declaration(self, namespace: str, hidden: bool) -> None:
        comment, self._reader.comment = "\n".join(self._reader.comment), []
        text = read_declaration(self._reader)
        kind = _kind_of(text)
        trailing = re.compile(r"[ \t]*///< ?(.*)").match(self._reader.text, self._reader.at)
        if trailing:
            comment = "\n".join(part for part in (comment, trailing[1]) if part)
            self._reader.line()
        plain = _squeezed(text)
        if hidden or re.match(r"(static_assert|extern template|template (class|struct) )", plain):
            return
        if kind in ("class", "struct") and "{" not in text:
            return  # declared here, defined elsewhere
        if re.match(r"template <> ", plain) or re.match(
            r"(?:template <.*?> )?struct [\w:]+<", plain
        ):
            return  # specialisations say nothing new
        self.declarations.append(Declaration(_name_of(text, kind), kind, namespace, text, comment))


def read_declaration(reader: _Reader) -> str:
    """The declaration that begins here, as users are to see it."""
    begin = reader.at
    while reader.at < len(reader.text):
        reader._skip_literal()
        c = reader.text[reader.at]
        if c == ";":
            reader.at += 1
            return _dedent(_lines_from(reader, begin, reader.at))
        if c == "(":
            reader.skip("(", ")")
        elif c == "{":
            head = _lines_from(reader, begin, reader.at)
            kind = _kind_of(head + "{")
            if kind in ("class", "struct", "union"):
                return _class(reader, head)
            body = reader.skip("{", "}")
            if kind == "function":
                return _dedent(_signature(head)) + ";"
            if kind == "enum":
                continue
            if body.count("\n") > 12:
                reader.text = (
                    reader.text[: reader.at - len(body)] + "{...}" + reader.text[reader.at :]
                )
                reader.at += 5 - len(body)
        else:
            reader.at += 1
    return _dedent(reader.text[begin:])


def _lines_from(reader: _Reader, begin: int, end: int) -> str:
    """With the white space before, so that the lines can be moved to the left together."""
    start = reader.text.rfind("\n", 0, begin) + 1
    indent = reader.text[start:begin]
    return (indent if indent.isspace() else "") + reader.text[begin:end]


def _class(reader: _Reader, head: str) -> str:
    """A class from its `{` on: its public members."""
    plain = _squeezed(head)
    public = "class " not in plain.partition("<" if plain.startswith("template") else "\0")[
        0
    ] and not re.search(r"\bclass \w+[^<>,]*$", plain)
    reader.at += 1
    members: list[str] = []
    while True:
        found = re.compile(r"\s*").match(reader.text, reader.at)
        blank = found is not None and found[0].count("\n") > 1
        reader.at = found.end() if found else reader.at
        if reader.text.startswith("}", reader.at):
            reader.at += 1
            break
        if access := _ACCESS.match(reader.text, reader.at):
            public = access[1] == "public"
            reader.at = access.end()
            continue
        member = _member(reader)
        if public and member:
            if blank and members and members[-1]:
                members.append("")
            members += [f"  {row}" if row else "" for row in member.split("\n")]
    if not (end := re.compile(r"\s*;").match(reader.text, reader.at)):
        raise ValueError(f"no ; behind {_squeezed(head)}")
    reader.at = end.end()
    inside = "\n".join(members).strip("\n")
    return (
        f"{_dedent(head.rstrip())} {{\n{inside}\n}};"
        if inside
        else f"{_dedent(head.rstrip())} {{}};"
    )


def _member(reader: _Reader) -> str:
    """A member with what its comment says, or a comment alone."""
    if reader.text.startswith("//", reader.at):
        return reader.line().rstrip()
    if reader.text.startswith("#", reader.at):
        reader.line()
        return ""
    text = read_declaration(reader)
    trailing = re.compile(r"[ \t]*///<.*(?:\n[ \t]*///<.*)*").match(reader.text, reader.at)
    if trailing:
        reader.at = trailing.end()
        text += "  " + re.sub(r"\n\s*", "\n    ", trailing[0].strip())
    if re.match(r"(friend|static_assert)\b", text):
        return ""
    return text
