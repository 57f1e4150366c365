"""Confirmed meanings against the catalog: what they are called, and whether they still hold."""

from dataclasses import dataclass

from agent.values.identity import Principal
from agent.values.personal import Meaning
from agent.wording.texts import say
from semantic_catalog.model import Catalog, Dimension, Domain, Locale, Names


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    names: Names
    member: Names | None = None
    value: str = ""


def holds(meaning: Meaning, catalog: Catalog) -> bool:
    """Whether the catalog still has what the meaning stands for. Habits that name nothing of it always hold."""
    match meaning.slot:
        case "domain":
            return any(domain.name == meaning.value for domain in catalog.domains)
        case "metric" | "dimension" | "member":
            domain = _domain(meaning.domain, catalog)
            return domain is not None and _find(meaning, domain) is not None
        case _:
            return True


def is_open_to(meaning: Meaning, principal: Principal) -> bool:
    """Whether the person may see the domain that the meaning is about, if it is about one."""
    about = meaning.value if meaning.slot == "domain" else meaning.domain
    return not about or any(name == about for name in principal.domains)


def choice_label(meaning: Meaning, catalog: Catalog, locale: Locale) -> str:
    """What a card calls the thing that the meaning stands for. The meaning must hold."""
    match meaning.slot:
        case "domain":
            domain = _domain(meaning.value, catalog)
            return domain.names.in_locale(locale) if domain else meaning.value
        case "metric" | "dimension" | "member":
            domain = _domain(meaning.domain, catalog)
            found = _find(meaning, domain) if domain else None
            return _label(found, locale) if found else meaning.value
        case "chart" | "locale":
            return say(locale, f"command.{meaning.slot}_{meaning.value}")
        case _:
            return meaning.value


def _label(found: _Named, locale: Locale) -> str:
    label = found.names.in_locale(locale)
    member = found.member.in_locale(locale) if found.member else found.value
    return f"{label}: {member}" if member else label


def _find(meaning: Meaning, domain: Domain) -> _Named | None:
    if meaning.slot == "metric":
        return next((_Named(names=metric.names) for metric in domain.metrics if metric.name == meaning.value), None)
    name, _, value = meaning.value.partition("=")
    dimension = next((each for each in domain.dimensions if each.name == name), None)
    if dimension is None or meaning.slot == "dimension":
        return _Named(names=dimension.names) if dimension else None
    return _member(dimension, value)


def _member(dimension: Dimension, value: str) -> _Named | None:
    """Members of the warehouse are not known here: their dimension must be there."""
    listed = next((member for member in dimension.members if member.value == value), None)
    if listed is not None:
        return _Named(names=dimension.names, member=listed.names)
    return _Named(names=dimension.names, value=value) if dimension.members_from == "warehouse" else None


def _domain(name: str, catalog: Catalog) -> Domain | None:
    return next((domain for domain in catalog.domains if domain.name == name), None)
