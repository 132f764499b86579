"""The titles. Each is a package of this one; none knows another."""

from importlib import import_module

from rules.core.title import Title

IDS = ("triple_alliance", "ultimo_hombre", "chaco", "guerra_a_muerte", "austerlitz")


def load(title_id: str) -> Title:
    """The title of that id. KeyError for one there is not."""
    if title_id not in IDS:
        raise KeyError(title_id)
    title: Title = import_module(f"rules.titles.{title_id}").TITLE
    return title
