"""What an admin who looks on as a user never sees: what is for that user alone."""

import re

from tests.app.access.stage import SIZES, Stage
from tests.app.access.table import ROUTES
from tests.app.access.test_routes import filled

OWN = {"line": "a-line-of-chat", "note": "a-note-of-mine", "ring": "a-ring-on-my-map", "bid": "5417"}
TELLING = re.compile("game_id|pairing_id|invitation|account|export|lobby|/$")  # of these the sample is made


@SIZES
def test_support_sees_nothing_that_is_for_the_user_alone(stage: Stage, whole: bool) -> None:
    """Every route that can be read: sealed bids, chat and notes, the feed's address, links to private games."""
    at, sql = stage.at, stage.sql
    game = f"/api/games/{at['game']}"
    assert stage.send("opponent", "POST", f"{game}/chat", {"text": OWN["line"]}).status_code == 201
    assert stage.send("seat", "PUT", f"{game}/notes", {"text": OWN["note"]}).status_code == 204
    assert stage.send("seat", "PUT", f"{game}/plans", {"rings": [OWN["ring"]]}).status_code == 204
    to = filled("/games/{waiting2}/invite", at)
    sql(f"update games set visibility = 'private' where id = '{at['waiting2']}'")
    assert stage.send("other", "POST", to, {"player": "Ana"}).status_code == 303
    sql(f"""update pairings set state = 'bidding', bids = jsonb_build_object(e.id::text,
        '{{"seat": "paraguay", "points": {OWN["bid"]}}}'::jsonb) from entrants e
        where pairings.id = {at["pairing"]} and e.user_id = {at["ana"]} and e.event_id = '{at["event"]}'""")
    links = dict(sql(f"select id, join_token from games where id in ('{at['secret']}', '{at['waiting2']}')"))
    secrets = {*OWN.values(), at["calendar"], *links.values()}
    paths = [filled(address or path, at) for method, path, _, _, address in ROUTES
             if method == "GET" and not path.startswith(("/calendar/", "/unsubscribe/"))
             and (whole or TELLING.search(path))]  # fmt: skip
    paths += [f"/events/{at['event']}/schedule", f"/games/{at['secret']}/join"]
    told: dict[str, set[str]] = {"seat": set(), "support": set()}
    for role, seen in told.items():
        for path in paths:
            if role == "seat" and seen == secrets:
                break
            stage.keep()
            text = stage.send(role, "GET", path).text
            found = {one for one in secrets if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)}
            assert role == "seat" or not found, f"{path}: {found}"
            seen |= found
    assert told["seat"] == secrets, "the test sees what it looks for"
