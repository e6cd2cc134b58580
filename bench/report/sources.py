"""Where figures come from: machines, and runs with their commands and JSON files."""

import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parents[1] / "results"

#: Machines by the letters that the page has for them.
MACHINES = {
    "G": "one NVIDIA H200, 16 cores of an Intel Xeon, CUDA 13.0",
    "G2": "two NVIDIA H200 of one host, Intel Xeon",
    "H2": "two NVIDIA H100 (80 GB) of one host, 32 cores of its Intel Xeon",
    "C": "two cores of an AMD EPYC, 32 MiB of L3 cache, 24 GiB, no GPU",
}


@dataclasses.dataclass(frozen=True)
class Source:
    """A run: one command at one commit, or the same in several rounds."""

    name: str  #: as tables cite it
    what: str
    machine: str  #: a letter of MACHINES
    commit: str
    command: str
    files: tuple[str, ...]  #: below bench/results, a round each

    @property
    def documents(self) -> list[Any]:
        """What the files hold."""
        return [load(file) for file in self.files]


@functools.cache
def load(file: str) -> Any:
    """What a file below bench/results holds: JSON, or text."""
    text = (RESULTS / file).read_text(encoding="utf-8")
    return json.loads(text) if file.endswith(".json") else text


def rounds(pattern: str, count: int) -> tuple[str, ...]:
    """The files of a run in several rounds."""
    return tuple(pattern.format(number) for number in range(1, count + 1))


QUERY = "gannet bench query --index idx --topics z.queries"
ALL_MODES = "--k 10,1000 --mode or,and"
H200X2 = "2026-11-26-h200x2"

REVIEW = Source(
    "q1",
    "single queries; batches of 1,000",
    "G",
    "26bda35d",
    f"gannet bench query --index idx --topics q1000 {ALL_MODES} --batch 1,1000 --repeats 5 "
    "--backend cuda",
    ("2026-11-26-h200-review/query-new.json",),
)
BATCHES = Source(
    "q2",
    "batches of 50,000 on one GPU of the machine",
    "G2",
    "dcc1380",
    f"{QUERY} --limit 0 --backend cuda {ALL_MODES} --batch 50000 --repeats 5",
    rounds(H200X2 + "/last-one-50k-{}.json", 3),
)
COPIES = Source(
    "q3",
    "the same on two GPUs, the index on both",
    "G2",
    "dcc1380",
    f"{BATCHES.command} --devices 0,1 --spread copies",
    rounds(H200X2 + "/last-copies-50k-{}.json", 3),
)
SHARDS = Source(
    "q4",
    "half of the collection on each of two GPUs, batches of 10,000",
    "H2",
    "7c40fee",
    "gannet bench query --index idx2 --topics z.queries --limit 20000 --backend cuda "
    f"{ALL_MODES} --batch 10000 --repeats 5 --devices 0,1 --spread shards",
    rounds("2026-11-26-h100x2/again26-shards-{}.json", 2),
)
QUARTER = Source(
    "q5",
    "a quarter of the postings in device memory, the rest read over the bus; batches of 10,000",
    "G",
    "f9a0e85",
    f"{QUERY} --limit 0 --batch 10000 --backend cuda {ALL_MODES} --repeats 7 "
    "--device-memory $((p / 4))",
    ("2026-11-24-h200/memory-25.json",),
)
CORES = Source(
    "q6",
    "the CPU back end on 16 cores, 3,000 queries",
    "H2",
    "f4b61d5",
    f"{QUERY} --limit 3000 --backend cpu --threads 16 --k 10 --mode or,and --batch all --repeats 1",
    ("2026-11-25-h100x2/together-cpu-one.json",),
)
CURVE = Source(
    "q7",
    "by batch size",
    "G",
    "abe3030",
    f"{QUERY} --limit 0 --backend cuda {ALL_MODES} --batch 1,16,64,256,1000,2000 --repeats 5",
    ("2026-11-23-h200/pruned-query.json",),
)
PASSAGES = Source(
    "q8",
    "603,283 passages, GPU and the 16 cores of its host; batches of 1,000",
    "G",
    "before 86237b1",
    "bench/retrieval.sh collections --index passages --topics LOG --batch 1000",
    (
        "2026-11-23-h200/passages-terabyte05.efficiency.json",
        "2026-11-23-h200/passages-msmarco-passage.dev-subset.json",
    ),
)
#: Files of two rounds for each filter, by the share that passes.
FILTERS = {
    name: rounds(f"{H200X2}/last-filter{number}.gannet.{{}}.json", 2)
    for number, name in enumerate(
        ("all", "50 %", "10 %", "1 %", "0.01 %", "the oldest dates, which lie together"), 1
    )
}
FILTERED = Source(
    "q9",
    "filters on a number and on a date, 2,000 queries in one batch",
    "G2",
    "631acf1",
    f"{QUERY} --limit 2000 --backend cuda --k 10 --mode or --batch all --repeats 9 "
    "--filter 'u:<42949673'",
    tuple(file for files in FILTERS.values() for file in files),
)
DECODE = Source(
    "d1",
    "one list of 2^27",
    "G",
    "7f86f290",
    "gannet bench decode --backend cuda --distribution uniform --lengths 2^27..2^27 "
    "--codec gpu-bp128,gpu-vbyte128,gpu-dfor",
    rounds("2026-11-26-h200-review/decode-new-{}.json", 2),
)
LISTS = Source(
    "d2",
    "batches of lists",
    "G",
    "f789e39",
    "gannet bench decode --backend cuda --distribution uniform --content docids "
    "--lengths 2^11..2^22 --codec gpu-bp128,gpu-bp256,gpu-vbyte128,gpu-vbyte1024,gpu-dfor",
    ("2026-11-23-h200/decode-lists.txt",),
)
TILES = Source(
    "d3",
    "columns of 2^27 values",
    "G",
    "cd3993e",
    "bench_cuda_tile_codecs --repeats 9",
    ("2026-11-23-h200/tile-codecs-new.json",),
)
NVCOMP = Source(
    "d4",
    "nvCOMP 5.1.0 with pieces of 64 KiB, in the same run",
    "G",
    "e5aa1c9",
    "bench_cuda_cascaded --repeats 20 --nvcomp libnvcomp.so.5 --nvcomp-piece 65536",
    ("2026-11-22-h200/cascaded-64k.json",),
)
CODAG = Source(
    "d5",
    "CODAG's form, rebuilt from its paper, in the same run",
    "G",
    "e5aa1c9; structures before 02d927c",
    "bench_cuda_codag --only paper --mib 256 --repeats 5; --only structures",
    ("2026-11-22-h200/codag-paper.json", "2026-11-23-h200/codag-structures.json"),
)
DEFLATE = Source(
    "d6",
    "Deflate, chunks of 128 KiB, level 9",
    "G",
    "21b7a55",
    "bench_cuda_deflate",
    tuple(
        f"2026-11-21-h200/codecs-deflate-{name}.json"
        for name in ("wikipedia", "text", "runs7", "runs256", "sorted")
    ),
)
SELECT = Source(
    "d7",
    "selecting the best k beside CUB",
    "G",
    "cd3993e",
    "bench_cuda_select",
    ("2026-11-23-h200/select.json",),
)
BITMAPS = Source(
    "d8",
    "bitmaps beside CRoaring",
    "G2",
    "e5aa1c9",
    "bench_cuda_wah --batch 256",
    ("2026-11-22-h200/wah.json",),
)
PEERS = Source(
    "p1",
    "PISA, Lucene, tantivy, bm25s",
    "C",
    "5d103e3b",
    "bench/peers.sh --queries 1500 --rounds 1 --repeats 3 --json peers.json --plot peers.svg",
    ("2026-11-27-cpu/peers.json",),
)
PEER_COUNTS = Source(
    "p5",
    "their counts of matches; the rest of [p1], asked again",
    "C",
    "ee1f21bb",
    "bench/peers.sh --queries 1500 --rounds 1 --repeats 3 --json peers.json",
    ("2026-11-28-cpu/peers.json",),
)
TANTIVY16 = Source(
    "p3",
    "columns beside tantivy, 16 threads",
    "G",
    "98a08a3",
    "bench/peers.sh --columns --threads 16 --queries 5000 --rounds 1 --repeats 3 "
    "--json columns.json",
    ("2026-11-26-h200/columns-beside-tantivy.json",),
)
TANTIVY2 = Source(
    "p2",
    "columns beside tantivy, two threads",
    "C",
    "89b4098",
    "bench/peers.sh --columns --queries 1500 --rounds 1 --repeats 3 --json columns.json",
    ("2026-11-25-cpu/columns.json",),
)
GAME = Source(
    "p4",
    "the classes of the Search Benchmark Game",
    "C",
    "032f617d",
    "bench/peers.sh --game queries.txt --rounds 3 --repeats 5 --json game.json --plot game.svg",
    ("2026-11-27-cpu/game.json",),
)
H200_FILTERS = "2026-11-27-h200-filters"
H200_SHAPES = "2026-11-28-h200"
OWN_FILTERS = Source(
    "q10",
    "a filter of its own for each of 4,000 queries, of which 50, 10 and 1 percent of the documents "
    "pass; batches of 1,000",
    "G",
    "1fcfa276",
    "gannet bench query --index idx --topics own50.tsv --topic-format tsv --operators --k 10 "
    "--mode or --batch all --repeats 3",
    tuple(f"{H200_SHAPES}/own{share}-new.json" for share in (50, 10, 1)),
)
COUNTS = Source(
    "q11",
    "counts of 4,000 queries, and with a thousandth of the documents deleted",
    "G",
    "1fcfa276",
    "gannet bench query --index idx --topics count.tsv --topic-format tsv --mode or,and "
    "--want count --batch all --repeats 3",
    (f"{H200_SHAPES}/count-new.json", f"{H200_SHAPES}/delcount-new.json"),
)
FACETS = Source(
    "q12",
    "a facet of 100 values and the sum of a field over the matches of 200 queries",
    "G",
    "1fcfa276",
    "gannet bench query --index idx --topics few.tsv --topic-format tsv --k 0 --mode or "
    "--batch all --repeats 5 --facet k100:10 --stats u",
    (f"{H200_SHAPES}/facet-new.json",),
)
BM25F = Source(
    "q13",
    "BM25F over a title and a text, 179,820 documents, 10,000 queries in one batch",
    "G",
    "f185809a",
    "gannet bench query --index one --topics q.tsv --limit 0 --k 10,1000 --mode or,and "
    "--scorer bm25f --batch 10000 --repeats 9",
    (f"{H200_FILTERS}/small-bm25f.json",),
)
UNIONS = Source(
    "q14",
    "a word with two synonyms in each of 9,982 queries, 179,820 documents",
    "G",
    "514622d4",
    "gannet bench query --index one --topics syn.tsv --operators --limit 0 --k 10,1000 "
    "--mode or,and --batch 10000 --repeats 5",
    (f"{H200_FILTERS}/syn.json",),
)
SHAPES = Source(
    "q15",
    "ORs with a predicate inside: 1,000 queries, and 200 of 100 terms each",
    "G",
    "1fcfa276",
    "gannet bench query --index idx --topics orpred.tsv --topic-format tsv --operators --mode or "
    "--k 10,1000 --batch all --repeats 3",
    (f"{H200_SHAPES}/orpred-new.json", f"{H200_SHAPES}/or100-new.json"),
)
SOURCES = (
    *(REVIEW, BATCHES, COPIES, SHARDS, QUARTER, CORES, CURVE, PASSAGES, FILTERED),
    *(OWN_FILTERS, COUNTS, FACETS, BM25F, UNIONS, SHAPES),
    *(DECODE, LISTS, TILES, NVCOMP, CODAG, DEFLATE, SELECT, BITMAPS),
    *(PEERS, TANTIVY2, TANTIVY16, GAME, PEER_COUNTS),
)
