"""PyTerrier transformers: an index as a retriever, and an indexer. Needs the extra `pt`.

>>> import tempfile
>>> docs = [{"docno": "d1", "text": "solar power"}, {"docno": "d2", "text": "wind power"}]
>>> index = Indexer(tempfile.mkdtemp() + "/idx").index(docs)
>>> Retriever(index, k=5).search("wind")["docno"].tolist()
['d2']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gannet._arguments import checked
from gannet._gannet import UsageError
from gannet._index import Index
from gannet._searching import Searching
from gannet._packages import required
from gannet._types import PathLike

if TYPE_CHECKING:
    import pandas
    import pyterrier
else:
    pandas = required("pandas", "pt", __name__)
    pyterrier = required("pyterrier", "pt", __name__)

__all__ = ["Indexer", "Retriever"]


class Retriever(pyterrier.Transformer):
    """Takes queries (qid, query) and gives their hits: qid, query, docno, rank, score, docid.

    `options` are those of `Index.run`: k, filter, mode, scorer, scorer_params, expand, operators.
    """

    @checked()
    def __init__(self, index: Searching | PathLike, *, k: int = 1000, **options: Any) -> None:
        super().__init__()
        self.index = index if isinstance(index, Searching) else Index.open(index)
        self.k = k
        self.options = options

    def transform(self, inp: pandas.DataFrame) -> pandas.DataFrame:
        """The hits of each query, in the order of the queries; other columns of the input stay."""
        if "qid" not in inp.columns or "query" not in inp.columns:
            raise UsageError("Retriever takes the columns qid and query")
        kept = [name for name in inp.columns if name not in ("docno", "rank", "score", "docid")]
        queries: Any = inp[kept]
        queries = queries.drop_duplicates(subset=["qid"])
        hits = self.index.run(queries, self.k, **self.options).to_pandas()
        hits["rank"] -= 1  # PyTerrier counts from 0
        left = queries.assign(qid=queries["qid"].astype(str))
        made = left.merge(hits, on="qid", how="inner", sort=False)
        return made[[*kept, "docid", "docno", "rank", "score"]]

    def __repr__(self) -> str:
        return f"gannet.pt.Retriever({self.index.path!r}, k={self.k})"


class Indexer(pyterrier.Indexer):
    """Builds an index of dicts with `docno` and the texts of `text_attrs`; `options` are those of
    `Index.build`."""

    @checked()
    def __init__(
        self, path: PathLike, *, text_attrs: Iterable[str] = ("text",), **options: Any
    ) -> None:
        super().__init__()
        self.path = path
        self.text_attrs = list(text_attrs)
        self.options = options

    def index(self, iter: Iterable[dict[str, Any]], **options: Any) -> Index:
        """Builds it, and gives the index, which Retriever takes; `options` beside the indexer's."""

        def documents() -> Iterator[dict[str, Any]]:
            for document in iter:
                yield {**document, "id": document["docno"]}

        return Index.build(
            documents(), self.path, fields=self.text_attrs, **self.options, **options
        )
