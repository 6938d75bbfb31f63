"""What an experiment says about itself: experiment.toml, claims.toml and the published curves beside them."""

import pathlib
import re
import tomllib
from dataclasses import dataclass, field

import pandas as pd

from .chains import ReportError
from .published import curve_of, filled, published_mean, read_curves
from .quantities import greek
from .quantities import label as known_label
from .rules import OF_PAPER, OF_QUESTION, RULES

MODEL_NAMES = {
    "hdp_hmm": "HDP-HMM",
    "sticky": "Sticky",
    "lt": "LT",
    "sticky_lt": "Sticky-LT",
    "factorial": "Factorial",
}
DEFAULT_FIGURES = ["f1", "lambda", "states_used", "train_log_likelihood", "test_log_likelihood"]


@dataclass(frozen=True)
class Claim:
    id: str
    text: str
    published: str  # empty: a question of ours
    quantity: str
    rule: str
    models: list[str]
    than: list[str]
    parameters: dict
    level: float
    found: str = ""  # what was found out about why, written after a run

    @property
    def words(self) -> dict[str, str]:
        """What its verdicts are called."""
        return OF_PAPER if self.published else OF_QUESTION

    @property
    def label(self) -> str:
        """Claim 2; one with words after the number is a variation of ours on the paper's claim of that number."""
        number, _, variation = self.id.partition(", ")
        return f"{'Claim' if self.published else 'Question'} {number}" + (f", variation: {variation}" if variation else "")

    @property
    def anchor(self) -> str:
        return "-".join(re.findall(r"[a-z0-9]+", self.id.lower().replace("λ", "lambda")))


@dataclass(frozen=True)
class Level:
    """What a part `-<name>-<value>` of a model's folder means: a model of its own, or a bracket beside the scores."""

    title: str
    bracket: bool
    axis: str = ""  # what its values are, where a figure has them along an axis


@dataclass
class Experiment:
    name: str
    title: str
    order: float = float("inf")  # among the experiments of a page; those that do not say come last, by name
    question: str = ""
    protocol: str = ""  # of the published runs
    models: dict[str, str] = field(default_factory=dict)  # titles, in display order
    levels: dict[str, Level] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=lambda: dict.fromkeys(DEFAULT_FIGURES, ""))  # titles by quantity
    variants: dict[str, str] = field(default_factory=dict)
    full_burn_in: dict[str, int] = field(default_factory=dict)  # by variant, of the full length
    score: str = ""
    summary: list[str] = field(default_factory=list)  # quantities of its tables beside those that figures show
    images: dict[str, bool] = field(default_factory=dict)
    headline: dict[str, str] = field(default_factory=dict)  # quantity and variant of the figure in the headline
    front: dict[str, object] = field(default_factory=dict)  # of the front page's picture: variant, models, words
    published_variant: str = ""  # whose settings the published curves have, and what those are called
    published_settings: str = ""
    claims: list[Claim] = field(default_factory=list)
    published: dict[str, pd.DataFrame] = field(default_factory=dict)

    def levels_of(self, model: str) -> dict[str, str]:
        """{lambda: 5} of lt-lambda-5."""
        parts = model.split("-")[1:]
        return dict(zip(parts[::2], parts[1::2]))

    def base(self, model: str) -> str:
        return model.split("-")[0]

    def is_bracket(self, model: str) -> bool:
        return any(name in self.levels and self.levels[name].bracket for name in self.levels_of(model))

    def model_name(self, model: str) -> str:
        base = self.base(model)
        words = [self.models.get(base) or MODEL_NAMES.get(base) or base.replace("_", "-")]
        for name, value in self.levels_of(model).items():
            title = self.levels[name].title if name in self.levels else "{name} = {value}"
            words.append(greek(title.format(name=name, value=value)))
        return ", ".join(words)

    def published_value(self, quantity: str, model: str) -> float:
        """What the published runs of a model, with the lambda that its name says, came to; NaN if there are none."""
        fixed = self.levels_of(model).get("lambda")
        if self.is_bracket(model):
            return float("nan")
        return published_mean(curve_of(self.published, quantity, self.base(model), float(fixed) if fixed else None))

    def other_settings(self, variant: str) -> str:
        """Words for where published numbers stand beside a variant that has other settings than they had."""
        return self.published_settings if self.published_variant not in ("", variant) else ""

    def label(self, quantity: str) -> str:
        return self.figures.get(quantity) or known_label(quantity)

    def in_order(self, models) -> list[str]:
        order = list(self.models or MODEL_NAMES)

        def place(model: str):
            base = self.base(model)
            return (
                order.index(base) if base in order else len(order),
                base,
                [number_or_text(v) for v in self.levels_of(model).values()],
            )

        return sorted(set(models), key=place)


def in_page_order(runs: list, experiments: dict[str, Experiment]) -> list:
    """Runs by the order of experiments, their variants as experiment.toml lists them, the paper's sampler first."""
    samplers = ("single", "blocked")

    def place(run):
        experiment = experiments[run.experiment]
        variants = list(experiment.variants)
        return (
            experiment.order,
            run.experiment,
            variants.index(run.variant) if run.variant in variants else len(variants),
            samplers.index(run.sampler) if run.sampler in samplers else len(samplers),
        )

    return sorted(runs, key=place)


def number_or_text(value: str) -> tuple[float, str]:
    try:
        return float(value), ""
    except ValueError:
        return float("inf"), value


def read_toml(path: pathlib.Path) -> dict:
    try:
        return tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise ReportError(f"{path}: {error}") from None


def entries(path: pathlib.Path, table: dict, key: str, name: str = "name") -> dict[str, dict]:
    """An array of tables by their names, in order."""
    out = {}
    for entry in table.get(key, []):
        if not isinstance(entry, dict) or name not in entry:
            raise ReportError(f"{path}: expected each [[{key}]] to have a key {name}, found {entry}")
        out[str(entry[name])] = entry
    return out


def read_claim(path: pathlib.Path, entry: dict, curves: dict[str, pd.DataFrame]) -> Claim:
    where = f"{path}: claim {entry.get('id', '?')}"
    for key in ("id", "text", "quantity", "rule", "models"):
        if key not in entry:
            raise ReportError(f"{where}: expected a key {key}, found {', '.join(entry)}")
    rule = RULES.get(entry["rule"])
    if rule is None:
        raise ReportError(f"{where}: expected a rule among {', '.join(RULES)}, found {entry['rule']}")
    absent = [p for p in (*rule.parameters, *(["than"] if rule.paired else [])) if p not in entry]
    if absent:
        raise ReportError(f"{where}: rule {entry['rule']} needs {', '.join(absent)}")
    return Claim(
        id=str(entry["id"]),
        text=entry["text"],
        published=filled(entry.get("published", ""), curves, where),
        quantity=entry["quantity"],
        rule=entry["rule"],
        models=entry["models"],
        than=entry.get("than", []),
        parameters={p: float(entry[p]) for p in rule.parameters},
        level=float(entry.get("level", 0.95)),
        found=" ".join(entry.get("found", "").split()),
    )


def read_about(path: pathlib.Path, experiment: Experiment) -> None:
    about = read_toml(path)
    experiment.title = about.get("title", experiment.title)
    experiment.order = about.get("order", experiment.order)
    experiment.protocol = " ".join(about.get("protocol", "").split())
    experiment.question = " ".join(about.get("question", "").split())
    experiment.models = {name: entry.get("title", "") for name, entry in entries(path, about, "models").items()}
    experiment.levels = {
        name: Level(entry.get("title", "{name} = {value}"), entry.get("role") == "bracket", entry.get("axis", ""))
        for name, entry in entries(path, about, "levels").items()
    }
    variants = entries(path, about, "variants")
    experiment.variants = {name: entry.get("title", "") for name, entry in variants.items()}
    experiment.full_burn_in = {name: entry["burn_in"] for name, entry in variants.items() if "burn_in" in entry}
    figures = entries(path, about, "figures", "quantity")
    titles = {quantity: greek(entry.get("title", "")) for quantity, entry in figures.items()}
    experiment.figures = titles or experiment.figures
    experiment.score = about.get("score", {}).get("quantity", "")
    experiment.summary = about.get("summary", {}).get("quantities", [])
    experiment.images = about.get("images", {})
    experiment.headline = about.get("headline", {})
    experiment.front = about.get("front", {})
    experiment.published_variant = about.get("published", {}).get("variant", "")
    experiment.published_settings = about.get("published", {}).get("settings", "")


def read_experiment(folder: pathlib.Path) -> Experiment:
    """A folder without these files gives an experiment with defaults and no claims."""
    experiment = Experiment(folder.name, folder.name.replace("_", " ").capitalize())
    path = folder / "experiment.toml"
    if path.exists():
        read_about(path, experiment)
    experiment.published = read_curves(folder / "published")
    claims = folder / "claims.toml"
    if claims.exists():
        entries_of = read_toml(claims).get("claims", [])
        experiment.claims = [read_claim(claims, entry, experiment.published) for entry in entries_of]
    return experiment
