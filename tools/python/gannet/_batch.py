"""What a batch of queries gave: arrays, without a Python object for a hit."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from gannet import _arrays, _gannet, _html
from gannet._arguments import checked, checking
from gannet._arrays import BatchGroups, Counts, FieldArray
from gannet._packages import package
from gannet._types import Float32Array, PathLike, Uint32Array, Uint64Array

if TYPE_CHECKING:
    from gannet._reading import Reading

#: Judgements: a file's path, or grades by topics and documents.
Qrels = Union[PathLike, Mapping[Any, Mapping[str, int]]]


@checking
class BatchHits:
    """The hits of a batch in flat arrays: query i has those from offsets[i] to offsets[i + 1].

    Iterating gives (docids, scores) of each query. The arrays are the library's memory, not copied,
    and read-only. ``pyarrow.table(batch)`` and ``polars.DataFrame(batch)`` have a row a hit.
    """

    __slots__ = {
        "docids": "uint32 array: the documents' numbers, one a hit",
        "scores": "float32 array: one a hit; NaN if hits are in the order of `sort`",
        "offsets": "uint64 array: where the hits of each query begin, and the end",
        "totals": "uint64 array: how many documents match each query; None if they were not "
        "counted, as `total`, facets, sort and the like ask for",
        "facets": "dict of Counts: what facets counted, by the names of fields",
        "histograms": "dict of Counts: what histograms counted, by the names of fields",
        "stats": "dict of lists: by the names of fields a dict a query, as Hits.stats has it",
        "groups": "BatchGroups: the groups, if hits are grouped: then there are no others; else None",
        "report": "dict: what the search did: back end, tiles decoded, seconds",
        **dict.fromkeys(("_index", "_names", "_scored", "_arrays_of_fields", "_ids"), ""),
    }

    def __init__(self, index: Reading, made: dict[str, Any], fields: Sequence[str] = ()) -> None:
        self.docids: Uint32Array = made["docids"]
        self.scores: Float32Array = _arrays.scores_of(made)
        self.offsets: Uint64Array = made["offsets"]
        self.totals: Uint64Array | None = made.get("totals")
        counts, bins = made.get("facets", {}), made.get("histograms", {})
        self.facets: dict[str, Counts] = {n: _arrays.counts_of(c) for n, c in counts.items()}
        self.histograms: dict[str, Counts] = {n: _arrays.counts_of(c) for n, c in bins.items()}
        self.stats: dict[str, list[dict[str, Any]]] = made.get("stats", {})
        self.groups: BatchGroups | None = _arrays.groups_of(made.get("groups"))
        self.report: dict[str, Any] = made["report"]
        self._index = index
        self._names = list(fields)
        self._scored = made["scores"] is not None
        self._arrays_of_fields: dict[str, FieldArray] | None = None
        self._ids: npt.NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> tuple[Uint32Array, Float32Array]:
        i = operator.index(i)
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} queries")
        i %= len(self)
        part = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
        return self.docids[part], self.scores[part]

    def __iter__(self) -> Iterator[tuple[Uint32Array, Float32Array]]:
        return (self[i] for i in range(len(self)))

    @property
    def ids(self) -> npt.NDArray[np.object_]:
        """array of str: the documents' own names, beside `docids`; made when first asked for.

        A document that several queries found is one str.
        """
        if self._ids is None:
            distinct, places = np.unique(self.docids, return_inverse=True)
            names = np.empty(len(distinct), dtype=object)
            names[:] = self._index.ids_of(distinct)
            self._ids = names[places.reshape(-1)]
        return self._ids

    @property
    def fields(self) -> dict[str, FieldArray]:
        """dict of FieldArray: the fields that were asked for, beside `docids`; read when first
        asked for."""
        if self._arrays_of_fields is None:
            self._arrays_of_fields = _arrays.fields_of(self._index, self._names, self.docids)
        return self._arrays_of_fields

    def _queries(self) -> list[dict[str, Any]]:
        """The columns that say which query a hit is of, and where it stands."""
        counts = np.diff(self.offsets).astype(np.int64)
        first = np.repeat(self.offsets[:-1].astype(np.int64), counts)
        return [
            _arrays.column("query", "u32", np.repeat(np.arange(len(self)), counts)),
            _arrays.column("rank", "u32", np.arange(1, len(self.docids) + 1) - first),
        ]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The hits for Arrow. Columns: query (from 0; of a :class:`Run` also its id, qid), rank,
        docid, id, score (if hits have one) and the fields."""
        scores = self.scores if self._scored else None
        return _gannet.arrow_stream(
            [
                *self._queries(),
                *_arrays.hit_columns(self._index, self.docids, scores),
                *_arrays.field_columns(self.fields),
            ]
        )

    def padded(self, k: int | None = None) -> tuple[npt.NDArray[np.int64], Float32Array]:
        """Docids and scores as arrays of a row a query and k columns, by default as many as the
        longest row has. Where there is no hit, the docid is -1 and the score 0."""
        counts = np.diff(self.offsets).astype(np.int64)
        width = int(np.max(counts, initial=0)) if k is None else k
        docids = np.full((len(self), width), -1, dtype=np.int64)
        scores = np.zeros((len(self), width), dtype=np.float32)
        rows = np.repeat(np.arange(len(self)), counts)
        columns = np.arange(len(self.docids)) - np.repeat(
            self.offsets[:-1].astype(np.int64), counts
        )
        kept = columns < width
        docids[rows[kept], columns[kept]] = self.docids[kept]
        scores[rows[kept], columns[kept]] = self.scores[kept]
        return docids, scores

    def _names_of_queries(self) -> list[str]:
        return [str(i) for i in range(len(self))]

    def _repr_html_(self) -> str:
        rows = []
        for name, (docids, scores) in zip(self._names_of_queries()[:20], self):
            best = self._index.ids_of(docids[:3])
            score = f"{scores[0]:.4f}" if len(scores) and self._scored else ""
            rows.append((name, len(docids), score, ", ".join(best)))
        caption = f"{type(self).__name__}: {len(self)} queries, {len(self.docids)} hits"
        return _html.table(caption, ["query", "hits", "best score", "first ids"], rows)

    def __repr__(self) -> str:
        return f"<gannet.{type(self).__name__}: {len(self)} queries, {len(self.docids)} hits>"


@checked()
def evaluate(
    qrels: Qrels,
    run: PathLike | Run | Mapping[Any, Mapping[str, float]],
    *,
    complete: bool = False,
    ties: str = "trec_eval",
) -> dict[str, Any]:
    """Scores a run against judgements with trec_eval's numbers, as `gannet eval` does; without
    another package.

    `qrels`: the path of a file, or {qid: {document: grade}}; `run`: the path of a run file, a
    :class:`Run`, or {qid: {document: score}}. "mean" has map, reciprocal_rank, bpref, and ndcg, p
    and recall @5, @10, @20, @100 and @1000, over the topics that both have, or with `complete` over
    all judged ones; "per_query" the same of each. `ties` of scores: "trec_eval" (by ids), or "rank".
    InputError if they have no topic in common.
    """
    ranked: Any
    if isinstance(run, Run):
        ranked = run._ranked()
    elif isinstance(run, Mapping):
        ranked = [
            (str(topic), sorted(scores.items(), key=lambda one: -one[1]))
            for topic, scores in run.items()
        ]
    else:
        ranked = os.fspath(run)
    judged: Any
    if isinstance(qrels, Mapping):
        judged = [(str(topic), list(grades.items())) for topic, grades in qrels.items()]
    else:
        judged = os.fspath(qrels)
    return _gannet.evaluate(judged, ranked, complete, ties)


@checking
class Run(BatchHits):
    """A run: the hits of topics, each with its id.

    ``run["q1"]`` gives (docids, scores) of a topic, ``"q1" in run`` says whether there is one.
    Iterating gives (docids, scores), in the order of :attr:`topics`; their number is ``len(run)``.
    """

    __slots__ = {
        "topics": "list of str: the ids of the topics, in their order",
        "skipped": "dict: topics that are no queries, with what is wrong with them, if they were to "
        "be skipped",
        "_places": "",
    }

    def __init__(
        self,
        index: Reading,
        made: dict[str, Any],
        topics: Sequence[str],
        fields: Sequence[str] = (),
        skipped: Mapping[str, str] = {},  # noqa: B006 - nobody changes it
    ) -> None:
        super().__init__(index, made, fields)
        self.topics: list[str] = list(topics)
        self._places = {topic: i for i, topic in enumerate(topics)}
        self.skipped: dict[str, str] = dict(skipped)

    def __getitem__(self, i: int | str) -> tuple[Uint32Array, Float32Array]:
        return super().__getitem__(self._places[i] if isinstance(i, str) else i)

    def __contains__(self, topic: object) -> bool:
        return topic in self._places

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{qid: {document: score}}, as ir_measures, pytrec_eval and ranx (``ranx.Run(...)``) take
        runs; documents in the order of the hits. Hits that `sort` ordered get descending numbers
        for scores."""
        return {topic: dict(hits) for topic, hits in self._ranked()}

    def _names_of_queries(self) -> list[str]:
        return self.topics

    def _queries(self) -> list[dict[str, Any]]:
        counts = np.diff(self.offsets).astype(np.int64)
        names = np.repeat(np.array(self.topics, dtype=object), counts).tolist()
        return [_arrays.text_column("qid", names), *super()._queries()]

    def _ranked(self) -> list[tuple[str, list[tuple[str, float]]]]:
        """The topics with the ids of their hits and numbers that order them."""
        ids = self.ids.tolist()
        scores = self.scores.tolist() if self._scored else [-float(i) for i in range(len(ids))]
        places = self.offsets.tolist()
        return [
            (topic, list(zip(ids[first:last], scores[first:last])))
            for topic, first, last in zip(self.topics, places, places[1:])
        ]

    def save(
        self, path: PathLike, tag: str = "gannet", format: str = "trec", *, overwrite: bool = False
    ) -> None:
        """Writes a run file, of TREC (qid Q0 id rank score tag) or, with `format` "msmarco", of MS
        MARCO (qid id rank); it appears complete or not at all. Hits that `sort` ordered get
        descending numbers for scores. Raises ExistsError, a FileExistsError, if there is a file
        already and not `overwrite`."""
        _gannet.write_run(
            self._index._handle,
            os.fspath(path),
            tag,
            self.topics,
            self.docids,
            self.scores,
            self.offsets,
            not self._scored,
            format,
            overwrite,
        )

    def to_pandas(self) -> Any:
        """A DataFrame with qid, docno, rank (from 1, as in run files), score, docid and the fields,
        called as TREC calls them: docno is :attr:`Hit.id`. Needs pandas."""
        pandas = package("pandas", "pandas", "a DataFrame")

        counts = np.diff(self.offsets).astype(np.int64)
        starts = np.repeat(self.offsets[:-1].astype(np.int64), counts)
        return pandas.DataFrame(
            {
                "qid": np.repeat(np.array(self.topics, dtype=object), counts),
                "docno": self.ids,
                "rank": np.arange(1, len(self.docids) + 1) - starts,
                "score": self.scores,
                "docid": self.docids,
                **{name: array.tolist() for name, array in self.fields.items()},
            }
        )

    def evaluate(
        self, qrels: Any, measures: Sequence[Any] = ("AP", "nDCG@10", "P@10")
    ) -> dict[str, float]:
        """Means over the judged queries, by ir-measures: {"AP": 0.29, "nDCG@10": 0.35, ...}.

        `qrels`: the path of a TREC file, a mapping {qid: {document: grade}}, or what ir-measures
        takes. `measures`: names or objects of ir-measures. Queries without hits count as 0.
        InputError if the run and `qrels` have no topic in common.
        """
        ir_measures = package("ir_measures", "eval", "evaluating a run")
        wanted = [ir_measures.parse_measure(m) if isinstance(m, str) else m for m in measures]
        judged = _judged(qrels, ir_measures)
        _gannet.require_common_topics(list(judged), self.topics)
        made = ir_measures.calc_aggregate(wanted, judged, self.to_dict())
        return {str(measure): float(made[measure]) for measure in wanted}


def _judged(qrels: Any, ir_measures: Any) -> dict[str, dict[str, int]]:
    """Judgements by topics and documents, of what ir-measures takes."""
    if isinstance(qrels, (str, os.PathLike)):
        qrels = ir_measures.read_trec_qrels(os.fspath(qrels))
    try:
        by_topics = ir_measures.util.QrelsConverter(qrels).as_dict_of_dict()
        return {str(topic): dict(judged) for topic, judged in by_topics.items()}
    except (TypeError, ValueError, AttributeError) as error:
        raise TypeError(
            "evaluate(): qrels takes a path, {qid: {document: grade}} or what ir-measures takes, "
            f"not {type(qrels).__name__} ({error})"
        ) from None
