"""Packages that parts of this one need, and that not everybody has."""

from __future__ import annotations

import importlib
from typing import Any

from gannet._gannet import UsageError

#: By the names of extras, what pip installs. An extra of "gannet" is not named: on the Python
#: package index that is another project.
_INSTALLED_BY = {
    "pandas": ("pandas",),
    "eval": ("ir-measures", "pandas"),
    "datasets": ("ir-datasets",),
    "pt": ("python-terrier", "pandas"),
    "plot": ("matplotlib", "pandas"),
    "ray": ("ray",),
}


def package(name: str, extra: str, purpose: str) -> Any:
    """The module `name`, of the extra `extra`. Raises UsageError, saying what to install."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0]:
            raise  # it is there, but lacks something itself
        raise UsageError(
            f"{purpose} needs {error.name}: pip install {' '.join(_INSTALLED_BY[extra])}"
        ) from None


def required(name: str, extra: str, where: str) -> Any:
    """As package(), where a module of this package cannot work without it: ImportError."""
    try:
        return package(name, extra, where)
    except UsageError as error:
        raise ModuleNotFoundError(str(error), name=name) from None
