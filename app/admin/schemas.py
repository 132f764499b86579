"""Forms of the admin pages."""

from typing import Annotated, Literal, TypeVar

from fastapi import Request
from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from app.errors import Refused

Model = TypeVar("Model", bound=BaseModel)
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=500, pattern=r"^[^\x00]*$")]
Role = Literal["admin", "director", "moderator"]
Days = Annotated[
    Annotated[int, Field(ge=1, le=3650)] | None, BeforeValidator(lambda days: days or None)
]  # an empty field: for good


class ReasonForm(BaseModel):
    reason: Reason


class BanForm(ReasonForm):
    days: Days = None


class RolesForm(BaseModel):
    roles: list[Role] = []


class RewindForm(ReasonForm):
    to: int = Field(ge=1, le=1_000_000_000)


Merge = Annotated[str, Field(max_length=20_000, description="A JSON merge patch; empty: only look.")]


class LookForm(ReasonForm):
    merge: Merge = ""


class PatchForm(ReasonForm):
    merge: Merge
    seq: int = Field(ge=1, le=1_000_000_000, description="The newest entry when it was tried.")


class AdjudicateForm(ReasonForm):
    winner: str = Field(max_length=40, description="A side, or empty for a draw.")


async def read(request: Request, model: type[Model]) -> Model:
    """A form whose refusal is a page of its own. Raises Refused."""
    form = await request.form()
    values = {name: form.getlist(name) if name == "roles" else form[name] for name in form}
    try:
        return model.model_validate(values)
    except ValidationError as error:
        fields = ", ".join(sorted({str(part["loc"][0]) for part in error.errors() if part["loc"]}))
        raise Refused("error.invalid_fields", status=422, fields=fields) from error
