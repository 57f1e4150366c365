"""Who sells which scrap where, and the usual price and quantity of each item."""

from dataclasses import dataclass
from typing import Literal

Driver = Literal["copper", "aluminium", "brass", "lead", "stainless", "ferrous"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item. `price` is roubles a tonne, `quantity` kilograms a cell in an ordinary month, `step` rounds prices."""

    name: str
    group: str
    driver: Driver
    price: int
    quantity: int
    step: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplier:
    """One supplier. `price` and `quantity` are per mille of the usual."""

    name: str
    regions: tuple[str, str]
    price: int
    quantity: int


ITEMS = (
    Item(name="Лом меди М1", group="медь", driver="copper", price=782_000, quantity=14_200),
    Item(name="Лом меди М2", group="медь", driver="copper", price=748_000, quantity=10_400),
    Item(name="Лом меди М3 кусковой", group="медь", driver="copper", price=711_000, quantity=7_900),
    Item(name="Лом меди М3 стружка", group="медь", driver="copper", price=652_000, quantity=4_600),
    Item(name="Лом алюминия А1", group="алюминий", driver="aluminium", price=186_000, quantity=38_000),
    Item(name="Лом алюминия А3", group="алюминий", driver="aluminium", price=142_000, quantity=51_000),
    Item(name="Лом латуни", group="латунь", driver="brass", price=438_000, quantity=9_300),
    Item(name="Лом свинца", group="свинец", driver="lead", price=151_000, quantity=16_500),
    Item(name="Лом нержавеющей стали 08Х18Н10", group="нержавейка", driver="stainless", price=117_000, quantity=33_000),
    Item(name="Лом чёрный 3А", group="чёрный лом", driver="ferrous", price=24_300, quantity=492_000, step=1),
    Item(name="Лом чёрный 12А", group="чёрный лом", driver="ferrous", price=19_700, quantity=371_000, step=1),
)

SUPPLIERS = (
    Supplier(name="Сплав-21", regions=("Урал", "Центр"), price=1_008, quantity=1_320),
    Supplier(name="Втормет Урал", regions=("Урал", "Сибирь"), price=992, quantity=1_180),
    Supplier(name="МеталлТрейд", regions=("Центр", "Сибирь"), price=1_015, quantity=1_050),
    Supplier(name="ЭкоЛом", regions=("Центр", "Урал"), price=985, quantity=640),
    Supplier(name="Чермет-Сервис", regions=("Урал", "Сибирь"), price=997, quantity=1_240),
    Supplier(name="Промресурс", regions=("Сибирь", "Центр"), price=1_003, quantity=560),
)

REGION_PRICES = {"Урал": 1_000, "Сибирь": 972, "Центр": 1_016}

# Metal is collected when the snow is gone, and sold before the year ends.
QUANTITY_SEASON = (820, 840, 930, 1_040, 1_100, 1_120, 1_090, 1_080, 1_060, 1_030, 960, 930)
# Steel works stock up in spring, when little scrap comes in.
FERROUS_SEASON = (985, 1_010, 1_050, 1_060, 1_030, 1_000, 985, 975, 985, 980, 965, 975)

USD_RATE = "курс USD"
LME_COPPER = "LME медь"
LME_ALUMINIUM = "LME алюминий"
SCRAP_INDEX = "индекс лома"
PURCHASE_VOLUME = "объём закупки"
UNITS = {USD_RATE: "₽/USD", LME_COPPER: "USD/т", LME_ALUMINIUM: "USD/т", SCRAP_INDEX: "пункты", PURCHASE_VOLUME: "тонн"}
