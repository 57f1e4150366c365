"""Names of tables and columns that SQL needs no quotes for."""

import re
from unicodedata import normalize

# Words that SQL keeps for itself, and the count of rows that every table has.
_KEPT = """
    all analyse analyze and any array as asc asof at between both by case cast check collate column constraint count
    create cross default deferrable desc describe distinct do else end except false fetch filter for foreign from full
    group having in index initially inner intersect into is join lambda lateral leading left like limit natural not
    null offset on only or order outer over pivot placing primary qualify references returning right row rows select
    show some summarize symmetric table then to trailing true union unique unpivot user using values variadic when
    where window with count_of_rows
"""
_TAKEN = frozenset(_KEPT.split())
_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        ("a", "b", "v", "g", "d", "e", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f",
         "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "iu", "ia"),
        strict=True,
    )
)  # fmt: skip


def sql_names(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Names of plain small letters, digits and underscores, each once, that SQL needs no quotes for."""
    names: list[str] = []
    for place, label in enumerate(labels):
        name = plain_name(label) or f"column_{place + 1}"
        names.append(name if name not in names else f"{name}_{place + 1}")
    return tuple(names)


def plain_name(label: str) -> str:
    """The label in plain letters ('Año fiscal' → 'ano_fiscal', 'Сумма, ₽' → 'summa'); '' when it has none."""
    latin = "".join(_CYRILLIC.get(letter, letter) for letter in label.lower())
    plain = normalize("NFKD", latin).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:50]
    return f"c_{name}" if name[:1].isdigit() or name in _TAKEN else name
