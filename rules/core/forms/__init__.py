"""The kinds of answer a request can accept: a file each, and a tool in `static/js/game/KIND_tool.js`.

Each offers, checks, previews and samples itself, and says what else the house has to know of it (`base.Form`): there is
no list of kinds to be kept up. Shapes are those of docs/protocol.md section 3. What only a title can judge comes in as
callables: `legal` raises Refusal, `show` says what an answer would do.
"""

from rules.core.forms.allocate import Allocate, Lot
from rules.core.forms.amounts import Amount, Amounts
from rules.core.forms.arrange import Arrange
from rules.core.forms.base import KINDS, Answer, Form, Legal, Show, Why, in_points, label, nothing, strings, table
from rules.core.forms.choose import Choose, Option, Pick
from rules.core.forms.declare import Declare
from rules.core.forms.line import Line
from rules.core.forms.move import Move, Reach
from rules.core.forms.place import Group, Place
from rules.core.forms.trace import Trace

__all__ = ["KINDS", "Allocate", "Amount", "Amounts", "Answer", "Arrange", "Choose", "Declare", "Form", "Group", "Legal",
           "Line", "Lot", "Move", "Option", "Pick", "Place", "Reach", "Show", "Trace", "Why", "in_points", "label",
           "nothing", "strings", "table"]
