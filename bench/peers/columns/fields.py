"""The fields of the documents."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Field:
    """A field, with its type as `gannet index --field` has it."""

    name: str
    type: str  #: keyword, u32, i32 or date
    source: str = ""  #: of a real column: its file in the folder of columns

    @property
    def option(self) -> str:
        """What --field is told."""
        return f"{self.name}:{self.type}"


MADE = (
    Field("k100", "keyword"),
    Field("k100000", "keyword"),
    Field("u", "u32"),
    Field("day", "date"),
    Field("row", "u32"),
)
#: Clients (8,003) and amounts of a bakery's sales, levels (70) of players.
REAL = (
    Field("client", "keyword", "Bimbo_1.c02.i32.zst"),
    Field("amount", "i32", "Bimbo_1.c07.i32.zst"),
    Field("level", "keyword", "wowah_data.c01.i32.zst"),
)
FIELDS = MADE + REAL
