"""The floor of an answer's files: matplotlib and openpyxl by themselves, with the same rows and next to no design."""

from collections.abc import Sequence
from io import BytesIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from openpyxl import Workbook

from agent.values.result import Row


def bare_chart(title: str, rows: Sequence[Row]) -> bytes:
    """A PNG of the product's size: a bar for each row, named by its first cell and as long as its last."""
    figure = Figure(figsize=(10.24, 6), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(title=title)
    bars = axes.bar([str(row[0]) for row in rows], [float(str(row[-1])) for row in rows])
    axes.bar_label(bars)
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=100)
    return picture.getvalue()


def bare_workbook(header: Sequence[str], rows: Sequence[Row]) -> bytes:
    """An XLSX of one sheet, written row by row in openpyxl's write-only mode."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(list(header))
    for row in rows:
        sheet.append(list(row))
    file = BytesIO()
    book.save(file)
    return file.getvalue()
