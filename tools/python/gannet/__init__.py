"""Gannet: compressed inverted indexes, exact ranking, and codecs for arrays.

>>> import gannet, tempfile
>>> folder = tempfile.mkdtemp()
>>> docs = [("a", "solar power"), ("b", "wind power and solar cells")]
>>> index = gannet.Index.build(docs, folder + "/idx")
>>> index.search("solar wind")[0].id
'b'

The names to begin with:

* Index.from_documents(documents) builds an index in memory, Index.build(documents, path) in a folder
* gannet.open(path) opens an index that is there
* Index.search(query) gives Hits, a sequence of Hit; Index.search_batch(queries) BatchHits, arrays
* Index.run(topics) gives a Run of a test collection, evaluate(qrels, run) says how good it is
* Writer adds, replaces and deletes documents
* encode(array) and decode(data) are codecs for arrays

help(gannet.Index.search), for instance, describes one. Then there are

* by one call: add, delete, merge, reorder, repair, verify, shard, join_shards, set_codec, export
* results: Facets, Group, Term, Completion, Correction, CorrectedWord, Field; of batches Counts,
  FieldArray, BatchGroups
* arrays: codecs, to_file, from_file, Column, CodecInfo
* modules: gannet.gpu (arrays on the GPU), gannet.bench (how fast codecs are), gannet.ray (several
  machines), gannet.datasets (ir_datasets), gannet.pt (PyTerrier)

Errors are exceptions below Error, with the library's messages: UsageError, ExistsError, InputError,
IoError, FormatError, DamageError, VersionError, DeadlineError, CancelledError, CudaError,
NoDeviceError, DeviceMemoryError. An argument of a wrong type is a TypeError.
"""

from typing import TYPE_CHECKING

from gannet import bench, gpu
from gannet._arrays import BatchGroups, Counts, Facets, FieldArray
from gannet._batch import BatchHits, Run, evaluate
from gannet._codecs import CodecInfo, Column, codecs, decode, encode, from_file, to_file
from gannet._gannet import (
    CancelledError,
    CudaError,
    DamageError,
    DeadlineError,
    DeviceMemoryError,
    Error,
    ExistsError,
    FormatError,
    InputError,
    IoError,
    NoDeviceError,
    UsageError,
    VersionError,
)
from gannet._gannet import version as __version__
from gannet._hits import Group, Hit, Hits
from gannet._index import Index
from gannet._reading import Completion, Field, Term
from gannet._searching import CorrectedWord, Correction
from gannet._upkeep import (
    add,
    delete,
    export,
    join_shards,
    merge,
    reorder,
    repair,
    set_codec,
    shard,
    verify,
)
from gannet._writer import Writer

for _error in [kind for kind in globals().values() if isinstance(kind, type)]:
    if issubclass(_error, Error):
        _error.__module__ = "gannet"  # where users find them

# gannet.open(path), as other libraries have it. It is not in __all__: `from gannet import *` must not
# replace the builtin.
open = Index.open  # noqa: A001

__all__ = [
    "BatchGroups",
    "BatchHits",
    "CancelledError",
    "CodecInfo",
    "Column",
    "Completion",
    "CorrectedWord",
    "Correction",
    "Counts",
    "CudaError",
    "DamageError",
    "DeadlineError",
    "DeviceMemoryError",
    "Error",
    "ExistsError",
    "Facets",
    "Field",
    "FieldArray",
    "FormatError",
    "Group",
    "Hit",
    "Hits",
    "Index",
    "InputError",
    "IoError",
    "NoDeviceError",
    "Run",
    "Term",
    "UsageError",
    "VersionError",
    "Writer",
    "__version__",
    "add",
    "bench",
    "codecs",
    "decode",
    "delete",
    "encode",
    "evaluate",
    "export",
    "from_file",
    "gpu",
    "join_shards",
    "merge",
    "reorder",
    "repair",
    "set_codec",
    "shard",
    "to_file",
    "verify",
]

if not TYPE_CHECKING:

    class _Names(list):
        """For `import *`. pydoc asks of each name whether it is in `__all__`, and tells all of it if
        so: thousands of lines for help(gannet), which is to be the overview above."""

        def __contains__(self, name: object) -> bool:
            return False

    __all__ = _Names(__all__)
