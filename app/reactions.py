"""What follows a change of a game, and what a deleted account takes along: of the whole site, in their order. Server,
worker and commands all work under these; whoever opens the database gives them to its sessions."""

from app.accounts import leaving
from app.clocks.service import MoveClocks
from app.community.leaving import forget
from app.games import reactions
from app.games.bots import WakeBots
from app.games.making import hand_over, resign_all
from app.leagues.results import NoteResult
from app.notifications.reaction import QueueNotices
from app.orders.service import FollowOrders

REACTIONS = reactions.Reactions(FollowOrders(), MoveClocks(), NoteResult(), QueueNotices(), WakeBots())
LEAVING: tuple[leaving.Leave, ...] = (resign_all, forget)
HEIRS: tuple[leaving.HandOver, ...] = (hand_over,)
# by every session of the database
BORNE = {reactions.SESSION: REACTIONS, leaving.SESSION: LEAVING, leaving.HEIRS: HEIRS}
