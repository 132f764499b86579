"""The after-change reactions of the whole site, in their order: server, worker and commands all change games under
these."""

from app.clocks.service import MoveClocks
from app.games.bots import WakeBots
from app.games.reactions import Reactions
from app.leagues.results import NoteResult
from app.notifications.reaction import QueueNotices
from app.orders.service import FollowOrders

REACTIONS = Reactions(FollowOrders(), MoveClocks(), NoteResult(), QueueNotices(), WakeBots())
