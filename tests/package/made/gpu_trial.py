"""What gpu_wheel.sh runs: an index searched on the device, compared with the CPU.

gpu_trial.py --documents FILE writes the documents that the command then indexes.
"""

import json
import random
import sys

import gannet
import numpy as np


def documents() -> list[dict[str, str]]:
    """20,000 of them, of words w0 to w999, the first of which are frequent."""
    chance = random.Random(1)
    return [
        {
            "id": f"d{i}",
            "contents": " ".join(f"w{int(1000 * chance.random() ** 3)}" for _ in range(40)),
        }
        for i in range(20_000)
    ]


if sys.argv[1:2] == ["--documents"]:
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.writelines(json.dumps(document) + "\n" for document in documents())
    sys.exit()

host = gannet.Index.build(documents(), "gpu-idx", overwrite=True, backend="cpu")
device = gannet.Index.open("gpu-idx", backend="cuda")
queries = [f"w{i} w{3 * i + 1} w{900 - i}" for i in range(200)]
cpu = host.search_batch(queries, k=100)
gpu = device.search_batch(queries, k=100)
assert np.array_equal(cpu.docids, gpu.docids), "other documents than the CPU's"
assert np.array_equal(cpu.scores.view(np.uint32), gpu.scores.view(np.uint32)), (
    "other scores than the CPU's"
)
print(f"gpu_trial: {len(queries)} queries, {cpu.docids.size} hits, the same on both back ends")
