"""Names for types that several modules use."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

PathLike = Union[str, os.PathLike[str]]
Uint32Array = npt.NDArray[np.uint32]
Uint64Array = npt.NDArray[np.uint64]
Float32Array = npt.NDArray[np.float32]
#: Bytes: a number, or a text such as "512M" or "8G".
Memory = Union[str, int]
#: Names, or one text with commas between them.
Texts = Union[str, Sequence[str], None]
#: Fields of an index: a mapping of names to types (``{"year": "i32"}``) or to options of the
#: field, a list of such options, texts (``"tag:keyword:multi"``), or the path of a JSON file.
SchemaLike = Union[
    Mapping[str, Union[str, Mapping[str, Any]]], Sequence[Union[str, Mapping[str, Any]]], PathLike
]
