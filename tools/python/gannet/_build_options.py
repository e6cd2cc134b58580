"""The arguments of a build, for those who hand them on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from gannet._progress import Told
from gannet._types import Memory, PathLike, SchemaLike, Texts


class BuildOptions(TypedDict, total=False):
    """Of :meth:`Index.build`, whose names, types and defaults these are; a test compares them."""

    fields: Texts
    schema: SchemaLike | None
    store: bool
    positions: bool
    codec: str
    freq_codec: str | None
    memory: Memory
    threads: int
    tokenizer: str
    stemmer: str | None
    stop_words: PathLike | Iterable[str]
    keep_case: bool
    fold_accents: bool
    header: bool
    columns: Texts
    id_field: str
    encoding: str
    page_ids: str
    namespaces: Sequence[int]
    rows: PathLike | Sequence[PathLike] | None
    impact_bits: int
    on_error: str
    k1: float
    b: float
    progress: bool | Told


class MakingOptions(BuildOptions, total=False):
    """Of what builds an index and opens it: those of :meth:`Index.open`, too."""

    device: int
    devices: Sequence[int] | None
    spread: str
    device_budget: Memory | None
    device_memory: Memory | None
    bounds_bits: float
    candidate_filters: float
    synonyms: PathLike | None


OPENING = frozenset(MakingOptions.__annotations__) - frozenset(BuildOptions.__annotations__)
