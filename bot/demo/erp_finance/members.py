"""The group's companies, profit centres, cost centres and chart of accounts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfitCentre:
    """One profit centre. `size` is its monthly revenue in céntimos when the data begins; headquarters' is its budget.

    `growth` is per mille of that a month; `season` per mille of an ordinary month, January first.
    """

    code: str
    name: str
    company: str
    unit: str
    region: str
    manager: str
    size: int
    growth: int
    season: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCentre:
    """One cost centre. `share` is its part of what its profit centre's cost centres share, per mille."""

    code: str
    name: str
    cebe: str
    share: int
    has_workers: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One account. `sign` times a ledger amount is what reports show: positive for income and for every cost."""

    code: str
    name: str
    group: str

    @property
    def line(self) -> str:
        """The line of the income statement."""
        return LINES[self.group]

    @property
    def sign(self) -> int:
        """Income is credited, so the ledger holds it below zero."""
        return -1 if self.group == "INGRESOS" else 1


LINES = {
    "INGRESOS": "Revenue",
    "COSTO DE VENTAS": "Cost of Sales",
    "COSTOS MANO DE OBRA": "Labour Costs",
    "GASTOS DE VENTA": "Operating Expenses",
    "GASTOS ADMINISTRATIVOS": "Operating Expenses",
    "DEPRECIACION": "Depreciation",
    "GASTOS FINANCIEROS": "Interest",
    "IMPUESTOS": "Taxes",
}

CURRENCY = "PEN"

COMPANIES = (("1000", "Andina Foods", "Peru"), ("2000", "Andina Logistics", "Peru"))

_FLAT = (1_000,) * 12
_FEASTS = (930, 940, 970, 980, 990, 990, 1_050, 990, 980, 1_000, 1_030, 1_180)
_SCHOOL = (950, 960, 1_040, 1_030, 1_020, 1_010, 1_000, 990, 1_010, 1_000, 990, 1_020)
_SUMMER = (1_220, 1_210, 1_130, 990, 900, 850, 860, 880, 920, 970, 1_030, 1_110)
_FREIGHT = (940, 930, 960, 980, 990, 1_000, 1_010, 1_010, 1_020, 1_040, 1_060, 1_090)

PROFIT_CENTRES = (
    ProfitCentre(
        code="CB100", name="Bakery", company="1000", unit="Consumer", region="Lima", manager="bakery_manager",
        size=420_000_000, growth=5, season=_FEASTS,
    ),
    ProfitCentre(
        code="CB110", name="Dairy", company="1000", unit="Consumer", region="Arequipa", manager="dairy_manager",
        size=560_000_000, growth=4, season=_SCHOOL,
    ),
    ProfitCentre(
        code="CB120", name="Beverages", company="1000", unit="Consumer", region="Trujillo", manager="beverages_manager",
        size=340_000_000, growth=6, season=_SUMMER,
    ),
    ProfitCentre(
        code="CB200", name="Trucking", company="2000", unit="Logistics", region="Lima", manager="trucking_manager",
        size=290_000_000, growth=4, season=_FREIGHT,
    ),
    ProfitCentre(
        code="CB210", name="Warehousing", company="2000", unit="Logistics", region="Arequipa",
        manager="warehousing_manager", size=160_000_000, growth=8, season=_FLAT,
    ),
    ProfitCentre(
        code="CB300", name="Headquarters", company="1000", unit="Corporate", region="Lima", manager="finance_director",
        size=110_000_000, growth=3, season=_FLAT,
    ),
)  # fmt: skip

COST_CENTRES = (
    CostCentre(code="CC1001", name="Ovens", cebe="CB100", share=640),
    CostCentre(code="CC1002", name="Bakery Packaging", cebe="CB100", share=360),
    CostCentre(code="CC1101", name="Pasteurising", cebe="CB110", share=580),
    CostCentre(code="CC1102", name="Cold Chain", cebe="CB110", share=420),
    CostCentre(code="CC1201", name="Bottling", cebe="CB120", share=1_000),
    CostCentre(code="CC2001", name="Fleet Lima", cebe="CB200", share=610),
    CostCentre(code="CC2002", name="Fleet South", cebe="CB200", share=390),
    CostCentre(code="CC2101", name="Callao Warehouse", cebe="CB210", share=1_000),
    CostCentre(code="CC3001", name="Finance", cebe="CB300", share=420, has_workers=False),
    CostCentre(code="CC3002", name="IT", cebe="CB300", share=350, has_workers=False),
    CostCentre(code="CC3003", name="Human Resources", cebe="CB300", share=230, has_workers=False),
)

_GROUPS = {
    "INGRESOS": (
        ("701100", "Venta de productos terminados"),
        ("701200", "Venta de mercaderías"),
        ("702100", "Ventas de exportación"),
        ("703100", "Servicios de maquila"),
        ("704100", "Servicios de transporte de carga"),
        ("704200", "Servicios de almacenaje"),
        ("704300", "Servicios logísticos complementarios"),
    ),
    "COSTO DE VENTAS": (
        ("691100", "Materias primas e insumos"),
        ("691200", "Envases y embalajes"),
        ("691300", "Costo de mercaderías vendidas"),
        ("691400", "Combustible y lubricantes"),
        ("691500", "Peajes y fletes de terceros"),
        ("691600", "Energía y agua de planta"),
        ("691700", "Mantenimiento de equipos y vehículos"),
    ),
    "COSTOS MANO DE OBRA": (
        ("621100", "Sueldos de empleados"),
        ("621200", "Jornales de obreros"),
        ("621300", "Horas extras"),
        ("621400", "Provisión de gratificaciones"),
        ("621500", "Compensación por tiempo de servicios"),
        ("627100", "EsSalud y seguros del personal"),
    ),
    "GASTOS DE VENTA": (
        ("631100", "Transporte y distribución de ventas"),
        ("637100", "Publicidad y promoción"),
        ("637200", "Comisiones de venta"),
        ("637300", "Merchandising y degustaciones"),
        ("637400", "Estudios de mercado"),
        ("637500", "Gastos de representación"),
    ),
    "GASTOS ADMINISTRATIVOS": (
        ("632100", "Asesoría legal y tributaria"),
        ("632200", "Auditoría y consultoría"),
        ("633100", "Viajes y viáticos"),
        ("635100", "Alquiler de locales"),
        ("636100", "Telefonía e internet"),
        ("636200", "Vigilancia y limpieza"),
        ("639100", "Comisiones y gastos bancarios"),
        ("651100", "Seguros"),
        ("653100", "Capacitación y suscripciones"),
        ("656100", "Útiles y suministros de oficina"),
        ("658100", "Licencias de software"),
        ("659100", "Otros gastos de gestión"),
    ),
    "DEPRECIACION": (
        ("681100", "Depreciación de edificios"),
        ("681200", "Depreciación de maquinaria y equipo"),
        ("681300", "Depreciación de vehículos"),
        ("682100", "Amortización de software"),
    ),
    "GASTOS FINANCIEROS": (
        ("673100", "Intereses de préstamos bancarios"),
        ("673200", "Intereses de arrendamiento financiero"),
    ),
    "IMPUESTOS": (
        ("641100", "Impuesto predial y arbitrios"),
        ("881100", "Impuesto a la renta"),
    ),
}

ACCOUNTS = tuple(
    Account(code=code, name=name, group=group) for group, accounts in _GROUPS.items() for code, name in accounts
)
