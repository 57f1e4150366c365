"""Examples and trusted queries are asked in every language, each question once."""

from collections.abc import Iterator

from semantic_catalog.issues import Issue
from semantic_catalog.model import LOCALES, Domain
from semantic_catalog.validate.rule import DomainSource
from semantic_catalog.words import fold_phrase

Asked = tuple[str, tuple[str, ...]]


def questions_are_in_every_locale(source: DomainSource) -> Iterator[Issue]:
    """Each trusted query is asked in every language; a language without any example is a warning."""
    for query in source.domain.trusted_queries:
        for locale in LOCALES:
            if not query.questions.get(locale):
                yield source.issue(f"no question in '{locale}'", "trusted_queries", query.name, "questions")
    spoken = {example.locale for example in source.domain.examples}
    for locale in LOCALES:
        if source.domain.examples and locale not in spoken:
            yield source.issue(f"no example in '{locale}'", "examples", severity="warning")


def questions_are_asked_once(source: DomainSource) -> Iterator[Issue]:
    """No two examples, and no two trusted queries, are the same question."""
    for asked in (_example_questions(source.domain), _trusted_questions(source.domain)):
        seen: set[str] = set()
        for question, path in asked:
            folded = fold_phrase(question)
            if folded in seen:
                yield source.issue(f"the question '{question}' is asked twice", *path)
            seen.add(folded)


def _example_questions(domain: Domain) -> Iterator[Asked]:
    for index, example in enumerate(domain.examples):
        yield example.question, ("examples", str(index), "question")


def _trusted_questions(domain: Domain) -> Iterator[Asked]:
    for query in domain.trusted_queries:
        for locale, questions in query.questions.items():
            for index, question in enumerate(questions):
                yield question, ("trusted_queries", query.name, "questions", locale, str(index))
