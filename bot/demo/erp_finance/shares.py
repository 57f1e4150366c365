"""What each profit centre earns and spends on which account, per mille of its size, when the data begins."""

Weights = dict[str, int]

_ADMINISTRATION: Weights = {
    "632100": 90, "632200": 80, "633100": 110, "635100": 190, "636100": 55, "636200": 135, "639100": 40, "651100": 115,
    "653100": 35, "656100": 45, "658100": 75, "659100": 30,
}  # fmt: skip
_PAYROLL: Weights = {"621100": 330, "621200": 350, "621300": 70, "621400": 110, "621500": 70, "627100": 70}
_OFFICE_PAYROLL: Weights = {"621100": 680, "621400": 140, "621500": 90, "627100": 90}
_FOOD_MATERIALS: Weights = {"691100": 560, "691200": 170, "691300": 120, "691600": 90, "691700": 60}
_FOOD_SALES: Weights = {"631100": 430, "637100": 250, "637200": 170, "637300": 80, "637400": 30, "637500": 40}
_SERVICE_SALES: Weights = {"637100": 280, "637200": 560, "637500": 160}
_PLANT: Weights = {"681100": 260, "681200": 620, "682100": 120}

# Profit centre -> account group -> per mille of the size, and how the group divides among its accounts.
SHARES: dict[str, dict[str, tuple[int, Weights]]] = {
    "CB100": {
        "INGRESOS": (1_000, {"701100": 790, "701200": 120, "703100": 90}),
        "COSTO DE VENTAS": (520, _FOOD_MATERIALS),
        "COSTOS MANO DE OBRA": (140, _PAYROLL),
        "GASTOS DE VENTA": (90, _FOOD_SALES),
        "GASTOS ADMINISTRATIVOS": (52, _ADMINISTRATION),
        "DEPRECIACION": (36, _PLANT),
        "GASTOS FINANCIEROS": (12, {"673100": 700, "673200": 300}),
        "IMPUESTOS": (30, {"641100": 60, "881100": 940}),
    },
    "CB110": {
        "INGRESOS": (1_000, {"701100": 740, "701200": 100, "702100": 160}),
        "COSTO DE VENTAS": (588, _FOOD_MATERIALS),
        "COSTOS MANO DE OBRA": (116, _PAYROLL),
        "GASTOS DE VENTA": (85, _FOOD_SALES),
        "GASTOS ADMINISTRATIVOS": (46, _ADMINISTRATION),
        "DEPRECIACION": (40, _PLANT),
        "GASTOS FINANCIEROS": (15, {"673100": 800, "673200": 200}),
        "IMPUESTOS": (24, {"641100": 70, "881100": 930}),
    },
    "CB120": {
        "INGRESOS": (1_000, {"701100": 700, "701200": 120, "702100": 180}),
        "COSTO DE VENTAS": (470, _FOOD_MATERIALS),
        "COSTOS MANO DE OBRA": (122, _PAYROLL),
        "GASTOS DE VENTA": (152, _FOOD_SALES),
        "GASTOS ADMINISTRATIVOS": (56, _ADMINISTRATION),
        "DEPRECIACION": (43, _PLANT),
        "GASTOS FINANCIEROS": (14, {"673100": 650, "673200": 350}),
        "IMPUESTOS": (28, {"641100": 60, "881100": 940}),
    },
    "CB200": {
        "INGRESOS": (1_000, {"704100": 880, "704300": 120}),
        "COSTO DE VENTAS": (556, {"691400": 520, "691500": 310, "691700": 170}),
        "COSTOS MANO DE OBRA": (204, _PAYROLL),
        "GASTOS DE VENTA": (28, _SERVICE_SALES),
        "GASTOS ADMINISTRATIVOS": (88, _ADMINISTRATION),
        "DEPRECIACION": (70, {"681100": 60, "681300": 890, "682100": 50}),
        "GASTOS FINANCIEROS": (25, {"673100": 240, "673200": 760}),
        "IMPUESTOS": (10, {"641100": 240, "881100": 760}),
    },
    "CB210": {
        "INGRESOS": (1_000, {"704200": 800, "704300": 200}),
        "COSTO DE VENTAS": (332, {"691200": 160, "691400": 180, "691600": 380, "691700": 280}),
        "COSTOS MANO DE OBRA": (190, _PAYROLL),
        "GASTOS DE VENTA": (34, _SERVICE_SALES),
        "GASTOS ADMINISTRATIVOS": (132, _ADMINISTRATION),
        "DEPRECIACION": (90, {"681100": 580, "681200": 310, "681300": 110}),
        "GASTOS FINANCIEROS": (30, {"673100": 820, "673200": 180}),
        "IMPUESTOS": (36, {"641100": 190, "881100": 810}),
    },
    "CB300": {
        "COSTOS MANO DE OBRA": (560, _OFFICE_PAYROLL),
        "GASTOS DE VENTA": (60, {"637100": 480, "637400": 200, "637500": 320}),
        "GASTOS ADMINISTRATIVOS": (520, _ADMINISTRATION),
        "DEPRECIACION": (46, {"681100": 300, "681300": 120, "682100": 580}),
        "GASTOS FINANCIEROS": (88, {"673100": 900, "673200": 100}),
        "IMPUESTOS": (8, {"641100": 700, "881100": 300}),
    },
}

# What headquarters' cost centres pay for; whatever is not listed is Finance's.
HEADQUARTERS_HOMES = {
    "636100": "CC3002",
    "658100": "CC3002",
    "653100": "CC3003",
    "656100": "CC3003",
    "637500": "CC3003",
}
