"""The nightly forgetting of lessons that browsers without an account did long ago, and pictures drawn beforehand."""

from app.games import data
from app.jobs.registry import Work, job
from app.lessons import service
from app.lessons.lesson import lessons_of, subject
from app.rulebook.pictures import Pictures, places_of
from app.texts import LANGUAGES
from rules.titles import IDS

AT_ONCE = 10  # pictures, of a second or two each


@job("lessons.sweep", cron="47 3 * * *", tries=0)
async def sweep(work: Work) -> None:
    await service.sweep(work.store)


@job("lessons.pictures", cron="*/10 * * * *", tries=0)
async def draw(work: Work) -> None:
    """Draws some of the lessons' pictures that nobody has looked at yet, so that a list comes with all of its own."""
    pictures, left = Pictures(work.settings.data / "sheets"), AT_ONCE
    for lang in LANGUAGES:
        for title_id in filter(Pictures.can_draw, IDS):
            places = places_of(data.current(title_id).files["map"])
            for name, one in lessons_of(title_id).items():
                about = subject(one, places)
                if left and pictures.kept(title_id, name, one.body, lang, about) is None:
                    left -= await pictures.draw(title_id, name, one.body, lang, about) is not None
