"""What the next check of the rules may cost, asked over HTTP: by each player of his own stacks alone."""

from collections.abc import Callable

from starlette.testclient import TestClient

from tests.app.toy_table import new_key


def begun(ana: TestClient, title: str, seat: str) -> str:
    """Both seats at one screen, the dice sealed: the address of a game that runs."""
    made = ana.post("/api/games", json={"title": title, "scenario": "war", "seat": seat, "opponent": "both"})
    assert made.status_code == 201, made.text
    return f"/api/games/{made.json()['id']}"


def set_up(ana: TestClient, at: str) -> None:
    """No invasion, then both sides as suggested."""
    while True:
        for seat in ("allied", "paraguay"):
            view = ana.get(f"{at}/view?seat={seat}").json()
            if view["request"]["mine"]:
                break
        form = view["request"]["forms"][0]
        if form["form"] == "no_invasion":
            answer = {"form": "no_invasion", "option": "no_invasion"}
        elif form["kind"] == "place" and form["form"].endswith("set_up"):
            answer = {"form": form["form"], "placed": form["suggested"], "boxes": form["suggested_boxes"]}
        else:
            return
        said = ana.post(f"{at}/answers?seat={seat}",
                        json={"seq": view["request"]["seq"], "key": new_key(), "answer": answer})
        assert said.status_code == 200, said.text


def test_each_player_sees_what_his_own_stacks_face_and_nobody_else_does(
    person: Callable[[str], TestClient], client: TestClient
) -> None:
    ana = person("Ana")
    at = begun(ana, "triple_alliance", "paraguay")
    set_up(ana, at)
    view = ana.get(f"{at}/view?seat=paraguay").json()["view"]["fragments"]
    own = {key.removeprefix("space:") for key, space in view.items()
           if key.startswith("space:") and space.get("count") and space["side"] == "paraguay"}
    mine = ana.get(f"{at}/forecast?seat=paraguay").json()
    theirs = ana.get(f"{at}/forecast?seat=allied").json()
    assert mine
    assert set(mine) <= own
    assert not set(theirs) & own
    big = max(mine.values(), key=lambda one: one["count"])
    (check,) = big["checks"]
    assert len(check["faces"]) == 10
    assert big["most"] == max(face["loss"] for face in check["faces"])
    for stranger in (client, person("Eva")):
        assert stranger.get(f"{at}/forecast?seat=paraguay").status_code in (401, 403, 404)


def test_a_title_without_such_a_check_foretells_nothing(person: Callable[[str], TestClient]) -> None:
    ana = person("Ana")
    at = begun(ana, "ultimo_hombre", "allied")
    assert ana.get(f"{at}/forecast?seat=allied").json() == {}
    assert ana.get(f"{at}/covers?seat=allied&space=humaita").json() == []
