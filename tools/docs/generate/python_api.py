"""The Python reference: every public name of a module, with signature, docstring and members, read
from the sources."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from prose import escaped

_FOLDER = Path("tools") / "python"
_ERROR = re.compile(r'add_type\(module, k\w+, "(\w+)",\s*((?:"[^"]*"\s*)+),', re.DOTALL)
_SHOWN = ("__init__", "__len__", "__getitem__", "__iter__")

#: Made by the package, not by users.
_MADE = ("Batch", "BatchHits", "Column", "DeviceArray", "Facets", "FieldArray", "Hits", "Run")


class Package:
    """The sources of the package, by module: "gannet", "gannet._index", ..."""

    def __init__(self, root: Path) -> None:
        self._modules: dict[str, ast.Module] = {}
        for path in sorted((root / _FOLDER / "gannet").rglob("*.py")):
            parts = path.relative_to(root / _FOLDER).with_suffix("").parts
            name = ".".join(part for part in parts if part != "__init__")
            self._modules[name] = ast.parse(path.read_text(encoding="utf-8"))
        errors = (root / _FOLDER / "errors.cpp").read_text(encoding="utf-8")
        self._errors = {
            name: "".join(re.findall(r'"([^"]*)"', doc)) for name, doc in _ERROR.findall(errors)
        }

    def modules(self) -> list[str]:
        """The public modules: `gannet`, and those without an underscore."""
        return [name for name in self._modules if not name.rpartition(".")[2].startswith("_")]

    def names(self, module: str) -> list[str]:
        """What `__all__` has; without one, the functions and classes that the module defines."""
        tree = self._modules[module]
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return [str(name) for name in ast.literal_eval(node.value)]
        return [
            node.name
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
        ]

    def find(self, module: str, name: str) -> tuple[str, ast.AST] | None:
        """Where a name of a module is defined: the module, and the definition."""
        for node in self._modules[module].body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
                return module, node
            if isinstance(node, ast.ImportFrom) and node.module in self._modules:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self.find(node.module, alias.name)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
                return module, node
        return None

    def module_section(self, module: str) -> str:
        parts = [_doc(self._modules[module])]
        for name in self.names(module):
            if f"{module}.{name}" not in self._modules and name != "__version__":
                parts.append(self._symbol(module, name))
        return "\n\n".join(parts)

    def _symbol(self, module: str, name: str) -> str:
        heading = f"### `{module}.{name}` {{ #{module}.{name} }}"
        if name in self._errors:
            return f"{heading}\n\n{escaped(self._errors[name])}"
        found = self.find(module, name)
        if found is None:
            raise ValueError(f"{module}.{name} is public, and its definition was not found")
        where, node = found
        if isinstance(node, ast.ClassDef):
            return f"{heading}\n\n{self._class(where, node)}"
        if isinstance(node, ast.FunctionDef):
            return f"{heading}\n\n{_function(node)}"
        assert isinstance(node, ast.Assign)
        return f"{heading}\n\n`{ast.unparse(node)}`"

    def _class(self, module: str, node: ast.ClassDef) -> str:
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        parts = [
            _code(f"class {node.name}({bases})" if bases else f"class {node.name}"),
            _doc(node),
        ]
        whole = self._with_bases(module, node)
        rows = [row for where, one in whole for row in self._attributes(where, one)]
        if rows:
            table = "\n".join(
                f"| `{name}` | `{kind}` | {_cell(text)} |" for name, kind, text in rows
            )
            parts.append("| attribute | type | |\n|---|---|---|\n" + table)
        seen: set[str] = set()
        for _, one in whole:
            parts += _methods(one, node.name, seen)
        return "\n\n".join(part for part in parts if part)

    def _with_bases(self, module: str, node: ast.ClassDef) -> list[tuple[str, ast.ClassDef]]:
        found = [(module, node)]
        for base in node.bases:
            where = self.find(module, ast.unparse(base)) if isinstance(base, ast.Name) else None
            if where is not None and isinstance(where[1], ast.ClassDef):
                found += self._with_bases(where[0], where[1])
        return found

    def _attributes(self, module: str, node: ast.ClassDef) -> list[tuple[str, str, str]]:
        """Fields of tuples and data classes, what __init__ sets, and properties."""
        said = _described(node)
        found = []
        inits = [
            one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"
        ]
        for one in [*node.body, *(inner for init in inits for inner in init.body)]:
            if not isinstance(one, ast.AnnAssign):
                continue
            name = ast.unparse(one.target).removeprefix("self.")
            if not name.startswith("_") and "." not in name:
                found.append((name, ast.unparse(one.annotation), said.get(name, "")))
        for one in node.body:
            if (
                isinstance(one, ast.FunctionDef)
                and _is_property(one)
                and not one.name.startswith("_")
            ):
                found.append((one.name, ast.unparse(one.returns) if one.returns else "", _doc(one)))
        return found


def _methods(node: ast.ClassDef, owner: str, seen: set[str]) -> list[str]:
    """The methods that a class defines, as those of `owner`: it, or one that is derived from it."""
    parts = []
    for one in node.body:
        if not isinstance(one, ast.FunctionDef) or _is_property(one) or one.name in seen:
            continue
        if any(ast.unparse(decorator) == "overload" for decorator in one.decorator_list):
            continue
        seen.add(one.name)
        if one.name.startswith("_") and not (
            one.name in _SHOWN and (ast.get_docstring(one) or one.name == "__init__")
        ):
            continue
        if one.name == "__init__" and (owner != node.name or owner in _MADE):
            continue
        name = owner if one.name == "__init__" else f"{owner}.{one.name}"
        parts.append(f"#### `{name}()`\n\n{_function(one)}")
    return parts


def _described(node: ast.ClassDef) -> dict[str, str]:
    """What a class says of its attributes: in a dict `__slots__`, or to the decorator described()."""
    pairs: list[tuple[str, ast.expr]] = []
    for one in node.body:
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "__slots__":
            if isinstance(one.value, ast.Dict):
                pairs += [
                    (ast.literal_eval(key), text)
                    for key, text in zip(one.value.keys, one.value.values)
                    if key is not None
                ]
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "described":
            pairs += [(str(keyword.arg), keyword.value) for keyword in decorator.keywords]
    return {name: escaped(_without_roles(ast.literal_eval(text))) for name, text in pairs}


def _without_roles(text: str) -> str:
    """Sphinx's roles and doubled backticks as plain code."""
    return re.sub(r":\w+:`([^`]*)`", r"`\1`", text).replace("``", "`")


def _is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def _function(node: ast.FunctionDef) -> str:
    made = f"def {node.name}({_arguments(node)})"
    if node.returns is not None:
        made += f" -> {ast.unparse(node.returns)}"
    for decorator in node.decorator_list:
        if not ast.unparse(decorator).startswith(
            ("checked(", "coroutine_of(")
        ):  # changes nothing that users see
            made = f"@{ast.unparse(decorator)}\n{made}"
    return f"{_code(made)}\n\n{_doc(node)}".rstrip()


def _arguments(node: ast.FunctionDef) -> str:
    """In a line, or a line each if they are long."""
    text = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args))
    parts = [re.sub(r"^(\w+: [^=]+)=", r"\1 = ", part) for part in _split(text)]
    if sum(map(len, parts)) <= 80:
        return ", ".join(parts)
    return "\n    " + ",\n    ".join(parts) + ",\n"


def _split(text: str) -> list[str]:
    """At commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def _doc(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    """A docstring as Markdown: roles become code, examples become blocks of Python."""
    text = ast.get_docstring(node) or ""
    parts = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.lstrip().startswith(">>>"):
            parts.append(_code(paragraph))
            continue
        plain = _without_roles(paragraph)
        if plain.startswith(("* ", "- ")):
            lines = plain.splitlines()
            parts.append(
                "\n".join(
                    ("- " + escaped(x[2:])) if x[:2] in ("* ", "- ") else escaped(x) for x in lines
                )
            )
        else:
            parts.append(escaped(plain) if "\\" not in plain else plain)
    return "\n\n".join(parts)
