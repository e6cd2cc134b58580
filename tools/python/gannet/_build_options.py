"""The arguments of a build, for those who hand them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from gannet._progress import Told
from gannet._types import Memory, SchemaLike, Texts


class BuildOptions(TypedDict, total=False):
    """Of :meth:`Index.build`, whose names, types and defaults these are; a test compares them."""

    fields: Texts
    schema: SchemaLike | None
    store: bool
    codec: str
    freq_codec: str | None
    memory: Memory
    threads: int
    tokenizer: str
    stemmer: str | None
    stopwords: str
    keep_case: bool
    fold_accents: bool
    header: bool
    columns: Texts
    id_field: str
    encoding: str
    page_ids: str
    namespaces: Sequence[int]
    impact_bits: int
    on_error: str
    k1: float
    b: float
    progress: bool | Told
