"""The command gannet."""

import json
from pathlib import Path
from typing import Any

from peers.text import postings, terms
from peers.work.processes import Cost, Runner
from peers.work.workplace import stamp

Value = str | int | Path | bool | list[str]


class Gannet:
    """Calls the command; what it prints is in the work folder's logs."""

    def __init__(self, runner: Runner, program: Path) -> None:
        self.runner = runner
        self.program = str(program)
        version = self._output("gannet-version", "version", json=True)
        self.version: dict[str, Any] = json.loads(version)
        #: Indexes of one program may not be those of another.
        self.stamp = [self.version, stamp(program)]

    def _run(self, name: str, *command: str, **options: Value) -> Cost:
        return self.runner.run(name, [self.program, *command, *as_arguments(options)])

    def _output(self, name: str, *command: str, **options: Value) -> str:
        return self.runner.output(name, [self.program, *command, *as_arguments(options)])

    def _export(self, name: str, index: Path, folder: Path) -> Path:
        base = folder / "lists"
        self._run(name, "export", index=index, format="ds2i", output=base, overwrite=True)
        return base

    def analyse(self, source: Path, format_name: str, folder: Path) -> Path:
        """Writes the posting lists of documents, analysed with the defaults; their base name."""
        index = folder / "index"
        self._run(
            "gannet-analyse",
            "index",
            input=source,
            format=format_name,
            output=index,
            no_positions=True,
        )
        return self._export("gannet-export", index, folder)

    def build(
        self, documents: Path, index: Path, threads: int, positions: bool = False, **more: Value
    ) -> Cost:
        """Indexes analysed text, whose words are terms already; more options may be given. The
        other engines are asked for frequencies without positions, too."""
        if not positions:
            more["no_positions"] = True
        return self._run(
            "gannet-build",
            "index",
            input=documents,
            format="tsv",
            output=index,
            tokenizer="whitespace",
            stemmer="none",
            keep_case=True,
            threads=threads,
            **more,
        )

    def statistics(self, index: Path, folder: Path) -> postings.Statistics:
        """Statistics of an index of analysed text, counted in its lists."""
        base = self._export("gannet-lists", index, folder)
        words = postings.read_lines(base.with_name("lists.terms"))
        for word in words:
            terms.from_word(word)
        return postings.statistics_of(base, words)

    def run_file(
        self, index: Path, topics: Path, mode: str, k: int, scorer: str, output: Path
    ) -> None:
        """Writes a run file."""
        self._run(
            "gannet-run",
            "run",
            index=index,
            topics=topics,
            topic_format="tsv",
            output=output,
            overwrite=True,
            mode=mode,
            k=k,
            scorer="bm25",
            scorer_params=scorer,
            backend="cpu",
        )

    def answers(
        self,
        index: Path,
        topics: Path,
        mode: str,
        asked: dict[str, Value],
        scorer: str,
        output: Path,
    ) -> None:
        """Writes what queries of the query language give, with what is asked of columns."""
        self._run(
            "gannet-answers",
            "run",
            index=index,
            topics=topics,
            topic_format="tsv",
            results=output,
            overwrite=True,
            operators=True,
            mode=mode,
            scorer="bm25",
            scorer_params=scorer,
            backend="cpu",
            **asked,
        )

    def counts(self, index: Path, topics: Path, mode: str, **more: Value) -> list[int]:
        """How many documents match each query; more options may be given."""
        lines = [line.partition("\t")[2] for line in postings.read_lines(topics)]
        queries = self.runner.workplace.path("scratch", "queries.txt")
        queries.write_text("".join(f"{line}\n" for line in lines))
        options: dict[str, Value] = {
            "index": index,
            "mode": mode,
            "count": True,
            "backend": "cpu",
            **more,
        }
        command = [self.program, "search", "-", *as_arguments(options)]
        text = self.runner.output("gannet-count", command, queries)
        return [int(line) for line in text.splitlines()]

    def evaluate(self, qrels: Path, run: Path) -> dict[str, float]:
        """Means of effectiveness measures."""
        text = self._output(
            "gannet-eval", "eval", qrels=qrels, run=run, complete=True, ties="rank", json=True
        )
        means: dict[str, float] = json.loads(text)["mean"]
        return means

    def bench(
        self,
        index: Path,
        log: Path,
        mode: str,
        k: int,
        threads: int,
        repeats: int,
        single: bool = False,
    ) -> dict[str, Any]:
        """Times of a log, for counts where k is 0; some results are checked."""
        what: dict[str, Value] = {"k": k} if k else {"want": "count"}
        text = self._output(
            "gannet-bench" if k else "gannet-bench-count",
            "bench",
            "query",
            index=index,
            topics=log,
            limit=0,
            backend="cpu",
            mode=mode,
            **what,
            batch=1 if single else "all",
            threads=threads,
            repeats=repeats,
            check=100,
            json=True,
        )
        row: dict[str, Any] = json.loads(text)["results"][0]
        return row

    def bench_columns(
        self, index: Path, log: Path, mode: str, asked: dict[str, Value], threads: int, repeats: int
    ) -> dict[str, Any]:
        """Times of queries of the query language in one batch, with what is asked of columns."""
        text = self._output(
            "gannet-bench-columns",
            "bench",
            "query",
            index=index,
            topics=log,
            limit=0,
            operators=True,
            backend="cpu",
            mode=mode,
            batch="all",
            threads=threads,
            repeats=repeats,
            check=20,
            json=True,
            **asked,
        )
        row: dict[str, Any] = json.loads(text)["results"][0]
        return row


def as_arguments(options: dict[str, Value]) -> list[str]:
    """Options as the command line has them."""
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, list) else [value]:
            arguments += [option] if one is True else [option, str(one)]
    return arguments
