"""Gannet: compressed inverted indexes, exact ranking, and codecs for arrays.

>>> import gannet, tempfile
>>> folder = tempfile.mkdtemp()
>>> docs = [("a", "solar power"), ("b", "wind power and solar cells")]
>>> index = gannet.Index.build(docs, folder + "/idx")
>>> index.search("solar wind")[0].id
'b'

Errors are exceptions below :class:`Error`, with the library's messages.
"""

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
from gannet._reading import Field, Term
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
    "Counts",
    "CudaError",
    "DamageError",
    "DeadlineError",
    "DeviceMemoryError",
    "Error",
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
