"""Searching an index: single queries, batches, topics."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Union

from gannet import _gannet, _options
from gannet._arguments import checked, checking
from gannet._batch import BatchHits, Run
from gannet._coroutines import coroutine_of
from gannet._described import described
from gannet._gannet import UsageError
from gannet._hits import Hits
from gannet._reading import Reading
from gannet._topics import topics_of
from gannet._types import Texts, Uint32Array

Parameters = Union[str, Mapping[str, Any], None]
#: A text, or terms that are not analysed, with their weights.
Query = Union[str, Mapping[str, float]]


@described(
    word="str: as the query has it",
    term="str: what may have been meant, as the dictionary has it: a stem, where terms are stems",
    distance="int: edits of characters between them",
    documents_before="int: documents that have the word",
    documents="int: documents that have the term",
)
class CorrectedWord(NamedTuple):
    """A word of a query that another one may have been meant by."""

    word: str
    term: str
    distance: int
    documents_before: int
    documents: int


@described(
    text="str: the query with other words",
    words="list of CorrectedWord: those that were replaced",
    documents="int: documents that have all words, but those that no document has",
)
class Correction(NamedTuple):
    """What may have been meant by a query."""

    text: str
    words: list[CorrectedWord]
    documents: int


@checking
class Searching(Reading):
    """What an open index answers. Immutable and thread-safe."""

    def _answer(self, query: str, options: dict[str, Any]) -> dict[str, Any]:
        """What one query gives, as the extension module has it."""
        made: dict[str, Any] = _gannet.search(self._handle, query, options)
        return made

    def _answers(self, queries: list[Any], options: dict[str, Any]) -> dict[str, Any]:
        """What a batch gives."""
        made: dict[str, Any] = _gannet.search_batch(self._handle, queries, options)
        return made

    def _field_names(self, fields: Texts) -> list[str]:
        """Names of fields; those that there are not are an error now, not later."""
        names = _options._texts(fields)
        if names:
            self.field_values(names, [])
        return names

    @checked("search")
    def search(
        self,
        query: str = "*:*",
        k: int = 10,
        *,
        offset: int | None = None,
        after: str | None = None,
        filter: str | None = None,
        fields: Texts = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        scorer: str | None = None,
        scorer_params: Parameters = None,
        operators: bool = True,
        expand: str | None = None,
        expand_params: Parameters = None,
        sort: Texts = None,
        facets: Texts = None,
        histograms: Texts = None,
        stats: Texts = None,
        distinct: bool = True,
        group: str | None = None,
        total: bool = False,
        exhaustive: bool = False,
        timeout: float | None = None,
    ) -> Hits:
        """The `k` best documents for a query of the query language.

        The language: words; +must, -must_not; AND, OR, NOT; parentheses; word^2.5; SYNONYM(car
        auto); "wind power"~2, #od3(a b), #uw8(a b), a NEAR/3 b, a ONEAR/3 b; aero*, w?ng, wing~1,
        /aero.*ic/; year:[2000 TO 2010]. `operators=False` takes the query for plain words. Arguments
        are as the options of `gannet search`:

        * `filter` "year:>=2000 AND tag:(a OR b)"; `mode` "or" or "and"; `fields` to give with hits
        * `search_fields` "contents,title^2": the texts where words are searched, with weights
        * `max_expansions`: terms that a word such as aero* or wing~1 may stand for, more are an
          error; `fuzzy_prefix`: characters at the beginning of wing~1 that are as they are written
        * `scorer` "bm25", "dirichlet", ... with `scorer_params` {"k1": 1.2}; `expand` "rm3" or "sdm"
        * `sort` "year:desc,score"; `group` "tag:3": the best hits of each value, in `k` groups
        * `facets` ["tag:5"], `histograms` ["when:month"], `stats` ["price"]: counted over all
          documents that match; `distinct=False` leaves the number of different values out of
          `stats`: several times as fast
        * `total` counts all documents that match, beside the hits
        * `offset` leaves out so many hits, each of which costs what a hit costs; `after`, the `next`
          of a page, gives the page behind it, with the other arguments as they were but for `k`
        * `exhaustive` scores every match: the same hits, slower
        * `timeout` in seconds: a search that is not done then raises DeadlineError

        Raises UsageError for what makes no sense, with the column in the query.
        """
        options = _options.search_options(locals())
        names = self._field_names(fields)
        return Hits(self, query, self._answer(query, options), names)

    @checked("count")
    def count(
        self,
        query: str = "*:*",
        *,
        filter: str | None = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        operators: bool = True,
        timeout: float | None = None,
    ) -> int:
        """How many documents match."""
        options = _options.search_options(locals(), k=0, want="count")
        count: int = self._answer(query, options)["count"]
        return count

    @checked("count")
    def matches(
        self,
        query: str = "*:*",
        *,
        filter: str | None = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        operators: bool = True,
        timeout: float | None = None,
    ) -> Uint32Array:
        """The docids of all documents that match, ascending."""
        options = _options.search_options(locals(), k=0, want="docids")
        docids: Uint32Array = self._answer(query, options)["docids"]
        return docids

    @checked("search_batch")
    def search_batch(
        self,
        queries: Query | Iterable[Query],
        k: int = 10,
        *,
        filter: str | None = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        scorer: str | None = None,
        scorer_params: Parameters = None,
        operators: bool = True,
        expand: str | None = None,
        expand_params: Parameters = None,
        fields: Texts = None,
        sort: Texts = None,
        facets: Texts = None,
        histograms: Texts = None,
        stats: Texts = None,
        distinct: bool = True,
        group: str | None = None,
        total: bool = False,
        exhaustive: bool = False,
        timeout: float | None = None,
    ) -> BatchHits:
        """The hits of many queries as arrays; much faster than one by one.

        `queries`: any iterable of str: a list, a generator, an array of NumPy or Arrow, a Series. They
        are of the query language, as in :meth:`search`; what users typed may be none, which is a
        UsageError with the query's number: `operators=False` takes them for plain words. A query
        that is a dict {term: weight} has these terms, which are not analysed, as of a learned sparse
        model. Ctrl-C ends it, and so does `timeout` (seconds, for all of them), by DeadlineError.
        `sort`, `group`, `facets`,
        `histograms`, `stats` and `total` are those of :meth:`search`, for each query; `fields` are
        columns beside the hits, read when :attr:`BatchHits.fields` is first asked for.
        """
        options = _options.search_options(locals())
        names = self._field_names(fields)
        given: Any = [queries] if isinstance(queries, (str, Mapping)) else queries
        called = (f"queries[{i}]" for i in range(len(given)))
        return BatchHits(self, self._named_answers(called, given, options), names)

    @checked("run")
    def run(
        self,
        topics: Any,
        k: int = 1000,
        *,
        encoding: str = "",
        topic_format: str = "auto",
        topic_fields: Texts = "title",
        on_error: str = "stop",
        filter: str | None = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        scorer: str | None = None,
        scorer_params: Parameters = None,
        operators: bool = False,
        expand: str | None = None,
        expand_params: Parameters = None,
        fields: Texts = None,
        sort: Texts = None,
        facets: Texts = None,
        histograms: Texts = None,
        stats: Texts = None,
        distinct: bool = True,
        group: str | None = None,
        total: bool = False,
        exhaustive: bool = False,
        timeout: float | None = None,
    ) -> Run:
        """Runs topics: the path of a topics file (TSV, TREC, JSON), {id: text}, pairs (id, text),
        texts or dicts of terms and weights as :meth:`search_batch` takes them, a
        table with the columns qid and query, or a data set or queries of ir_datasets. As `gannet
        run`. `encoding`: what a topics file is written in that is not UTF-8 ("windows-1252");
        `topic_format` "tsv", "colon", "json" or "trec", if "auto" takes it for another one;
        `topic_fields` of TREC's topics: "title", "description", "narrative", or some of them. Topics
        are plain words unless `operators`, as those of test collections are.
        `on_error`: at a topic that is no query "stop", or "skip" it (:attr:`Run.skipped` says why).
        All others are those of :meth:`search_batch`."""
        options = _options.search_options(locals())
        names = self._field_names(fields)
        ids, texts = topics_of(topics, encoding, topic_format, _options._texts(topic_fields))
        if on_error not in ("stop", "skip"):
            raise UsageError(f"on_error: '{on_error}' is none of stop, skip")
        skipped = dict(self._bad(ids, texts, options)) if on_error == "skip" else {}
        kept = [(i, text) for i, text in zip(ids, texts) if i not in skipped]
        called = (f"topic '{i}'" for i, _ in kept)
        made = self._named_answers(called, [text for _, text in kept], options)
        return Run(self, made, [i for i, _ in kept], names, skipped)

    def _bad(
        self, names: Iterable[str], texts: Sequence[Any], options: dict[str, Any]
    ) -> Iterator[tuple[str, str]]:
        """The texts that are no queries: their names, and what is wrong."""
        for name, text in zip(names, texts):
            if isinstance(text, str) and options["operators"]:  # words are always a query
                try:
                    _gannet.plan(self._handle, text, options)
                except UsageError as error:
                    yield name, str(error)

    def _named_answers(
        self, names: Iterable[str], texts: list[Any], options: dict[str, Any]
    ) -> dict[str, Any]:
        """What a batch gives; an error says which text is no query."""
        try:
            return self._answers(texts, options)
        except UsageError:
            for name, problem in self._bad(names, texts, options):
                raise UsageError(
                    f"{name}: {problem}; operators=False takes it for plain words"
                ) from None
            raise

    def evaluate(
        self,
        topics: Any,
        qrels: Any,
        measures: Sequence[Any] = ("AP", "nDCG@10", "P@10"),
        **options: Any,
    ) -> dict[str, float]:
        """Runs topics and evaluates them: :meth:`run` with `options`, then :meth:`Run.evaluate`."""
        return self.run(topics, **options).evaluate(qrels, measures)

    @checked("search")
    def plan(
        self,
        query: str,
        *,
        filter: str | None = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        scorer: str | None = None,
        scorer_params: Parameters = None,
        operators: bool = True,
        expand: str | None = None,
        expand_params: Parameters = None,
    ) -> str:
        """What a query becomes: terms with weights and frequencies, expression, scorer."""
        options = _options.search_options(locals(), k=10)
        return str(_gannet.plan(self._handle, query, options))

    @checked("search")
    def did_you_mean(
        self,
        query: str,
        *,
        search_fields: Texts = None,
        operators: bool = True,
        timeout: float | None = None,
    ) -> Correction | None:
        """The likeliest correction of a query's words; None if none is likelier than the words are.

        Words that at most a hundredth of the documents has are compared with terms within one edit,
        from six characters on two, by how many documents have them, and have them together with the
        query's other words; each edit counts as a factor of 100. The manual's page on queries has
        the rule. Nothing is searched with it unless you do.
        """
        options = _options.search_options(locals(), k=10, mode="or")
        found: Any = _gannet.did_you_mean(self._handle, query, options)
        if found is None:
            return None
        text, words, documents = found
        return Correction(text, [CorrectedWord(*word) for word in words], documents)

    @checked("search")
    def explain(
        self,
        query: str,
        id: str,
        *,
        filter: str | None = None,
        mode: str = "or",
        search_fields: Texts = None,
        max_expansions: int = 1024,
        fuzzy_prefix: int = 0,
        scorer: str | None = None,
        scorer_params: Parameters = None,
        operators: bool = True,
        expand: str | None = None,
        expand_params: Parameters = None,
    ) -> dict[str, Any]:
        """Why the document `id` has its score for a query, or why it does not match.

        "terms" has a dict for each term of the query: document_frequency, collection_frequency (0
        if the scorer does not use it), weight, required, and of the document frequency, length,
        contribution and the scorer's formula with its numbers; of a phrase also positions, where
        its first ten occurrences begin, and phrase_words, the words whose idf it has the sum of:
        word, document_frequency, factor. "expansions" has for each inexact word, such as `aero*`,
        the word, found (terms that it stands for) and terms, those that the document has: term,
        frequency and, of fuzzy words, distance and boost. "words" has what BM25F gives for
        words over several texts. The contributions, added as float32 in this order, are "score",
        with the bits that a search gives. "matches" says whether the document does; if not,
        "mismatches" has the reasons: kind ("deleted", "filter", "missing", "excluded", "nothing"),
        names and a message. "filters" has the parts of the filter and whether each passes.

        Raises UsageError if no document has the id. The document may be deleted.
        """
        options = _options.search_options(locals(), k=10)
        explanation: dict[str, Any] = _gannet.explain(self._handle, query, id, options)
        return explanation

    @coroutine_of(search)
    def search_async(
        self, query: str = "*:*", k: int = 10, **options: Any
    ) -> Coroutine[Any, Any, Hits]:
        """:meth:`search` as a coroutine, with all its arguments: ``hits = await
        index.search_async("solar")``.

        It runs on a thread of the event loop's executor and does not hold the interpreter lock. A
        coroutine that is cancelled, as by :func:`asyncio.wait_for`, ends the search within
        milliseconds."""
        raise NotImplementedError

    @coroutine_of(count)
    def count_async(self, query: str = "*:*", **options: Any) -> Coroutine[Any, Any, int]:
        """:meth:`count` as a coroutine, with all its arguments."""
        raise NotImplementedError

    @coroutine_of(search_batch)
    def search_batch_async(
        self, queries: Query | Iterable[Query], k: int = 10, **options: Any
    ) -> Coroutine[Any, Any, BatchHits]:
        """:meth:`search_batch` as a coroutine, with all its arguments."""
        raise NotImplementedError

    @coroutine_of(run)
    def run_async(self, topics: Any, k: int = 1000, **options: Any) -> Coroutine[Any, Any, Run]:
        """:meth:`run` as a coroutine, with all its arguments."""
        raise NotImplementedError
