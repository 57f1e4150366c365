"""`python -m tests.documents`: writes the made sections of every page again."""

from tests.documents.sections import documents, remade

if __name__ == "__main__":
    for page in documents():
        page.write_text(remade(page.read_text(encoding="utf-8")), encoding="utf-8")
