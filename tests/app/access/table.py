"""Who may do what: every route of the application, and what each of ten kinds of people gets there.

A letter for each, in the order of `stage.ROLES`:

    anonymous, another signed-in user (who watches the open game), the opponent, the seat itself (Ana, to whom the
    things in braces belong), a moderator, a director, the organiser of the event, an admin, a banned user, an admin
    who looks on as Ana ("support view")

A guest, who plays the computer without an account, gets everywhere what somebody anonymous does; at his own games he
may do what `AT_HIS_GAME` names (`tests/app/test_guests.py`).

`A` allowed; `S` sent to the sign-in (401, or 303 for pages); `F` forbidden (403); `N` not found, as if it were not
there (404). A route that the table lacks fails the tests.
"""

from typing import Any

from tests.app.sinks import Browser
from tests.conftest import PASSWORD

#          aooSmdoAbs
ALL_ = "AAAAAAAAAA"  # anybody
SEND = "AAAAAAAAAF"  # anybody; support only looks
MINE = "SAAAAAAAFA"  # who is signed in
DOES = "SAAAAAAAFF"  # the same, and something changes
BYSELF = "SAAAAAAAFF"  # the same for letters and files, which support may not read
SIT = "FFAAFFFFFA"  # players of the game
SITS = "FFAAFFFFFF"
TURN = "SFAAFFFFFF"  # players of the game, counted by person
ANA = "SNNANNNNFF"  # Ana
OTTO = "SANNNNNNFF"  # Otto
MOD = "SFFFAFFAFF"
DIR = "SFFFFAFAFF"
STAFF = "SFFFAAFAFF"
ADMIN = "SFFFFFFAFF"
RUNS = "SFFFFFAAFF"  # who directs the event or league
RULES = "SFFFAAFAFF"
ENTERED = "SAAAAAAAFF"
NO_BOARD = "NNNNNNNNNF"  # one there is not: support may not try

YES: dict[str, Any] = {"yes": True}
WHY = {"reason": "for the test"}
NONCE = {"nonce": "11" * 32}
HOURS = {"zone": "Europe/Madrid"}
WISHES = {"timing": "now", "hour": 8, "zone": "Europe/Madrid", "on": []}
MAIL = {"mail": "", "password": PASSWORD}
NEW = {"title": "toy", "scenario": "duel", "seat": "red"}
WAR = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": "person", "visibility": "open",
       "policy": "run"}  # fmt: skip
CUP = {"name": "Cup", "format": "round_robin", "board.triple_alliance.war": "on", "pace": "days", "hosts_play": "true"}
PASSWORDS = {"password": PASSWORD, "new": PASSWORD}
ENTRY = {"entrant": "{entrant}"}
PUSH = Browser().subscription("https://push.example.org/x")
EVENT = "/events/{event}"
BOARD = EVENT + "/pairings/{pairing}"

# method, path of the route's declaration, who, body (forms for pages), and where it differs: the address tried
ROUTES: list[tuple[str, str, str, Any, str | None]] = [
    # -- accounts
    ("GET", "/api/account", MINE, None, None),
    ("PATCH", "/api/account", DOES, {"theme": "dark"}, None),
    ("PUT", "/api/account/mail", DOES, {"mail": None, "password": PASSWORD}, None),
    ("GET", "/api/account/sessions", MINE, None, None),
    ("GET", "/account", MINE, None, None),
    ("POST", "/account/mail", DOES, MAIL, None),
    ("GET", "/account/mail/{token}", MINE, None, "/account/mail/wrong"),
    ("POST", "/account/mail/{token}", "SNNNNNNNFF", None, "/account/mail/wrong"),
    ("POST", "/preferences", SEND, {"theme": "light", "next": "/"}, None),
    ("GET", "/sign-up", ALL_, None, None),
    ("GET", "/sign-in", ALL_, None, None),
    ("GET", "/forgot", ALL_, None, None),
    ("POST", "/forgot", SEND, {"login": "Ana"}, None),
    ("GET", "/first-admin/{token}", "NNNNNNNNNN", None, "/first-admin/wrong"),
    ("POST", "/first-admin/{token}", "NNNNNNNNNF", {"name": "Eva", "password": PASSWORD}, "/first-admin/wrong"),
    ("GET", "/reset/{token}", ALL_, None, "/reset/{reset}"),
    ("GET", "/texts/{lang}.json", ALL_, None, "/texts/en.json"),
    # -- what everybody may read
    ("GET", "/", ALL_, None, None),
    ("GET", "/about", ALL_, None, None),
    ("GET", "/offline", ALL_, None, None),
    ("GET", "/sw.js", ALL_, None, None),
    ("GET", "/manifest.webmanifest", ALL_, None, None),
    ("GET", "/health", ALL_, None, None),
    ("GET", "/metrics", "NNNNNNNNNN", None, None),
    ("GET", "/api/titles", ALL_, None, None),
    ("GET", "/api/titles/{title_id}", ALL_, None, "/api/titles/toy"),
    ("GET", "/api/titles/{title_id}/data", ALL_, None, "/api/titles/toy/data"),
    ("GET", "/api/titles/{title_id}/kit/{lang}", "NNNNNNNNNN", None, "/api/titles/toy/kit/en?digest=0"),
    ("GET", "/api/titles/{title_id}/tables/{lang}", ALL_, None, "/api/titles/triple_alliance/tables/en"),
    ("GET", "/api/titles/{title_id}/texts/{lang}", ALL_, None, "/api/titles/toy/texts/en"),
    ("GET", "/sheet/{title_id}/{digest}/map.svg", "NNNNNNNNNN", None, "/sheet/toy/0/map.svg"),
    ("GET", "/sheet/{title_id}/{digest}/counters.svg", "NNNNNNNNNN", None, "/sheet/toy/0/counters.svg"),
    ("GET", "/titles/{title_id}", ALL_, None, "/titles/triple_alliance"),
    ("GET", "/titles/{title_id}/rules", ALL_, None, "/titles/triple_alliance/rules"),
    ("GET", "/titles/{title_id}/examples/{name}.png", "NNNNNNNNNN", None, "/titles/triple_alliance/examples/none.png"),
    # -- boards
    ("POST", "/api/boards", SEND, {"title": "triple_alliance", "example": "13.9-26-against-7"}, None),
    ("GET", "/api/boards", MINE, None, None),
    ("POST", "/api/boards/{board_id}/copy", NO_BOARD, {}, "/api/boards/none/copy"),
    ("GET", "/api/boards/{board_id}/view", "NNNNNNNNNN", None, "/api/boards/none/view"),
    ("GET", "/api/boards/{board_id}/file", "NNNNNNNNNN", None, "/api/boards/none/file"),
    ("GET", "/api/boards/{board_id}/forecast", "NNNNNNNNNN", None, "/api/boards/none/forecast"),
    ("GET", "/api/boards/{board_id}/covers", "NNNNNNNNNN", None, "/api/boards/none/covers?space=a"),
    ("POST", "/api/boards/{board_id}/answers", NO_BOARD, {"node": 0, "answer": {}}, "/api/boards/none/answers"),
    ("POST", "/api/boards/{board_id}/step", NO_BOARD, {"node": 0}, "/api/boards/none/step"),
    ("POST", "/api/boards/{board_id}/preview", NO_BOARD, {"node": 0, "answer": {}}, "/api/boards/none/preview"),
    ("POST", "/api/boards/{board_id}/reach", NO_BOARD, {"node": 0, "form": "move", "units": []},
     "/api/boards/none/reach"),
    ("GET", "/api/boards/{board_id}/hand", "NNNNNNNNNN", None, "/api/boards/none/hand"),
    ("POST", "/api/boards/{board_id}/put", NO_BOARD, {"node": 0, "position": {}}, "/api/boards/none/put"),
    ("POST", "/api/boards/{board_id}/deal", NO_BOARD, {}, "/api/boards/none/deal"),
    ("POST", "/api/games/{game_id}/what-if", SITS, {}, "/api/games/{game}/what-if"),
    ("PUT", "/api/boards/{board_id}/note", NO_BOARD, {"node": 0, "text": ""}, "/api/boards/none/note"),
    ("PUT", "/api/boards/{board_id}/kept", "SNNNNNNNFF", {"kept": True}, "/api/boards/none/kept"),
    ("GET", "/boards/{board_id}", "NNNNNNNNNN", None, "/boards/none"),
    ("GET", "/titles/{title_id}/try", ALL_, None, "/titles/triple_alliance/try"),
    ("POST", "/titles/{title_id}/play", "AAAAAAAAFF", {}, "/titles/toy/play"),
    ("POST", "/titles/{title_id}/try", SEND, {"scenario": "war"}, "/titles/triple_alliance/try"),
    # -- lessons
    ("GET", "/titles/{title_id}/lessons", ALL_, None, "/titles/triple_alliance/lessons"),
    ("GET", "/titles/{title_id}/lessons/{name}.png", "NNNNNNNNNN", None, "/titles/triple_alliance/lessons/none.png"),
    ("POST", "/titles/{title_id}/lessons/{name}", SEND, {}, "/titles/triple_alliance/lessons/01-march-a-stack"),
    ("GET", "/lessons/{board_id}", "NNNNNNNNNN", None, "/lessons/none"),
    ("GET", "/api/lessons/{board_id}/view", "NNNNNNNNNN", None, "/api/lessons/none/view"),
    ("GET", "/api/lessons/{board_id}/hints", "NNNNNNNNNN", None, "/api/lessons/none/hints"),
    ("POST", "/api/lessons/{board_id}/answers", NO_BOARD, {"node": 0, "answer": {}}, "/api/lessons/none/answers"),
    ("POST", "/api/lessons/{board_id}/go", NO_BOARD, {"node": 0}, "/api/lessons/none/go"),
    ("POST", "/titles/{title_id}/examples/{name}/try", SEND, {},
     "/titles/triple_alliance/examples/13.9-26-against-7/try"),
    ("GET", "/titles/{title_id}/counters", ALL_, None, "/titles/triple_alliance/counters"),
    ("GET", "/api/players/{name}", ALL_, None, "/api/players/Ana"),
    ("GET", "/players/{name}", ALL_, None, "/players/Ana"),
    # -- the lobby
    ("GET", "/api/lobby", MINE, None, None),
    ("GET", "/games/new", MINE, None, None),
    ("POST", "/api/games", DOES, NEW, None),
    ("POST", "/games", DOES, WAR, "/games?title=triple_alliance"),
    ("GET", "/games/{game_id}/join", ALL_, None, "/games/{waiting}/join"),
    ("GET", "/games/{game_id}/substitute", ALL_, None, "/games/{vacant}/substitute"),
    # -- a game that one may watch
    ("GET", "/api/games/{game_id}", ALL_, None, None),
    ("GET", "/api/games/{game_id}/view", ALL_, None, None),
    ("GET", "/api/games/{game_id}/record", ALL_, None, None),
    ("GET", "/api/games/{game_id}/export", ALL_, None, None),
    ("GET", "/games/{game_id}", ALL_, None, None),
    ("GET", "/games/{game_id}/replay", ALL_, None, None),
    ("GET", "/games/{game_id}/result", ALL_, None, None),
    ("POST", "/games/{game_id}/rematch", TURN, {}, None),
    ("GET", "/games/{game_id}/still.svg", ALL_, None, None),
    ("GET", "/games/{game_id}/still.png", "SNNNNNNNFN", None, None),  # nothing draws the toy
    ("GET", "/games/{game_id}/clock", ALL_, None, None),
    ("GET", "/games/{game_id}/broken", ALL_, None, None),
    ("GET", "/api/games/{game_id}/mending", ALL_, None, None),
    ("GET", "/games/{game_id}/audit", "SFAAAAFAFA", None, None),
    # -- what its players keep and say
    ("GET", "/api/games/{game_id}/draft", SIT, None, None),
    ("GET", "/api/games/{game_id}/take-back", SIT, None, None),
    ("GET", "/api/games/{game_id}/forecast", SIT, None, None),
    ("GET", "/api/games/{game_id}/covers", SIT, None, "/api/games/{game_id}/covers?space=a"),
    ("GET", "/api/games/{game_id}/hints", "FFFFFFFFFF", None, None),  # of a game against people
    ("GET", "/api/games/{game_id}/chat", SITS, None, None),
    ("GET", "/api/games/{game_id}/notes", SITS, None, None),
    ("GET", "/api/games/{game_id}/plans", SITS, None, None),
    ("GET", "/api/games/{game_id}/orders", SIT, None, None),
    ("GET", "/games/{game_id}/orders", SIT, None, None),
    ("GET", "/games/{game_id}/chat", "SNAANNNNFF", None, None),
    ("POST", "/games/{game_id}/chat/mute", "SNAANNNNFF", {"muted": "false"}, None),
    ("POST", "/api/games/{game_id}/chat", SITS, {"text": "hello"}, None),
    ("PUT", "/api/games/{game_id}/chat/read", SITS, None, None),
    ("PUT", "/api/games/{game_id}/notes", SITS, {"text": "mine"}, None),
    ("PUT", "/api/games/{game_id}/plans", SITS, {"rings": ["a"]}, None),
    ("POST", "/api/games/{game_id}/orders", SITS, {"name": "bid", "settings": {"bold": "2"}}, None),
    ("POST", "/games/{game_id}/orders", SITS, {"name": "bid", "setting.bold": "0", "setting.shy": "0"}, None),
    ("DELETE", "/api/games/{game_id}/orders/{number}", "FFNAFFFFFF", None, "/api/games/{game}/orders/{order}"),
    ("POST", "/games/{game_id}/orders/{number}/cancel", "FFNAFFFFFF", None, "/games/{game}/orders/{order2}/cancel"),
    # -- playing
    ("POST", "/api/games/{game_id}/preview", SITS, {"answer": {"form": "end", "option": "roll"}}, None),
    ("POST", "/api/games/{game_id}/reach", SITS, {"form": "move", "units": ["red"]}, None),
    ("DELETE", "/api/games/{game_id}/draft", SITS, None, None),
    ("POST", "/api/games/{game_id}/dice", SITS, NONCE, None),
    ("POST", "/api/games/{game_id}/answers", SITS,
     {"seq": 0, "key": "a-key-of-a-test", "answer": {"form": "end", "option": "pass"}}, None),
    ("POST", "/api/games/{game_id}/withdraw", SITS, None, None),
    ("POST", "/api/games/{game_id}/take-back", SITS, {"to": 1}, None),
    ("POST", "/api/games/{game_id}/take-back/reply", SITS, YES, None),
    ("POST", "/api/games/{game_id}/draw", SITS, {"decline": True}, None),
    ("POST", "/api/games/{game_id}/clock/claim", TURN, None, "/api/games/{real}/clock/claim"),
    ("POST", "/api/games/{game_id}/clock/grant", TURN, {"hours": 1}, "/api/games/{real}/clock/grant"),
    ("POST", "/api/games/{game_id}/clock/substitute", TURN, None, "/api/games/{real}/clock/substitute"),
    ("POST", "/api/games/{game_id}/clock/propose", TURN, {"what": "pause"}, "/api/games/{real}/clock/propose"),
    ("POST", "/api/games/{game_id}/clock/reply", TURN, YES, "/api/games/{real}/clock/reply"),
    ("POST", "/api/games/{game_id}/clock/resume", TURN, None, "/api/games/{real}/clock/resume"),
    ("POST", "/games/{game_id}/clock", TURN, {"act": "grant", "amount": "1", "unit": "hours"}, "/games/{real}/clock"),
    ("POST", "/api/games/{game_id}/mending", TURN, {"what": "resume"}, None),
    ("POST", "/api/games/{game_id}/mending/reply", TURN, YES, None),
    ("POST", "/api/games/{game_id}/mending/rule", RULES, {"what": "end", **WHY}, None),
    ("POST", "/games/{game_id}/broken", TURN, {"what": "resume"}, None),
    ("POST", "/games/{game_id}/broken/reply", TURN, {"word": "yes"}, None),
    ("POST", "/games/{game_id}/broken/rule", RULES, {"what": "end", **WHY}, None),
    ("POST", "/api/games/{game_id}/resign", SITS, None, "/api/games/{doomed}/resign"),
    # -- calendars, notices, ways to a person
    ("GET", "/api/account/calendar", MINE, None, None),
    ("PUT", "/api/account/calendar", DOES, HOURS, None),
    ("GET", "/account/calendar", MINE, None, None),
    ("POST", "/account/calendar", DOES, HOURS, None),
    ("POST", "/api/account/vacations", DOES, {"first_day": "{day}", "last_day": "{day}"}, None),
    ("POST", "/account/vacations", DOES, {"first_day": "{day2}", "last_day": "{day2}"}, None),
    ("DELETE", "/api/account/vacations/{vacation}", ANA, None, None),
    ("POST", "/account/vacations/{vacation}/end", ANA, None, "/account/vacations/{vacation2}/end"),
    ("GET", "/api/notices", MINE, None, None),
    ("GET", "/api/notices/badge", MINE, None, None),
    ("POST", "/api/notices/seen", DOES, None, None),
    ("POST", "/api/notices/visit", SEND, {"game": None}, None),
    ("GET", "/notices", MINE, None, None),
    ("POST", "/notices/seen", DOES, None, None),
    ("GET", "/next", MINE, None, None),
    ("GET", "/api/account/notifications", MINE, None, None),
    ("PUT", "/api/account/notifications", DOES, WISHES, None),
    ("GET", "/account/notifications", MINE, None, None),
    ("POST", "/account/notifications", DOES, {"timing": "now", "hour": "8", "zone": "UTC"}, None),
    ("GET", "/api/account/channels", MINE, None, None),
    ("POST", "/api/account/channels", DOES, {"address": "json://example.org/a"}, None),
    ("POST", "/account/notifications/services", DOES, {"address": "json://example.org/b"}, None),
    ("POST", "/api/account/push", DOES, PUSH, None),
    ("PUT", "/api/account/channels/{channel_id}", ANA, {"role": "first"}, "/api/account/channels/{channel}"),
    ("POST", "/api/account/channels/{channel_id}/test", ANA, None, "/api/account/channels/{channel}/test"),
    ("POST", "/account/notifications/channels/{channel_id}", ANA, {"act": "backup"},
     "/account/notifications/channels/{channel}"),
    ("DELETE", "/api/account/channels/{channel_id}", ANA, None, "/api/account/channels/{channel}"),
    ("GET", "/api/account/deliveries", MINE, None, None),
    ("GET", "/calendar/{token}.ics", ALL_, None, "/calendar/{calendar}.ics"),
    ("GET", "/unsubscribe/{token}", ALL_, None, "/unsubscribe/{calendar}"),
    ("POST", "/unsubscribe/{token}", SEND, None, "/unsubscribe/{calendar}"),
    ("POST", "/account/notifications/token", DOES, None, None),
    # -- people
    ("GET", "/account/profile", MINE, None, None),
    ("POST", "/account/profile", DOES, {"about": "hello"}, None),
    ("GET", "/friends", MINE, None, None),
    ("GET", "/messages", BYSELF, None, None),
    ("GET", "/messages/{name}", BYSELF, None, "/messages/Cleo"),
    ("POST", "/messages/{name}", DOES, {"text": "hello"}, "/messages/Cleo"),
    ("POST", "/players/{name}/{act}", DOES, None, "/players/Cleo/befriend"),
    ("GET", "/report", BYSELF, None, "/report?player=Cleo"),
    ("POST", "/report", DOES, WHY, "/report?player=Cleo"),
    ("GET", "/reports", MOD, None, None),
    ("POST", "/reports/{report_id}", MOD, {"note": "spoken to"}, "/reports/{report}"),
    ("GET", "/api/account/profile", MINE, None, None),
    ("PUT", "/api/account/profile", DOES, {"about": "hello"}, None),
    ("GET", "/api/friends", MINE, None, None),
    ("GET", "/api/blocks", MINE, None, None),
    ("GET", "/api/players/{name}/tie", MINE, None, "/api/players/Cleo/tie"),
    ("POST", "/api/players/{name}/{act}", DOES, None, "/api/players/Cleo/befriend"),
    ("GET", "/api/invitations", BYSELF, None, None),
    ("GET", "/api/games/{game_id}/invitations", "SNNANNNNFA", None, "/api/games/{secret}/invitations"),
    ("POST", "/api/games/{game_id}/invitations", ANA, {"player": "Otto"}, "/api/games/{secret}/invitations"),
    ("POST", "/api/invitations/{invitation_id}/agree", "SNNNNNNNFF", None, "/api/invitations/{invitation}/agree"),
    ("POST", "/invitations/{invitation_id}/agree", "SNNNNNNNFF", None, "/invitations/{invitation}/agree"),
    ("POST", "/api/invitations/{invitation_id}/decline", OTTO, None, "/api/invitations/{invitation}/decline"),
    ("GET", "/api/messages", BYSELF, None, None),
    ("GET", "/api/messages/{name}", BYSELF, None, "/api/messages/Cleo"),
    ("POST", "/api/messages/{name}", DOES, {"text": "hello"}, "/api/messages/Cleo"),
    ("GET", "/api/games/{game_id}/talk", "SNAANNNNFF", None, None),
    ("PUT", "/api/games/{game_id}/talk/mute", "SNAANNNNFF", {"muted": False}, None),
    ("POST", "/api/reports", DOES, WHY, "/api/reports?player=Cleo"),
    ("GET", "/api/reports", MOD, None, None),
    ("POST", "/api/reports/{report_id}", MOD, {"note": "spoken to"}, "/api/reports/{report}"),
    ("GET", "/account/export", BYSELF, None, None),
    ("POST", "/games/{game_id}/invite", "SNNANNNNFF", {"player": "Cleo"}, "/games/{secret}/invite"),
    ("POST", "/invitations/{invitation_id}/decline", OTTO, None, "/invitations/{invitation}/decline"),
    ("POST", "/games/{game_id}/join", DOES, {"seat": "blue"}, "/games/{waiting}/join"),
    ("POST", "/api/games/{game_id}/substitute", DOES, {}, "/api/games/{vacant2}/substitute"),
    ("POST", "/games/{game_id}/substitute", DOES, {"token": ""}, "/games/{vacant}/substitute"),
    ("POST", "/games/{game_id}/leave", "SAFFFFFFFF", None, "/games/{waiting2}/leave"),
    ("POST", "/api/games/{game_id}/join", DOES, {"seat": "blue"}, "/api/games/{waiting3}/join"),
    ("POST", "/api/games/{game_id}/leave", "SFFAFFFFFF", None, "/api/games/{waiting4}/leave"),
    # -- leagues
    ("GET", "/api/events", ALL_, None, None),
    ("GET", "/api/events/{event_id}", ALL_, None, None),
    ("GET", "/api/events/{event_id}/table.csv", ALL_, None, None),
    ("GET", "/api/events/{event_id}/games.csv", ALL_, None, None),
    ("GET", "/api/ratings", ALL_, None, None),
    ("GET", "/ratings", ALL_, None, None),
    ("GET", "/ratings/players/{name}", ALL_, None, "/ratings/players/Ana"),
    ("GET", "/leagues", ALL_, None, None),
    ("GET", "/leagues/{league_id}", ALL_, None, None),
    ("GET", "/events/{event_id}", ALL_, None, None),
    ("GET", "/events/{event_id}/embed", ALL_, None, None),
    ("GET", "/events/{event_id}/pairings/{pairing_id}", ALL_, None, BOARD),
    ("GET", "/events/{event_id}/{tab}", "NNNNNNAANN", None, EVENT + "/direct"),
    ("GET", "/events/new", MINE, None, None),
    ("GET", "/leagues/new", MINE, None, None),
    ("POST", "/events", DOES, CUP, None),
    ("POST", "/leagues", DOES, CUP, None),
    ("POST", "/leagues/organisers", ADMIN, {"who": "anybody"}, None),
    ("GET", "/events/{event_id}/edit", "SFFFFFAAFF", None, None),
    ("POST", "/events/{event_id}/edit", RUNS, CUP, "/events/{fresh_event}/edit"),
    ("GET", "/leagues/{league_id}/edit", "SFFFFFAAFF", None, None),
    ("POST", "/leagues/{league_id}/edit", RUNS, CUP, None),
    ("POST", "/api/events/{event_id}/enter", ENTERED, {}, "/api/events/{fresh_event}/enter"),
    ("POST", "/api/events/{event_id}/leave", ENTERED, {}, "/api/events/{fresh_event}/leave"),
    ("POST", "/events/{event_id}/enter", ENTERED, {"as": "player"}, "/events/{fresh_event}/enter"),
    ("POST", "/events/{event_id}/ready", ENTERED, {"ready": "true"}, "/events/{fresh_event}/ready"),
    ("POST", "/events/{event_id}/challenge", ENTERED, ENTRY, EVENT + "/challenge"),
    ("POST", "/events/{event_id}/pairings/{pairing_id}/bid", DOES, {"seat": "b", "points": "1"}, BOARD + "/bid"),
    ("POST", "/events/{event_id}/pairings/{pairing_id}/claim", "SFAAFFFFFF", {"wish": "win", "text": "It is mine"},
     BOARD + "/claim"),
    ("POST", "/events/{event_id}/bots", RUNS, {"bot": "heuristic"}, "/events/{empty_event}/bots"),
    ("POST", "/events/{event_id}/directors", RUNS, {"name": "Cleo"}, EVENT + "/directors"),
    ("POST", "/events/{event_id}/substitute", RUNS, ENTRY | {"name": "Cleo", **WHY}, EVENT + "/substitute"),
    ("POST", "/events/{event_id}/pair", RUNS, {"first": "1", "second": "2", **WHY}, EVENT + "/pair"),
    ("POST", "/events/{event_id}/pairings/{pairing_id}/postpone", RUNS, {"to": "{day}T12:00", **WHY},
     BOARD + "/postpone"),
    ("POST", "/events/{event_id}/claims/{claim_id}/dismiss", RUNS, WHY, EVENT + "/claims/{claim}/dismiss"),
    ("POST", "/events/{event_id}/pairings/{pairing_id}/rule", RUNS, {"ruling": "draw", **WHY}, BOARD + "/rule"),
    ("POST", "/events/{event_id}/remove", RUNS, ENTRY | WHY, EVENT + "/remove"),
    ("POST", "/events/{event_id}/start", RUNS, None, "/events/{fresh_event}/start"),
    ("POST", "/events/{event_id}/leave", ENTERED, None, "/events/{fresh_event}/leave"),
    ("POST", "/events/{event_id}/end", RUNS, WHY, "/events/{empty_event}/end"),
    ("POST", "/leagues/{league_id}/seasons", RUNS, None, None),
    # -- those who look after the site
    ("GET", "/admin", STAFF, None, None),
    ("GET", "/admin/users/{user_id}", MOD, None, "/admin/users/{ana}"),
    ("GET", "/admin/games", STAFF, None, None),
    ("GET", "/admin/games/{game_id}", STAFF, None, None),
    ("GET", "/admin/jobs", ADMIN, None, None),
    ("GET", "/admin/audit", STAFF, None, None),
    ("GET", "/account/audit", MINE, None, None),
    ("POST", "/admin/users/{user_id}/reset", ADMIN, None, "/admin/users/{otto}/reset"),
    ("POST", "/admin/users/{user_id}/roles", ADMIN, None, "/admin/users/{cleo}/roles"),
    ("POST", "/admin/users/{user_id}/ban", MOD, WHY, "/admin/users/{cleo}/ban"),
    ("POST", "/admin/users/{user_id}/unban", MOD, WHY, "/admin/users/{cleo}/unban"),
    ("POST", "/admin/games/{game_id}/rewind", DIR, {"to": "2", **WHY}, "/admin/games/{doomed2}/rewind"),
    ("POST", "/admin/games/{game_id}/position", DIR, WHY, "/admin/games/{doomed2}/position"),
    ("POST", "/admin/games/{game_id}/patch", DIR, {"merge": "{{}}", "seq": "1", **WHY}, "/admin/games/{doomed2}/patch"),
    ("POST", "/admin/games/{game_id}/adjudicate", DIR, {"winner": "red", **WHY}, "/admin/games/{doomed2}/adjudicate"),
    ("POST", "/admin/jobs/{job_id}/retry", ADMIN, None, "/admin/jobs/{job}/retry"),
    # -- what ends or begins sessions
    ("PUT", "/api/account/password", DOES, PASSWORDS, None),
    ("POST", "/account/password", DOES, PASSWORDS, None),
    ("DELETE", "/api/account/sessions", DOES, None, None),
    ("POST", "/account/sessions", DOES, None, None),
    ("POST", "/reset/{token}", SEND, {"new": PASSWORD}, "/reset/{reset2}"),
    ("POST", "/api/session", SEND, {"name": "Ana", "password": PASSWORD}, None),
    ("POST", "/sign-in", SEND, {"name": "Ana", "password": PASSWORD}, None),
    ("POST", "/api/account", SEND, {"name": "Nell", "password": PASSWORD}, None),
    ("POST", "/sign-up", SEND, {"name": "Nora", "password": PASSWORD}, None),
    ("DELETE", "/api/session", SEND, None, None),
    ("POST", "/sign-out", SEND, None, None),
    ("DELETE", "/api/account", DOES, {"password": "the wrong one"}, None),
    ("POST", "/account/delete", DOES, {"password": "the wrong one"}, None),
    ("POST", "/admin/users/{user_id}/support", ADMIN, WHY, "/admin/users/{otto}/support"),
    ("POST", "/support/stop", "SAAAAAAAFA", None, None),
]  # fmt: skip

# What a guest may do at a game of his own, of what not everybody may do there.
AT_HIS_GAME = {
    *(("GET", f"/api/games/{{game_id}}/{what}")
      for what in ("chat", "covers", "draft", "forecast", "hints", "notes", "plans", "take-back")),
    *(("POST", f"/api/games/{{game_id}}/{what}")
      for what in ("answers", "dice", "mending", "preview", "reach", "resign", "take-back", "withdraw")),
    *(("PUT", f"/api/games/{{game_id}}/{what}") for what in ("notes", "plans")),
    ("DELETE", "/api/games/{game_id}/draft"),
    ("POST", "/games/{game_id}/broken"),
    ("POST", "/games/{game_id}/rematch"),
}  # fmt: skip

# What nobody here can do at the moment, though they may: nobody is late, the rules fit, the password is wrong ...
NOT_NOW = {
    "/account/delete", "/admin/games/{game_id}/patch", "/admin/games/{game_id}/rewind", "/api/account",
    "/api/games/{game_id}/answers",
    "/api/games/{game_id}/clock/claim", "/api/games/{game_id}/clock/reply", "/api/games/{game_id}/clock/substitute",
    "/api/games/{game_id}/draw", "/api/games/{game_id}/mending", "/api/games/{game_id}/mending/reply",
    "/api/games/{game_id}/mending/rule", "/api/games/{game_id}/take-back", "/api/games/{game_id}/take-back/reply",
    "/api/games/{game_id}/withdraw", "/games/{game_id}/rematch",
    "/events/{event_id}/challenge", "/events/{event_id}/pair",
    "/events/{event_id}/pairings/{pairing_id}/bid", "/events/{event_id}/remove", "/games/{game_id}/broken",
    "/games/{game_id}/broken/reply", "/games/{game_id}/broken/rule", "/api/reports/{report_id}",
}  # fmt: skip
