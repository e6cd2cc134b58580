"""Corpora and queries of ir_datasets. Needs the extra `datasets`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gannet._arguments import checked
from gannet._gannet import UsageError
from gannet._index import Index
from gannet._packages import required
from gannet._types import PathLike

ir_datasets = required("ir_datasets", "datasets", __name__)

__all__ = ["build", "documents", "evaluate"]


def _data_set(source: Any) -> Any:
    return ir_datasets.load(source) if isinstance(source, str) else source


@checked()
def documents(source: Any) -> Iterator[dict[str, Any]]:
    """The documents of a data set, by name or as an object, as dicts: id, contents (all text that
    the data set searches), and the other members that it has."""
    data_set = _data_set(source)
    if not data_set.has_docs():
        raise UsageError(f"the data set {source} has no documents")
    for document in data_set.docs_iter():
        made = document._asdict()
        made["id"] = made.pop("doc_id")
        made["contents"] = (
            document.default_text() if hasattr(document, "default_text") else document.text
        )
        yield made


@checked()
def build(source: Any, path: PathLike, **options: Any) -> Index:
    """Builds an index of a data set; `options` are those of `Index.build`. `fields` may name
    members of its documents instead of all their text."""
    return Index.build(documents(source), path, **options)


@checked()
def evaluate(
    index: Index, source: Any, measures: Any = ("AP", "nDCG@10", "P@10"), **options: Any
) -> dict[str, float]:
    """Runs the queries of a data set and evaluates them by its judgements; `options` are those of
    `Index.run`."""
    data_set = _data_set(source)
    run = index.run(data_set, **options)
    return run.evaluate(list(data_set.qrels_iter()), measures)
