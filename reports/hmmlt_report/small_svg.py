"""A drawing of Matplotlib in a fraction of the bytes: what is written twice once, and no digits that nobody sees."""

import base64
import collections
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
from PIL import Image

SVG, LINK = "http://www.w3.org/2000/svg", "{http://www.w3.org/1999/xlink}href"
FONTS = "'DejaVu Sans', 'Bitstream Vera Sans', Verdana, sans-serif"  # wide ones: letters stay within their places
UNIT = 10  # to a point: in tenths of a point, curves need no decimal points
UNSEEN = 0.5  # units: how far a line may run from where it was
LONG = 12  # commands of a path: a curve, in whole units; shorter ones are marks and frames, whose shape shows
LENGTHS = r"(?:^|;)(?:font-size|stroke-width|stroke-dasharray|stroke-dashoffset):[^;]*"  # in a style
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
FACTORS = {"translate": 0, "rotate": 1, "scale": 2, "matrix": 4}  # of a transform, before the numbers that are places
N_COORDINATES = {"M": 2, "L": 2, "Q": 4, "C": 6, "z": 0}


def short(number: float, digits: int = 1) -> str:
    text = f"{number:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    text = re.sub(r"^(-?)0\.", r"\1.", text)
    return "0" if text in ("-0", "") else text


def in_units(text: str, digits: int = 1) -> str:
    return re.sub(NUMBER, lambda number: short(UNIT * float(number[0]), digits), text)


def joined(numbers: list[str]) -> str:
    """A minus sign parts numbers as well as a space does."""
    return "".join(n if n.startswith("-") or k == 0 else f" {n}" for k, n in enumerate(numbers))


def kept_corners(points: np.ndarray) -> np.ndarray:
    """Places of the corners of a polyline without which it would run visibly elsewhere (Douglas and Peucker)."""
    kept = np.zeros(len(points), bool)
    kept[[0, -1]] = True
    open_parts = [(0, len(points) - 1)]
    while open_parts:
        begin, end = open_parts.pop()
        if end - begin < 2:
            continue
        start, along = points[begin], points[end] - points[begin]
        beside = points[begin + 1 : end] - start
        share = np.clip(beside @ along / max(along @ along, 1e-12), 0, 1)
        far = np.hypot(*(beside - share[:, None] * along).T)
        if far.max() > UNSEEN:
            farthest = begin + 1 + int(far.argmax())
            kept[farthest] = True
            open_parts += [(begin, farthest), (farthest, end)]
    return np.flatnonzero(kept)


def parsed(d: str) -> list[tuple[str, np.ndarray]]:
    """Commands and their points in units; Matplotlib writes absolute ones only."""
    out = []
    for letter, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        values = UNIT * np.array(numbers.split(), float)
        if len(values) != N_COORDINATES.get(letter, -1):
            raise ValueError(f"small_svg: expected a path of M, L, Q, C and z, found {letter}{numbers}")
        out.append((letter, values.reshape(-1, 2)))
    return out


def without_unseen_corners(commands: list[tuple[str, np.ndarray]]) -> list[tuple[str, np.ndarray]]:
    out, at = [], 0
    while at < len(commands):
        end = at + 1
        while commands[at][0] in "ML" and end < len(commands) and commands[end][0] == "L":
            end += 1
        line = commands[at:end]
        if len(line) > 2:
            line = [line[k] for k in kept_corners(np.array([points[0] for _, points in line]))]
        out += line
        at = end
    return out


def short_path(d: str) -> str:
    """Each point as its distance from the last one as it was written, so that rounding does not add up."""
    commands = without_unseen_corners(parsed(d))
    scale = 1 if len(commands) > LONG else 10
    out, here, start, last = "", np.zeros(2), np.zeros(2), ""
    for letter, points in commands:
        if letter == "z":
            out, here, last = out + "z", start, "z"
            continue
        points = np.round(points * scale)
        if letter == "M":
            start = points[0]
        numbers = [short(value / scale) for value in (points - here).ravel()]
        command = "l" if last == "m" and letter == "L" else letter.lower()
        repeated = letter == {"l": "L", "c": "C", "q": "Q"}.get(last)
        text = joined(numbers)
        out += (text if text.startswith("-") else f" {text}") if repeated else command + text
        here, last = points[-1], command
    return out


def circle(d: str) -> dict[str, str] | None:
    """Centre and radius of a path that is one: Matplotlib draws a round mark as eight curves."""
    commands = parsed(d)
    if "".join(letter for letter, _ in commands) != "MCCCCCCCCz":
        return None
    corners = np.array([points[-1] for letter, points in commands if letter == "C"])
    centre = corners.mean(axis=0)
    radii = np.hypot(*(corners - centre).T)
    if np.ptp(radii) > UNSEEN:
        return None
    return {"cx": short(centre[0]), "cy": short(centre[1]), "r": short(radii.mean())}


def small_image(source: str) -> str:
    """The pixels of a picture as they are, with a palette where it has few colours."""
    raw = base64.b64decode(source.split(",", 1)[1])
    image = Image.open(io.BytesIO(raw)).convert("RGBA")
    if image.getextrema()[3][0] == 255:
        image = image.convert("RGB")
        pixels = np.asarray(image)
        if (pixels == pixels[..., :1]).all():
            image = image.convert("L")
        elif image.getcolors(256):
            image = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            if (np.asarray(image.convert("RGB")) != pixels).any():
                image = Image.fromarray(pixels)
    out = io.BytesIO()
    image.save(out, format="png", optimize=True)
    best = min(raw, out.getvalue(), key=len)
    return f"data:image/png;base64,{base64.b64encode(best).decode()}"


def transform_in_units(text: str) -> str:
    """Places are in units; angles and factors stay."""

    def one(found: re.Match) -> str:
        name, numbers = found[1], [float(number) for number in re.findall(NUMBER, found[2])]
        first_place = FACTORS[name]
        places = [short(UNIT * number) for number in numbers[first_place:]]
        return f"{name}({' '.join([short(number, 6) for number in numbers[:first_place]] + places)})"

    return re.sub(r"(\w+)\(([^)]*)\)", one, text)


def short_attributes(element: ET.Element, used: set[str]) -> None:
    attributes = element.attrib
    if attributes.get("id") not in used:
        attributes.pop("id", None)
    if re.match(r"rotate\(-?0 ", attributes.get("transform", "")):
        del attributes["transform"]
    if "transform" in attributes:
        attributes["transform"] = transform_in_units(attributes["transform"])
    for name in ("x", "y", "width", "height"):
        if name in attributes:
            attributes[name] = in_units(attributes[name])
    if "d" in attributes:
        d = attributes.pop("d")
        round_mark = circle(d)
        element.tag = f"{{{SVG}}}circle" if round_mark else element.tag
        attributes.update(round_mark or {"d": short_path(d)})
    if attributes.get(LINK, "").startswith("data:"):
        attributes[LINK] = small_image(attributes[LINK])
    if "clip-path" in attributes:  # so that it is named together with the rest of the style
        attributes["style"] = f"clip-path:{attributes.pop('clip-path')};{attributes.get('style', '')}"
    if "style" in attributes:
        parts = re.sub(r"\s*([:;,])\s*", r"\1", attributes["style"]).strip(";")
        parts = re.sub(r"font-family:'DejaVu Sans';?", "", parts).strip(";")
        attributes["style"] = re.sub(LENGTHS, lambda found: in_units(found[0], 2), parts)


def without_empty_groups(element: ET.Element) -> None:
    """A group that says nothing about what is in it is not needed."""
    children = []
    for child in list(element):
        without_empty_groups(child)
        children += list(child) if child.tag == f"{{{SVG}}}g" and not child.attrib else [child]
    element[:] = children


def halos_with_their_letters(parent: ET.Element) -> None:
    """Letters with a halo are drawn twice, first with a stroke around them: here once, the stroke first."""
    kept: list[ET.Element] = []
    for child in parent:
        halos_with_their_letters(child)
        d, style = child.get("d"), child.get("style")
        halo = kept[-1] if kept else None
        if d and halo is not None and halo.get("d") == d and halo.get("style", "").startswith(f"{style};stroke:"):
            halo.set("style", f"{halo.get('style')};paint-order:stroke")
        else:
            kept.append(child)
    parent[:] = kept


def styles_as_classes(root: ET.Element, sheet: ET.Element) -> None:
    """A style that occurs more than once gets a name."""
    counts = collections.Counter(element.get("style") for element in root.iter() if element.get("style"))
    names = {style: f"c{k}" for k, (style, n) in enumerate(counts.items()) if n > 1}
    for element in root.iter():
        style = element.get("style")
        if style in names:
            element.set("class", names[style])
            del element.attrib["style"]
    sheet.text = (
        f"svg{{stroke-width:{UNIT}}}*{{stroke-linejoin:round;stroke-linecap:butt}}"
        + f"text{{font-family:{FONTS}}}"
        + "".join(f".{name}{{{style}}}" for style, name in names.items())
    )


def small_svg(text: str) -> str:
    root = ET.fromstring(text)
    for child in [child for child in root if child.tag == f"{{{SVG}}}metadata"]:
        root.remove(child)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', text))
    root.set("viewBox", in_units(root.get("viewBox")))
    for element in root.iter():
        if element is not root:
            short_attributes(element, used)
        element.tail = "\n"
        if element.text and not element.text.strip():
            element.text = None
    without_empty_groups(root)
    halos_with_their_letters(root)
    styles_as_classes(root, root.find(f".//{{{SVG}}}style"))
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", LINK[1:].split("}")[0])
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")
