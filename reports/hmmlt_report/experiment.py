"""What an experiment says about itself: experiment.toml, claims.toml and the published curves beside them."""

import pathlib
import tomllib
from dataclasses import dataclass, field

import pandas as pd

from .chains import ReportError
from .rules import RULES

MODEL_NAMES = {
    "hdp_hmm": "HDP-HMM",
    "sticky": "Sticky",
    "lt": "LT",
    "sticky_lt": "Sticky-LT",
    "factorial": "Factorial",
}
QUANTITIES = {  # name: what it is called, and how many decimals it is worth
    "f1": ("F1", 3),
    "precision": ("precision", 3),
    "recall": ("recall", 3),
    "accuracy": ("accuracy", 3),
    "lambda": ("λ", 2),
    "states_used": ("states used", 1),
    "alpha": ("α", 2),
    "gamma": ("γ", 2),
    "train_log_likelihood": ("train log likelihood per step", 3),
    "test_log_likelihood": ("test log likelihood per step", 3),
    "test_log_likelihood_expected": ("test log likelihood per step, expected emission", 3),
}
DEFAULT_FIGURES = ["f1", "lambda", "states_used", "train_log_likelihood", "test_log_likelihood", "test_log_likelihood_expected"]


@dataclass(frozen=True)
class Claim:
    id: str
    text: str
    published: str
    quantity: str
    rule: str
    models: list[str]
    than: list[str]
    parameters: dict
    level: float
    variants: list[str] | None


@dataclass
class Experiment:
    name: str
    title: str
    question: str = ""
    models: dict[str, str] = field(default_factory=dict)  # in display order
    figures: list[str] = field(default_factory=lambda: list(DEFAULT_FIGURES))
    labels: dict[str, str] = field(default_factory=dict)
    variants: dict[str, str] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    published: dict[str, pd.DataFrame] = field(default_factory=dict)

    def model_name(self, model: str) -> str:
        return self.models.get(model) or MODEL_NAMES.get(model) or model.replace("_", "-")

    def label(self, quantity: str) -> str:
        return self.labels.get(quantity) or QUANTITIES.get(quantity, (quantity.replace("_", " "), 3))[0]

    def in_order(self, models) -> list[str]:
        known = [model for model in self.models or MODEL_NAMES if model in models]
        return known + sorted(set(models) - set(known))


def decimals(quantity: str) -> int:
    return QUANTITIES.get(quantity, ("", 3))[1]


def read_toml(path: pathlib.Path) -> dict:
    try:
        return tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise ReportError(f"{path}: {error}") from None


def named(entries, key: str = "name") -> dict[str, str]:
    """{id: name} from any of: ["a", "b"], {a = "A"}, [{id = "a", name = "A"}], {a = {name = "A"}}."""
    if isinstance(entries, dict):
        return {i: (e.get(key, "") if isinstance(e, dict) else str(e)) for i, e in entries.items()}
    out = {}
    for entry in entries or []:
        if isinstance(entry, dict):
            out[entry.get("id") or entry.get("quantity") or entry.get("model") or ""] = entry.get(key, "")
        else:
            out[str(entry)] = ""
    return out


def read_claim(path: pathlib.Path, entry: dict) -> Claim:
    where = f"{path}: claim {entry.get('id', '?')}"
    for key in ("id", "text", "published", "quantity", "rule", "models"):
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
        published=entry["published"],
        quantity=entry["quantity"],
        rule=entry["rule"],
        models=entry["models"],
        than=entry.get("than", []),
        parameters={p: float(entry[p]) for p in rule.parameters},
        level=float(entry.get("level", 0.95)),
        variants=entry.get("variants"),
    )


def read_experiment(folder: pathlib.Path) -> Experiment:
    """A folder without these files gives an experiment with defaults and no claims."""
    experiment = Experiment(folder.name, folder.name.replace("_", " ").capitalize())
    if (folder / "experiment.toml").exists():
        about = read_toml(folder / "experiment.toml")
        experiment.title = about.get("title", experiment.title)
        experiment.question = about.get("question", "")
        experiment.models = named(about.get("models", {}))
        experiment.variants = named(about.get("variants", {}), "text")
        figures = named(about.get("figures", about.get("quantities", [])), "label")
        experiment.figures = list(figures) or experiment.figures
        experiment.labels = {q: label for q, label in figures.items() if label}
    claims = folder / "claims.toml"
    if claims.exists():
        experiment.claims = [read_claim(claims, entry) for entry in read_toml(claims).get("claims", [])]
    for path in sorted((folder / "published").glob("*.csv")):
        experiment.published[path.stem] = pd.read_csv(path, comment="#")
    return experiment
