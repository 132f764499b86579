"""For supervisors and collectors."""

import secrets

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from app.deps import DatabaseDep, SettingsDep
from app.errors import NotFound
from app.operations.metrics import alive

router = APIRouter(include_in_schema=False)


@router.get("/health")
async def health(db: DatabaseDep) -> Response:
    """The process answers and reaches its database."""
    await alive(db)
    return Response("ok", media_type="text/plain")


@router.get("/metrics")
async def metrics(request: Request, db: DatabaseDep, settings: SettingsDep) -> Response:
    """For who has the token of MARISCAL_METRICS_TOKEN; nobody while there is none."""
    given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
    if not settings.metrics_token or not secrets.compare_digest(given, settings.metrics_token.encode()):
        raise NotFound
    return Response(await request.app.state.metrics.shown(db), media_type=CONTENT_TYPE_LATEST)
