"""Invented names of Peruvian merchants, none twice."""

from bot.demo.draws import Draws
from bot.demo.payments.members import MERCHANTS_PER_MCC

# What a business of each MCC calls itself, in the order of the MCCs.
_KINDS = (
    ("Bodega", "Minimarket", "Supermercado", "Mercado"),
    ("Restaurante", "Cevichería", "Pollería", "Chifa", "Café"),
    ("Grifo", "Estación de Servicio", "Servicentro"),
    ("Aerolíneas", "Líneas Aéreas"),
    ("Hotel", "Hostal", "Posada"),
    ("Electro", "Tecnología", "Electrodomésticos"),
    ("Botica", "Farmacia"),
    ("Boutique", "Modas", "Confecciones", "Calzados"),
    ("Telefonía", "Comunicaciones"),
    ("Universidad", "Instituto"),
)

_NAMES = (
    "Alborada", "Algarrobo", "Amaru", "Amazonas", "Ausangate", "Barranco", "Bolognesi", "Caballito de Totora",
    "Cantuta", "Catacaos", "Cayma", "Chan Chan", "Chorrillos", "Colca", "Colán", "Cóndor", "Costa Verde",
    "El Carmen", "El Chalán", "El Dorado", "El Inca", "El Milagro", "El Porvenir", "El Retablo", "El Tumi",
    "Estrella del Sur", "Grau", "Horizonte", "Huanchaco", "Huarango", "Huascarán", "Imperial", "Inti",
    "Jesús María", "Killa", "Kuélap", "La Candelaria", "La Esperanza", "La Huaca", "La Marina", "La Merced",
    "La Molina", "La Perla", "Las Flores", "Las Palmeras", "Los Álamos", "Los Andes", "Los Cedros", "Los Olivos",
    "Lucero", "Lurín", "Magdalena", "Máncora", "Mantaro", "Marañón", "Miraflores", "Misti", "Moche", "Nazca",
    "Nuevo Mundo", "Ollantay", "Pachacútec", "Pacífico", "Paracas", "Primavera", "Pueblo Libre", "Qoricancha",
    "Quinua", "Quiñones", "Retama", "Rímac", "Sacsayhuamán", "Salkantay", "San Blas", "San Francisco", "San Isidro",
    "San José", "San Martín", "San Pedro", "Santa Ana", "Santa Catalina", "Santa María", "Santa Rosa",
    "Señor de Sipán", "Sol de Oro", "Surco", "Tambopata", "Titicaca", "Totora", "Tres Cruces", "Túpac Amaru",
    "Ucayali", "Urubamba", "Vicuña", "Vilcabamba", "Vista Alegre", "Wayra", "Wiracocha", "Yanahuara", "Yungay",
)  # fmt: skip


def merchant_names(draws: Draws) -> tuple[str, ...]:
    """One name for each merchant, in the order of the MCCs.

    Many names are shared by two businesses of different kinds ('Hotel San Martín', 'Botica San Martín'), as in life.
    """
    order = draws.shuffled(len(_NAMES))
    kinds = [
        kinds[at % len(kinds)]
        for kinds, merchants in zip(_KINDS, MERCHANTS_PER_MCC, strict=True)
        for at in range(merchants)
    ]
    return tuple(f"{kind} {_NAMES[order[at % len(_NAMES)]]}" for at, kind in enumerate(kinds))
