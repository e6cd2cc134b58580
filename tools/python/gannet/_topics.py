"""Topics: queries with an id, in the forms in which they come."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gannet import _gannet
from gannet._arguments import path_of
from gannet._gannet import UsageError

_QUERY_COLUMNS = ("query", "text", "title")
_TAKEN = "a file, a dict, a table with qid and query, or pairs (id, text)"


def topics_of(
    topics: Any, encoding: str = "", format: str = "auto", parts: Sequence[str] = ("title",)
) -> tuple[list[str], list[Any]]:
    """Ids and texts of a topics file, a mapping, pairs, a DataFrame, or queries of ir_datasets."""
    if isinstance(topics, (str, os.PathLike)):
        pairs: Iterable[tuple[Any, Any]] = _gannet.read_topics(
            path_of("topics", topics), encoding, format, list(parts)
        )
    elif encoding:
        raise UsageError("encoding is for topics files, and these are topics")
    elif isinstance(topics, Mapping):
        pairs = topics.items()
    elif hasattr(topics, "columns"):
        pairs = _rows(topics)
    elif hasattr(topics, "queries_iter"):
        pairs = (_pair(query) for query in topics.queries_iter())
    elif isinstance(topics, Iterable) and not isinstance(topics, (bytes, bytearray)):
        pairs = (_pair(topic) for topic in topics)
    else:
        raise TypeError(f"topics takes {_TAKEN}, not {type(topics).__name__}")
    ids: list[str] = []
    texts: list[Any] = []
    for topic, text in pairs:
        if not isinstance(text, (str, Mapping)):
            raise TypeError(
                f"topics: the query of '{topic}' is a str or a mapping of terms to weights, not "
                f"{type(text).__name__}"
            )
        ids.append(str(topic))
        texts.append(text if isinstance(text, str) else dict(text))
    if len(set(ids)) < len(ids):
        raise UsageError("topics: an id occurs twice")
    return ids, texts


def _rows(frame: Any) -> Iterable[tuple[Any, Any]]:
    names = list(frame.columns)
    text = next((name for name in _QUERY_COLUMNS if name in names), None)
    if "qid" not in names or text is None:
        raise UsageError(
            f"topics: a table has the columns qid and query, not {', '.join(map(str, names))}"
        )
    return zip(list(frame["qid"]), list(frame[text]))


def _pair(topic: Any) -> tuple[Any, Any]:
    if hasattr(topic, "query_id"):  # a query of ir_datasets
        return topic.query_id, topic.default_text() if hasattr(
            topic, "default_text"
        ) else topic.text
    try:
        identifier, text = topic
    except (TypeError, ValueError):
        raise UsageError(f"topics: give {_TAKEN}") from None
    return identifier, text
