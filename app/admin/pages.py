"""The admin's page: who has an account, and a link for whoever forgot a password."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.admin import service
from app.deps import Admin, ForReaders, ReaderDep, SessionDep
from app.pages import redirect, render

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])


@router.get("/admin")
async def users(request: Request, _: Admin, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    return render(request, reader, "admin/users.html", users=await service.list_users(session), link=None)


@router.post("/admin/users/{user_id}/reset")
async def reset_link(user_id: int, request: Request, _: Admin, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    name, token = await service.reset_link(session, user_id)
    link = {"name": name, "address": f"{request.base_url}reset/{token}"}
    return render(request, reader, "admin/users.html", users=await service.list_users(session), link=link)


@router.post("/admin/users/{user_id}/admin")
async def make_admin(user_id: int, _: Admin, session: SessionDep) -> Response:
    await service.make_admin(session, user_id)
    return redirect("/admin")
