"""What one query gave."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gannet import _arrays, _gannet
from gannet._arguments import checking, whole
from gannet._arrays import Facets
from gannet._described import described
from gannet._packages import package
from gannet._types import Float32Array, Uint32Array

if TYPE_CHECKING:
    from gannet._gannet import PlanHandle
    from gannet._reading import Reading


class _Found:
    """Keeps the index of a hit, which is no field: copies, pickles and tables of a hit have what was
    found, and no index."""

    __slots__ = ("_index",)


@described(
    rank="int: from 1, over all pages",
    docid="int: the document's number in the index, from 0",
    id="str: the document's own name",
    score="float: larger is better; None if hits are in another order and have none",
    fields="dict: values of the fields that were asked for, by their names",
)
@dataclass(frozen=True, slots=True)
class Hit(_Found):
    """A document that was found. Equal if all but the index is."""

    rank: int
    docid: int
    id: str
    score: float | None
    fields: dict[str, Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[Hit], tuple[Any, ...]]:
        return Hit, (self.rank, self.docid, self.id, self.score, self.fields)

    @property
    def text(self) -> str | None:
        """str: the stored text; None if the index was built without `store`, and of a copy."""
        index = getattr(self, "_index", None)
        text: str | None = None if index is None else index.text(self.docid)
        return text


def _hit(index: Reading, *values: Any) -> Hit:
    hit = Hit(*values)
    object.__setattr__(hit, "_index", index)
    return hit


@described(
    value="str: the value that the group's documents have",
    count="int: documents that match and have the value",
    hits="Hits: the group's best",
)
@dataclass(frozen=True, slots=True)
class Group:
    """The best hits of one value of the field that hits are grouped by."""

    value: str
    count: int
    hits: Hits


@checking
class Hits(Sequence[Hit]):
    """The hits of a query, best first, with what was counted over all that match.

    A sequence of :class:`Hit`; `docids` and `scores` are the same as arrays. Immutable.
    """

    __slots__ = {
        "query": "str: the query as it was asked",
        "docids": "uint32 array: the documents' numbers, one a hit",
        "scores": "float32 array: larger is better; None if hits are in another order",
        "total": "int: how many documents match; None if they were not counted: that is done where "
        "facets, sort and the like are asked for, and costs nothing where there are fewer hits than "
        "`k`",
        "next": "str: the cursor of the next page, for `search(..., after=)`; None if no hits "
        "follow. Of a page that is full, the next one may be empty",
        "facets": 'Facets: {"tag": {"values": {"a": 3}, "others": 0, "missing": 1}}, in documents',
        "histograms": 'Facets: {"when": {"bins": {"2024-03": 7}, "missing": 0}}, in documents',
        "stats": 'dict: {"price": {"min": 1, "max": 9, "sum": 10, "mean": 5.0, ...}}',
        "groups": "list of Group: the groups, best first, if hits are grouped: then there are no "
        "others",
        "report": "dict: what the search did: back end, tiles decoded, seconds",
        **dict.fromkeys(("_index", "_before", "_shown", "_plan", "_made"), ""),
    }

    def __init__(
        self, index: Reading, query: str, made: dict[str, Any], fields: Sequence[str]
    ) -> None:
        self.query: str = query
        self.docids: Uint32Array = made["docids"]
        self.scores: Float32Array | None = made["scores"]
        self.total: int | None = made.get("total")
        self.next: str | None = made.get("next")
        self.facets: Facets = Facets(made.get("facets", {}))
        self.histograms: Facets = Facets(made.get("histograms", {}), "bins")
        self.stats: dict[str, Any] = made.get("stats", {})
        self.groups: list[Group] = []
        self.report: dict[str, Any] = made.get("report", {})
        self._index = index
        self._before: int = made.get("before", 0)
        self._shown = list(fields)
        self._plan: PlanHandle | None = made.get("plan")
        self._made: list[Hit] | None = None
        for group in made.get("groups") or ():
            part = {**group, "plan": self._plan}
            self.groups.append(
                Group(group["value"], group["count"], Hits(index, query, part, fields))
            )

    def _hits(self) -> list[Hit]:
        if self._made is None:
            ids = self._index.ids_of(self.docids)
            values = self._index.field_values(self._shown, self.docids) if self._shown else None
            scores = self.scores.tolist() if self.scores is not None else [None] * len(self.docids)
            first = self._before + 1
            self._made = [
                _hit(self._index, first + i, docid, ids[i], scores[i], values[i] if values else {})
                for i, docid in enumerate(self.docids.tolist())
            ]
        return self._made

    def __len__(self) -> int:
        return len(self.docids)

    @overload
    def __getitem__(self, i: int) -> Hit: ...
    @overload
    def __getitem__(self, i: slice) -> list[Hit]: ...
    def __getitem__(self, i: int | slice) -> Hit | list[Hit]:
        return self._hits()[i]

    @property
    def ids(self) -> list[str]:
        """list of str: the documents' own names, one a hit."""
        return [hit.id for hit in self._hits()]

    @property
    def plan(self) -> str:
        """str: what the query became: terms, weights, expression."""
        return str(self._plan)

    def snippets(
        self,
        fragments: int = 2,
        length: int = 160,
        highlight: str = "text",
        field: str | None = None,
    ) -> list[str | None]:
        """Pieces of the stored texts that show the query's words, one a hit.

        `fragments` (1 .. 100) pieces of about `length` (10 .. 100,000) characters; `highlight` is
        'text' (\\*so\\*), 'html' (<mark>, all else escaped) or 'none'. `field` is a field of the type
        'stored' (default: the text that `store` kept). None for a hit whose text is not stored.
        """
        fragments = whole("fragments", fragments, 0, 2**32 - 1)
        length = whole("length", length, 0, 2**32 - 1)
        if self._plan is None:
            return [None] * len(self)
        return self._plan.snippets(self.docids, fragments, length, highlight, field or "")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The hits for Arrow: ``pyarrow.table(hits)``, ``polars.DataFrame(hits)``. Columns: rank,
        docid, id, score (if hits have one) and the fields."""
        fields = _arrays.fields_of(self._index, self._shown, self.docids)
        return _gannet.arrow_stream(
            [
                _arrays.column("rank", "u32", np.arange(1, len(self) + 1)),
                *_arrays.hit_columns(self._index, self.docids, self.scores),
                *_arrays.field_columns(fields),
            ]
        )

    def to_pandas(self) -> Any:
        """A DataFrame with the columns rank, docid, id, score and the fields. Needs pandas."""
        pandas = package("pandas", "pandas", "a DataFrame")
        rows = [
            {"rank": h.rank, "docid": h.docid, "id": h.id, "score": h.score, **h.fields}
            for h in self
        ]
        return pandas.DataFrame(rows, columns=["rank", "docid", "id", "score", *self._shown])

    def __repr__(self) -> str:
        lines = [f"{len(self)} hits for {self.query!r}"]
        if self.total is not None:
            lines[0] += f" ({self.total} match)"
        width = max((len(hit.id) for hit in self[:20]), default=0)
        for hit, snippet in zip(self[:20], self.snippets(1, 80)):
            score = "        -" if hit.score is None else f"{hit.score:9.4f}"
            values = "  ".join(f"{name}: {value}" for name, value in hit.fields.items())
            parts = [f"{hit.rank:>3}", score, f"{hit.id:<{width}}", values, snippet or ""]
            lines.append("  ".join(part for part in parts if part).rstrip())
        if len(self) > 20:
            lines.append(f"... and {len(self) - 20} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th>{html.escape(name)}</th>" for name in ["rank", "score", "id", *self._shown, ""]
        )
        rows = []
        for hit, snippet in zip(self[:20], self.snippets(2, 160, "html")):
            score = "" if hit.score is None else f"{hit.score:.4f}"
            cells = [str(hit.rank), score, html.escape(hit.id)]
            cells += [html.escape(str(hit.fields[name])) for name in self._shown]
            row = "".join(f"<td>{cell}</td>" for cell in cells)
            rows.append(
                f'<tr>{row}<td style="text-align:left"><bdi>{snippet or ""}</bdi></td></tr>'
            )
        caption = html.escape(
            f"{len(self)} hits for {self.query!r}"
            + ("" if self.total is None else f" ({self.total:,} match)")
        )
        table = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
        counted = self.facets._repr_html_() + self.histograms._repr_html_()
        return f"<table><caption>{caption}</caption>{table}</table>{counted}"
