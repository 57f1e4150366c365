"""All rules, in the order in which they can rely on each other."""

from semantic_catalog.issues import Issue
from semantic_catalog.validate.answerable import metrics_keep_their_promise
from semantic_catalog.validate.columns import columns_exist
from semantic_catalog.validate.entities import (
    dimensions_are_held,
    joined_entities_exist,
    members_are_listed_once,
    required_joins_are_declared,
)
from semantic_catalog.validate.expressions import expressions_read_known_columns
from semantic_catalog.validate.filters import measures_keep_required_filters
from semantic_catalog.validate.labels import labels_are_in_every_locale
from semantic_catalog.validate.metrics import (
    derived_metrics_are_arithmetic,
    metric_parts_exist,
    metrics_are_not_circular,
    metrics_have_their_parts,
)
from semantic_catalog.validate.names import names_are_unique
from semantic_catalog.validate.plans import (
    needed_dimensions_exist,
    plan_entities_exist,
    templates_split_what_must_be,
    views_look_at_metrics,
)
from semantic_catalog.validate.questions import questions_are_asked_once, questions_are_in_every_locale
from semantic_catalog.validate.rule import DomainSource, Rule
from semantic_catalog.validate.synonyms import ambiguous_words_offer_a_choice, synonyms_mean_one_thing
from semantic_catalog.validate.templates import (
    ambiguous_words_are_known,
    templates_are_answerable,
    templates_are_known,
)
from semantic_catalog.validate.times import times_are_sane

# These follow references only one step, so they hold for any decoded domain.
REFERENCE_RULES: tuple[Rule, ...] = (
    names_are_unique,
    labels_are_in_every_locale,
    questions_are_in_every_locale,
    questions_are_asked_once,
    synonyms_mean_one_thing,
    ambiguous_words_offer_a_choice,
    ambiguous_words_are_known,
    joined_entities_exist,
    required_joins_are_declared,
    dimensions_are_held,
    members_are_listed_once,
    columns_exist,
    times_are_sane,
    metrics_have_their_parts,
    derived_metrics_are_arithmetic,
    metric_parts_exist,
    metrics_are_not_circular,
    templates_are_known,
    plan_entities_exist,
    views_look_at_metrics,
    needed_dimensions_exist,
    templates_split_what_must_be,
    expressions_read_known_columns,
    measures_keep_required_filters,
)
# These walk from metrics to sources, which needs every reference to hold.
REACH_RULES: tuple[Rule, ...] = (
    metrics_keep_their_promise,
    templates_are_answerable,
)


def validate(source: DomainSource) -> tuple[Issue, ...]:
    """All issues of a domain; those of its reach only once its references hold."""
    issues = _apply(REFERENCE_RULES, source)
    if any(issue.severity == "error" for issue in issues):
        return issues
    return issues + _apply(REACH_RULES, source)


def _apply(rules: tuple[Rule, ...], source: DomainSource) -> tuple[Issue, ...]:
    return tuple(issue for rule in rules for issue in rule(source))
