"""A page: templates, numbers as people write them, pictures beside it or inside."""

import base64
import math
import pathlib
import re

import jinja2
from markupsafe import Markup, escape

from .figures import Picture

HERE = pathlib.Path(__file__).parent


def number(value, digits: int = 3) -> str:
    """With a true minus sign; a dash where there is none."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "∞" if value == math.inf else "–"
    return f"{value:.{digits}f}".replace("-", "−")


def cell(value) -> str:
    """Of a table of anything."""
    return number(value) if isinstance(value, float) else str(value)


def duration(seconds: float) -> str:
    if seconds is None or not math.isfinite(seconds):
        return "unknown"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def image(picture: Picture, source: str) -> Markup:
    alt = escape(picture.alt)
    return Markup(f'<img src="{escape(source)}" width="{picture.width}" height="{picture.height}" alt="{alt}">')


def image_beside(picture: Picture) -> Markup:
    return image(picture, picture.file)


def image_inside(picture: Picture) -> Markup:
    kind = {"svg": "image/svg+xml", "png": "image/png"}[picture.kind]
    return image(picture, f"data:{kind};base64,{base64.b64encode(picture.content).decode()}")


def html_table(columns: list[str], rows: list[list], caption: str, kind: str = "") -> Markup:
    """A plain table whose first column names its rows; a row of one cell is a heading of those below it.

    Cells that are Markup stay as they are. `kind`: "numbers" keeps cells in one line; "cards" makes each row a card
    where the window is narrow, its cells named by their columns.
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(
        f'<tr class="group"><th scope="rowgroup" colspan="{len(columns)}">{escape(row[0])}</th></tr>'
        if len(row) == 1
        else f'<tr><th scope="row">{escape(row[0])}</th>{"".join(map(html_cell, columns[1:], row[1:]))}</tr>'
        for row in rows
    )
    title = escape(caption)
    return Markup(
        f'<p class="note">{title}</p><div class="scroll" tabindex="0" role="region" aria-label="{title}">'
        f'<table class="{kind}" aria-label="{title}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def html_cell(column: str, content) -> str:
    if str(content) == "":
        return '<td class="none"></td>'
    return f'<td data-label="{escape(column)}"><div>{escape(content)}</div></td>'


def minus(text: str) -> str:
    """Numbers in running text with a true minus sign."""
    return re.sub(r"(?<![\w.])-(?=[.\d])", "−", text)


def render(template: str, self_contained: bool, **values) -> str:
    """Self-contained: the figures are inside, so that the page can be sent to somebody."""
    loader = jinja2.FileSystemLoader(HERE / "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"number": number, "duration": duration, "minus": minus}
    environment.filters["image"] = image_inside if self_contained else image_beside
    environment.globals["style"] = Markup((HERE / "templates/style.css").read_text())
    return environment.get_template(template).render(**values)
