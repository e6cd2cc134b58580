#!/usr/bin/env python3
"""What makes the reference of the manual: nothing public is missing, nothing internal is there."""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs" / "generate"))

import hooks  # noqa: E402
from commands import values_table  # noqa: E402
from cpp_headers import component_of, public_headers, scan  # noqa: E402
from cpp_page import component_page  # noqa: E402
from cpp_scan import Scanner, first_comment  # noqa: E402
from include import relinked, section_of, shifted, with_images  # noqa: E402
from prose import comment_to_markdown  # noqa: E402
from python_api import Package  # noqa: E402

HEADER = """// What it is.
//
// More of it.
#pragma once

#include <vector>

namespace gannet::query {

struct Declared;
namespace detail {
int hidden();
}

/// How many.
inline constexpr int kMax = 4;  ///< at most

/// Two values.
enum class Two { kOne, kTwo };

/// A thing.
class Thing {
 public:
  /// Makes one; "}" is a string.
  explicit Thing(int a) : a_(a) { text_ = "}"; }
  int a() const { return a_; }
  bool operator==(const Thing&) const = default;
  int operator[](int i) const { return i; }
  std::vector<int> values = {1, 2};  ///< some

 private:
  int a_;
  const char* text_;
};

/// Does it.
template <class T>
  requires(sizeof(T) > 1)
T work(const std::function<void(int)>& f, T t = {}) {
  return t;
}
int work(int a,
         int b);

using Things = std::vector<Thing>;

}  // namespace gannet::query
"""


class Scan(unittest.TestCase):
    def setUp(self) -> None:
        self.found = Scanner(HEADER).declarations

    def test_names_and_kinds(self) -> None:
        self.assertEqual(
            [(one.kind, one.name) for one in self.found],
            [
                ("constant", "kMax"),
                ("enum", "Two"),
                ("class", "Thing"),
                ("function", "work"),
                ("function", "work"),
                ("alias", "Things"),
            ],
        )
        self.assertEqual({one.namespace for one in self.found}, {"gannet::query"})

    def test_a_class_shows_its_public_part_without_bodies(self) -> None:
        self.assertEqual(
            self.found[2].text,
            "class Thing {\n"
            '  /// Makes one; "}" is a string.\n'
            "  explicit Thing(int a);\n"
            "  int a() const;\n"
            "  bool operator==(const Thing&) const = default;\n"
            "  int operator[](int i) const;\n"
            "  std::vector<int> values = {1, 2};  ///< some\n"
            "};",
        )

    def test_comments_and_layout_stay(self) -> None:
        self.assertEqual(self.found[0].comment, "How many.\nat most")
        self.assertEqual(self.found[3].comment, "Does it.")
        self.assertIn("requires(sizeof(T) > 1)\nT work(", self.found[3].text)
        self.assertEqual(self.found[4].text, "int work(int a,\n         int b);")
        self.assertEqual(first_comment(HEADER), "What it is.\n\nMore of it.")


def crude_names(text: str) -> set[str]:
    """Names that stand at the beginning of lines of a header, found in another way: types with a
    body, and functions."""
    text = re.sub(
        r"namespace (?:\w+::)*detail \{.*?\n\}  // namespace (?:\w+::)*detail",
        "",
        text,
        flags=re.DOTALL,
    )
    text = re.sub(r"\nnamespace \{.*?\n\}  // namespace\n", "\n", text, flags=re.DOTALL)
    types = re.findall(
        r"^(?:class|struct|enum class) (?:alignas\(\d+\) )?(\w+)[^;\n]*\{", text, re.MULTILINE
    )
    functions = re.findall(
        r"^[A-Za-z_][\w:<>,&* ]*[ &*](\w+)\([^()]*\)[^;{=]*;", text, re.MULTILINE
    )
    return {*types, *functions}


class Reference(unittest.TestCase):
    def test_every_public_header_is_on_a_page(self) -> None:
        headers = public_headers(ROOT)
        self.assertGreater(len(headers), 100)
        pages = {
            component: component_page(ROOT, component) for component in map(component_of, headers)
        }
        self.assertEqual(set(pages), {"codecs", "device", "index", "corpora", "query"})
        for header in headers:
            self.assertIn(f"\n`#include <gannet/{header}>`", pages[component_of(header)])
        for component in pages:
            page = ROOT / "tools" / "docs" / "pages" / "reference" / f"cpp-{component}.md"
            self.assertIn(f"<!-- headers: {component} -->", page.read_text())

    def test_no_name_is_missing(self) -> None:
        checked = 0
        for header in public_headers(ROOT):
            names = {one.name for one in scan(ROOT, header)[1]}
            expected = crude_names((ROOT / header).read_text())
            self.assertLessEqual(expected, names, header)
            checked += len(expected)
        self.assertGreater(checked, 300)

    def test_every_header_says_what_it_is(self) -> None:
        for header in public_headers(ROOT):
            self.assertTrue(scan(ROOT, header)[0], header)

    def test_python_names(self) -> None:
        package = Package(ROOT)
        written = (ROOT / "tools" / "docs" / "pages" / "reference" / "python.md").read_text()
        for module in package.modules():
            self.assertIn(f"<!-- python: {module} -->", written)
            section = package.module_section(module)
            for name in package.names(module):
                if f"{module}.{name}" not in package.modules() and name != "__version__":
                    self.assertIn(f"### `{module}.{name}` ", section)
        section = package.module_section("gannet")
        for text in (
            "`Index.build()`",
            "`Index.search()`",
            "| `stats` |",
            "`Writer.commit()`",
            "The GPU has not",
        ):
            self.assertIn(text, section)
        self.assertNotIn("_handle", section)


class Pages(unittest.TestCase):
    def test_what_options_take(self) -> None:
        rows = [
            {"name": "k", "range": "0 to 9", "default": "3"},
            {"name": "mode", "choices": ["or", "and"], "default": ""},
            {"name": "quiet", "range": "", "default": ""},
        ]
        table = values_table(rows).splitlines()
        self.assertEqual(table[2:], ["| `--k` | 0 to 9 | `3` |", "| `--mode` | or, and |  |"])
        self.assertEqual(values_table(rows[2:]), "")

    def test_sections(self) -> None:
        text = "# T\na\n## B\nb\n```\n# no heading\n```\n### C\nc\n## D\nd\n"
        self.assertEqual(section_of(text, "B"), "b\n```\n# no heading\n```\n### C\nc")
        self.assertEqual(section_of(text, None), text[4:].rstrip())
        self.assertEqual(shifted("## B\nb\n### C\n", 3), "### B\nb\n#### C")
        self.assertEqual(section_of(text, "(beginning)"), "a")
        with self.assertRaises(KeyError):
            section_of(text, "E")

    def test_links(self) -> None:
        pages = {"bench/RESULTS.md": "reference/results.md"}
        self.assertEqual(
            relinked(
                "[R](RESULTS.md#a) [J](results/a.json) [W](https://w.org) [S](#s)",
                "bench/README.md",
                pages,
            ),
            "[R](reference/results.md#a) J (`bench/results/a.json`) [W](https://w.org) [S](#s)",
        )

    def test_images_are_part_of_the_page(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "bench").mkdir()
            (root / "bench" / "a.svg").write_text("<svg/>")
            made = with_images("![A *plot*](a.svg) and [a link](a.svg)", root, "bench/P.md")
        self.assertEqual(
            made,
            '<img alt="A *plot*" src="data:image/svg+xml;base64,PHN2Zy8+"> and [a link](a.svg)',
        )

    def test_comments_as_markdown(self) -> None:
        self.assertEqual(
            comment_to_markdown("A <b> and f().\n\n    code\n"),
            "A &lt;b> and `f()`.\n\n```text\ncode\n```",
        )

    def test_every_directive_can_be_carried_out(self) -> None:
        pages = sorted((ROOT / "tools" / "docs" / "pages").rglob("*.md"))
        self.assertGreater(len(pages), 30)
        for path in pages:
            text = path.read_text()
            if "<!-- commands -->" in text:
                continue
            made = hooks.expanded(text, str(path.relative_to(ROOT / "tools" / "docs" / "pages")))
            self.assertNotRegex(made, r"(?m)^<!-- (include|code|python|headers|test)\b", path)

    def test_pages_are_in_the_order(self) -> None:
        listed = (ROOT / "tools" / "docs" / "mkdocs.yml").read_text()
        for path in (ROOT / "tools" / "docs" / "pages").rglob("*.md"):
            self.assertIn(str(path.relative_to(ROOT / "tools" / "docs" / "pages")), listed)


if __name__ == "__main__":
    unittest.main()
