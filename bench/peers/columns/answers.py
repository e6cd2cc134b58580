"""What both engines answer, in the same words, and whether it is the same.

An answer is an object with some of: "count", the documents that match (of the kind "count" alone); "hits" and "sort", [id, score
or value] of the best; "facet", [value, count], and "others"; "histogram", [day of the first value,
count]; "stats", [values, least, greatest, sum].
"""

import datetime
from typing import Any

from peers.columns.questions import Question
from peers.measure.agreement import rankings_agree

Answer = dict[str, Any]
EPOCH = datetime.date(1970, 1, 1)


def of_gannet(question: Question, line: dict[str, Any]) -> Answer:
    """The answer in a line of `gannet run --results`."""
    if question.kind == "facet":
        facet = line["facets"][0]
        values = [[str(one["value"]), one["count"]] for one in facet["values"]]
        return {"facet": values, "others": facet["others"]}
    if question.kind == "histogram":
        bins = line["histograms"][0]["bins"]
        return {"histogram": [[day_number(one["from"]), one["count"]] for one in bins]}
    if question.kind == "stats":
        stats = line["stats"][0]
        return {"stats": [stats["values"], stats["min"], stats["max"], stats["sum"]]}
    hits = [[hit["id"], hit_key(question, hit)] for hit in line["hits"]]
    return {"count": line["total"], question.kind: hits}


def hit_key(question: Question, hit: dict[str, Any]) -> Any:
    """What a hit is ordered by."""
    if question.kind == "hits":
        return hit["score"]
    value = hit["fields"][question.field]
    return day_number(value) if isinstance(value, str) else value


def day_number(text: str) -> int:
    """Days since 1970-01-01."""
    return (datetime.date.fromisoformat(text) - EPOCH).days


def difference(question: Question, ours: Answer, theirs: Answer, tolerance: float) -> str | None:
    """What differs, if anything does but for ties and what scores are known to be rounded by."""
    if question.kind == "stats":
        return None if same_stats(ours["stats"], theirs["stats"]) else "stats"
    if question.kind == "histogram":
        return None if trimmed(ours["histogram"]) == trimmed(theirs["histogram"]) else "histogram"
    if question.kind == "facet":
        if ours["others"] != theirs["others"]:
            return "the count of other values"
        return None if same_facet(ours["facet"], theirs["facet"]) else "facet"
    if ours["count"] != theirs["count"]:
        return f"matches: {ours['count']} and {theirs['count']}"
    if question.kind == "count":
        return None
    if question.kind == "sort":
        return None if same_order(ours["sort"], theirs["sort"]) else "sorted hits"
    pairs = [[(name, score) for name, score in one["hits"]] for one in (ours, theirs)]
    return None if rankings_agree(pairs[0], pairs[1], tolerance) else "hits"


def trimmed(bins: list[list[Any]]) -> list[list[Any]]:
    """Bins without empty ones."""
    return [one for one in bins if one[1] > 0]


def same_stats(ours: list[Any], theirs: list[Any]) -> bool:
    """Of no values there is no least one, whatever engines say of it. Sums are doubles there."""
    if ours[0] == 0 or theirs[0] == 0:
        return bool(ours[0] == theirs[0])
    return all(float(a) == float(b) for a, b in zip(ours, theirs, strict=True))


def same_facet(ours: list[list[Any]], theirs: list[list[Any]]) -> bool:
    """The same counts, of the same values, but for the order of equal counts and for which of them
    are the last."""
    if [count for _, count in ours] != [count for _, count in theirs]:
        return False
    last = ours[-1][1] if ours else 0
    above = [sorted(one for one in values if one[1] > last) for values in (ours, theirs)]
    return above[0] == above[1]


def same_order(ours: list[list[Any]], theirs: list[list[Any]]) -> bool:
    """The same values, of the same documents where only one has the value."""
    if [value for _, value in ours] != [value for _, value in theirs]:
        return False
    values = [value for _, value in ours]
    last = values[-1] if values else None
    alone = {value for value in values if values.count(value) == 1 and value != last}
    return all(
        a[0] == b[0] for a, b in zip(ours, theirs, strict=True) if a[1] in alone
    )
